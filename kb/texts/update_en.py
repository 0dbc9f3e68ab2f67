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
