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
}
