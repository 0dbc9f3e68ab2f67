"""English texts: packs, injection, ledger, inbox, metrics."""

TEXTS: dict[str, str] = {
    "ledger_busy": "{path} is in use by another program for too long. Try again in a moment.",
    "ledger_damaged": "{path} is damaged: {reason}. Bring it back from a backup; what it held is not overwritten.",
    # packs
    "pack_too_large": "the file is larger than {limit} bytes; a pack is a few lines",
    "pack_missing": "the field {field} is missing or empty",
    "pack_unknown_field": "the field {field} is not known; known: {names}",
    "pack_not_mapping": "{field} must hold {names}",
    "pack_not_list": "{field} must be a list of names",
    "pack_bad_number": "{field} is {value}; it must be a whole number from {low} to {high}",
    "pack_bad_card": "{value} is not a card's id",
    "pack_bad_type": "{value} is not a type of card; known: {names}",
    # injection
    "inject_empty_task": "The task is empty: it needs a title or a text.",
    "inject_pinned_unknown": "{pack} pins the card {card}, which does not exist. Correct the id or take it out.",
    "inject_pinned_inactive": "{pack} pins the card {card}, which is not active. Activate the card or take it out.",
    "inject_pinned_expired": "{pack} pins the card {card}, which has expired. Renew the card or take it out.",
    "inject_pinned_low": "{pack} pins the card {card}, whose confidence is low. Such cards are never handed out.",
    "inject_pinned_too_large": "The pinned cards {cards} need {tokens} tokens, the budget is {budget}. Raise the "
    "budget, or pin fewer cards.",
    "inject_note": "Checked knowledge of the team. {mark} marks what real use has not confirmed yet. Cite a card by "
    "its id.",
    "inject_do": "Do: ",
    "inject_dont": "Do not: ",
    "inject_source": "Source: ",
    "inject_none": "No card fits the task {task}; the budget was {budget} tokens ({cards} cards, {tokens} tokens).",
    "inject_done": "Task {task}: {cards} cards, {tokens} of {budget} tokens.",
    "inject_no_cards": "There are no cards in {path}. `almanac cards new` writes the first one.",
    # ledger
    "ledger_name_too_long": "The {name} is longer than {limit} characters.",
    "ledger_no_task": "The ledger knows no task {task} that was given cards. `almanac ledger show` lists tasks.",
    "ledger_bad_head": "{value} is not a head of the form 12:ab34…: row number, colon, 64 hexadecimal digits.",
    "ledger_whole": "The ledger is whole: {rows} rows. Head {head}",
    "ledger_broken_changed": "Row {row} of {path} was changed after it was written.",
    "ledger_broken_missing": "Row {row} of {path} is missing.",
    "ledger_broken_cut": "{path} ends before row {row}, which was written.",
    "ledger_empty": "No rows.",
    "ledger_noted": "Noted as row {row}.",
    "ledger_followed": "followed",
    "ledger_contradicted": "contradicted",
    "ledger_unrelated": "unrelated",
    "ledger_follows": "“{said}” follows “{card}”",
    "ledger_other_number": "“{said}” has another number than “{card}”",
    "ledger_denies": "“{said}” contradicts “{card}”",
    "ledger_does_dont": "“{said}” does what must not be done: “{card}”",
    "ledger_kind_task": "task",
    "ledger_kind_injection": "card given",
    "ledger_kind_verdict": "verdict",
    "ledger_kind_feedback": "feedback",
    "ledger_kind_hit": "archived card missed",
    "ledger_kind_review": "owner looked",
    "ledger_kind_search": "own search",
    # command line
    "cli_inject": "print the knowledge that a task needs, within a budget of tokens",
    "cli_inject_examples": "examples:\n"
    '  almanac inject --task "calibrate the boom sprayer" --agent agronomy-desk\n'
    "  almanac inject --task task.yaml --budget 1500 --json\n"
    "A task file holds title, text, repo, type, agent, id (YAML or JSON), or plain text; - reads standard input.\n"
    "What was given is written into the ledger unless --dry-run. Exit code 3: no card fits.",
    "cli_inject_task": "the task: a file, a text, or - for standard input",
    "cli_inject_agent": "who works on it; decides with repo and type which packs fit",
    "cli_inject_repo": "the repository, machine or field that it is about",
    "cli_inject_type": "what kind of task it is, as packs name it",
    "cli_inject_id": "the task's id in the ledger (default: a fresh one)",
    "cli_inject_budget": "tokens that the block may have (default: the pack's, else 2000)",
    "cli_inject_dry": "write nothing into the ledger",
    "cli_ledger": "check, show, judge and add to what agents were given",
    "cli_ledger_examples": "examples:\n"
    "  almanac ledger verify\n"
    "  almanac ledger show --card pump-e07-no-bypass\n"
    "  almanac ledger judge --task task-12 --text answer.md\n"
    '  almanac ledger feedback pump-e07-no-bypass --dislike --note "the strainer was clean"\n'
    "Exit code 4: a row was changed.",
    "cli_ledger_verify": "compare every row with its digest and name the first that was changed",
    "cli_ledger_head": "a head that was noted before: it must still be in the chain",
    "cli_ledger_show": "print the last rows",
    "cli_ledger_task": "the task's id",
    "cli_ledger_card": "the card's id, or a document's path",
    "cli_ledger_judge": "compare what a task produced with the cards it was given",
    "cli_ledger_text": "the file with what was produced, or - for standard input",
    "cli_ledger_feedback": "note a like or dislike of a card or document",
    "cli_ledger_item": "the card's id, or a document's path",
    "cli_ledger_like": "it helped",
    "cli_ledger_dislike": "it is wrong or did not help",
    "cli_ledger_note": "what about it",
    # inbox and metrics
    "inbox_in_work": "{path} has changes that are not committed. Commit or undo them first; nothing was changed.",
    "inbox_does_not_fit": "The card {id} is {status}; only active cards are renewed, only others than archi"
    "ved ones archived.",
    "inbox_which": "Which card? Example: almanac inbox renew pump-e07-no-bypass",
    "inbox_renewd": "{id} is renewed.",
    "inbox_archived": "{id} is archived.",
    "inbox_empty": "Nothing waits for a decision.",
    "inbox_expiring": "Much used and about to expire ({count})",
    "inbox_negative": "Spoken against ({count})",
    "inbox_clean_up": "To clean up ({count})",
    "inbox_facts": "given {used} times, valid until {until}, owner {owner}",
    "inbox_contribution": "{added} cards added, {changed} changes; given {given} times, followed {followed} times",
    "metrics_title": "Knowledge supply, by week",
    "metrics_nothing": "nothing counted yet",
    "metrics_each": "{value} for each owner ({over} decisions, {out_of} owners)",
    "metrics_days": "{value} days ({over} of {out_of} cards were given)",
    "metrics_span": "Trends: weeks from {first} to {last}.",
    "metrics_hit_rate": "Injection hit rate",
    "metrics_hit_rate_definition": "of the tasks that asked for knowledge, the share that was given at least one card",
    "metrics_adoption_rate": "Adoption rate",
    "metrics_adoption_rate_definition": "of the cards given whose task was judged, the share that the task followed",
    "metrics_blind_search_rate": "Blind-search rate",
    "metrics_blind_search_rate_definition": "of all times that agents took knowledge, the share that "
    "they had to search by "
    "themselves",
    "metrics_automatic_share": "Share of automatic cards",
    "metrics_automatic_share_definition": "of the active cards, the share that was distilled from an event",
    "metrics_stale_rate": "Stale rate",
    "metrics_stale_rate_definition": "of the active cards, the share whose validity has ended",
    "metrics_review_load": "Review load",
    "metrics_review_load_definition": "decisions that wait in the inbox now, for each owner of cards",
    "metrics_time_to_first_use": "Time to first use",
    "metrics_time_to_first_use_definition": "days from a card's creation until it was first given, the "
    "median of the cards "
    "that were",
    "cli_inbox": "show the few decisions that need people, and decide them",
    "cli_inbox_examples": "examples:\n  almanac inbox\n  almanac inbox renew pump-e07-no-bypass\n  almanac "
    "inbox archive old-card\n  almanac inbox board\nExit code 3: nothing waits.",
    "cli_inbox_action": "list (default), renew, archive, or board: who contributed cards",
    "cli_inbox_card": "the card's id, for renew and archive",
    "cli_metrics": "show how well the supply of knowledge works, with definitions and trends",
    "cli_metrics_examples": "examples:\n  almanac metrics\n  almanac metrics --svg trend.svg --csv weeks.csv",
    "cli_metrics_svg": "write the trends as a picture",
    "cli_metrics_csv": "write the weekly sums as a table",
}
