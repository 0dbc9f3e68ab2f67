"""English texts: the knowledge supply line."""

TEXTS: dict[str, str] = {
    # what is wrong with a card's file
    "card_yaml": "not valid: {reason}",
    "card_empty": "the file is empty; `almanac cards new` writes a card to fill in",
    "card_missing": "{field} is missing",
    "card_open": "{field} is still open; a card needs it before it leaves draft",
    "card_unknown_field": "there is no field {field}; see `almanac cards new` for the fields of a card",
    "card_not_text": "{field} must be one text",
    "card_not_list": "{field} must be a list of texts",
    "card_not_mapping": "{field} must hold the fields {names}",
    "card_too_long": "{field} is longer than {limit} characters",
    "card_too_many": "{field} has more than {limit} items",
    "card_bad_id": "the id {value} is not allowed: lower-case letters, digits, - and _ between them, at most {limit} "
    "characters",
    "card_bad_choice": "{field}: {value} is none of {choices}",
    "card_bad_date": "{field}: {value} is not a date of the form 2026-11-29",
    "card_bad_count": "{field}: {value} is not a whole number from 0 up",
    "card_no_end": "valid_until is missing; {days} days are usual: valid_until: {date}",
    "card_ends_before": "valid_until {until} lies before created_at {created}",
    "card_conclusion_long": "the conclusion has {length} characters; at most {limit} are allowed: say one thing",
    "card_misplaced": "a card lies in cards/<area>/<name>.yaml; this file is not read",
    "card_outside": "the file is a link out of the knowledge folder or has an unreadable name; it is not read",
    "card_duplicate_id": "the id {id} is already that of {other}; give this card one of its own",
    "card_unknown": "There is no card {id}. `almanac cards list` shows all.",
    "card_edit_broken": "{path}, line {line}: not valid YAML; correct the file, then try again.",
    "card_edit_failed": "{path}: {fields} could not be changed without touching the rest; edit the file by hand.",
}
