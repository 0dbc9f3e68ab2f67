"""English texts: updates from a stick."""

TEXTS: dict[str, str] = {
    # the medium and what lies on it
    "update_medium": "{path} cannot be read ({reason}). Nothing was changed. Put the stick in again and repeat.",
    "update_too_many": (
        "{path} holds more than {most} files. Put the update into a folder of its own and name that with --from."
    ),
    "update_not_plain": "{path} is refused: it is a link or no plain file. Nothing was changed.",
    "update_side_file": "{path} is no checksum or signature for its file. Nothing was changed. Copy the update again.",
    "update_digest": "{path} is not the file that was made: its checksum differs. Nothing was changed. Copy it again.",
    # signatures
    "update_key_unreadable": (
        "The key {path} cannot be read ({reason}). As long as it lies there, no update is taken. Put the right key "
        "there, or remove the file."
    ),
    "update_key_unknown": "There is no key {name} here. Known: {known}",
    "update_unsigned": (
        "{path} is not signed, and only what one of your keys signed is taken here ({keys}). Nothing was changed."
    ),
    "update_signature_damaged": "The signature of {path} cannot be read ({reason}). Nothing was changed.",
    "update_signer_unknown": (
        "{path} is signed by the key {signer}, which nobody has named as trusted here. Nothing was changed. If it is "
        "your supplier's, get the key itself from them (not from this stick) and name it: almanac update trust FILE"
    ),
    "update_signature_wrong": (
        "{path} is NOT what the key {signer} signed: the file or its signature was changed. Nothing was changed here."
    ),
    # the verb
    "cli_update": "newer knowledge or a newer program from a stick, checked and shown before it is put in place",
    "cli_update_examples": (
        "Examples:\n  almanac update                      look on the mounted sticks, show, ask, put in place\n"
        "  almanac update check --from /media/usb --json\n  almanac update --from /media/usb --yes\n"
        "  almanac update --undo               what was there before the last update\n"
        "  almanac update make /media/usb      write the newest version of the knowledge as an update\n"
        "  almanac update trust owner.pub      from then on only what this key signed is taken\n\n"
        "Exit codes: 0 done, or nothing newer; 2 wrong usage, nobody agreed, nothing to take back; 3 left as it was; "
        "4 refused (damaged, not signed, older, of another history, failed its trial); 5 disk, stick, self-test."
    ),
    "cli_update_action": "check: only look; make: write an update into TARGET; keys, trust, distrust: whose updates",
    "cli_update_target": "make: folder; trust: key file or key; distrust: id of a key",
    "cli_update_from": "look in this folder or at this file (may be repeated) instead of the mounted sticks",
    "cli_update_only": "only the knowledge, or only the program",
    "cli_update_undo": "put back what was there before the last update",
    "cli_update_older": "take an older version too",
    "cli_update_unrelated": "take knowledge that does not go on from the one in place",
    "cli_update_tag": "make: this version (default: the newest)",
    "cli_update_yes": "do not ask",
    "update_needs_target": "almanac update {action} needs a target. See: almanac update --help",
    "update_stray_target": "{target} has no meaning here. See: almanac update --help",
    "update_looked": "Looked at: {places}",
    "update_nothing": "There is no update there.",
    "update_nothing_newer": "Nothing there is newer than what is in place.",
    "update_own": "what came with the program",
    "update_offer_knowledge": "Knowledge {version}  (in place: {installed})  {file}, {size} MB",
    "update_offer_program": "Program {version}  (in place: {installed})  {file}, {size} MB",
    "update_same": "  is in place already",
    "update_older_note": "  is not newer than what is in place",
    "update_signed": "  signed by {id}: {comment}",
    "update_not_signed": "  not signed: only its checksum was compared",
    "update_first": "  takes over from the documents that came with the program; those stay in the program",
    "update_unrelated_note": "  ! does not go on from what answers here",
    "update_knowledge_stays": "  the knowledge that answers stays as it is",
    "update_changes": (
        "  numbers changed: {numbers}; documents: {changed} changed, {added} added, {removed} removed, {moved} moved"
    ),
    "update_ask": "\nPut in place: {names}? Type yes: ",
    "update_left": "Left as it was.",
    "update_done_knowledge": "Knowledge {version} answers now (before: {previous}).",
    "update_done_program": "Program {version} is in place (before: {previous}). It passed its self-test here.",
    "update_tried": "Tried before it answered anybody: {good} of {asked} questions and titles as they should be.",
    "update_restart": (
        "Programs that run now go on with the old one until they are started again. Back: almanac update --undo"
    ),
    "update_back": "Interfaces that are open follow with the next question. Back: almanac update --undo",
    "update_other_environment": "  ! That is the environment {changed}; this copy answers from {asked}, as before.",
    "update_undone_knowledge": "Taken back: {version} answers again (before: {previous}).",
    "update_undone_program": "Taken back: program {version} is in place again (before: {previous}).",
    "update_made": "Made and checked: {path} ({size} MB): {tag}, {documents} documents",
    "update_made_sign": "To sign it: minisign -S -m {name} (puts {name}.minisig beside it)",
    "update_keys_none": "No key is kept: updates are taken by their checksum alone.",
    "update_keys_required": "Only what one of these keys signed is taken.",
    "update_key_shown": "Key {id}\n  {line}",
    "update_key_ask": "Compare it with what its owner told you on another way. Keep it? Type yes: ",
    "update_key_kept": "Kept. From now on only what a kept key signed is taken.",
    "update_key_gone": "Key {id} is forgotten.",
    # what is refused
    "update_running": "Another update is running here. Wait until it is done.",
    "update_no_medium": "No stick is mounted. Put one in, or name the folder of the update with --from.",
    "update_no_digest": (
        "{path} has neither a checksum nor a signature beside it ({name}), so nobody can tell whether it arrived "
        "whole. Nothing was changed."
    ),
    "update_no_version": "{path} holds no version of the knowledge (kb-X.Y.Z). Make one with: almanac update make",
    "update_not_version": "{version} is not a version kb-X.Y.Z. Make one with: almanac snapshot",
    "update_other_file": "{path} is not the file that was looked at before. Nothing was changed. Look again.",
    "update_older": (
        "{version} is not newer than {installed}, which is in place. Nothing was changed. To go back: almanac update "
        "--undo, or --allow-older."
    ),
    "update_unrelated": (
        "{path}: {version} does not go on from {installed}, which answers here: it is other knowledge, or its history "
        "was rewritten. Nothing was changed. To put it in place all the same: --allow-unrelated"
    ),
    "update_tag_moved": (
        "{tag} is known here with another content. A version is never changed after it was handed out: the update is "
        "refused. Nothing was changed."
    ),
    "update_trial": (
        "{version} did not pass its trial, and what answered before still does. Of {asked} questions, {count} are not "
        "answered any more:\n  {names}"
    ),
    "update_machine": "{path} is for another kind of computer ({machine}; this one is {here}). Nothing was changed.",
    "update_not_packed": "This is not the packed program, so there is no file to replace. Update the source instead.",
    "update_self_test": (
        "The new program failed its self-test on this computer, and the one in use stays:\n  {reason}\n({path})"
    ),
    "update_nothing_to_undo": "There is no update to take back, or something else was changed after it.",
    "progress_update": "Checking the update",
    "progress_update_program": "Reading the new program",
    "progress_update_self_test": "The new program tests itself",
    "progress_update_make": "Making the update",
}
