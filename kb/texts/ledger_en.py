"""English texts: packs, injection, ledger, inbox, metrics."""

TEXTS: dict[str, str] = {
    "ledger_busy": "{path} is in use by another program for too long. Try again in a moment.",
    "ledger_damaged": "{path} is damaged: {reason}. Bring it back from a backup; what it held is not overwritten.",
    "ledger_name_too_long": "The {name} is longer than {limit} characters.",
}
