"""English texts of the interface."""

TEXTS: dict[str, str] = {
    # header
    "tui_documents": "{count} documents",
    "tui_model_loading": "model loading",
    "tui_model_ready": "model ready",
    "tui_model_spare": "answers by quoting",
    "tui_model_absent": "quotes only",
    "tui_model_failed": "quotes only, model failed",
    "tui_starting": "starting",
    # key line
    "tui_key_ask": "ask",
    "tui_key_sources": "sources",
    "tui_key_helpful": "helpful",
    "tui_key_wrong": "wrong",
    "tui_noted_helpful": "Noted: {title} helped.",
    "tui_noted_wrong": "Noted for the owners: {title} is wrong.",
    "tui_key_open": "open",
    "tui_key_documents": "documents",
    "tui_key_help": "help",
    "tui_key_more": "more",
    "tui_key_stop": "stop",
    "tui_key_back": "back",
    "tui_key_move": "choose",
    "tui_key_next": "next place",
    "tui_key_find": "find",
    "tui_key_outline": "outline, tables",
    "tui_key_language": "中文",
    "tui_key_show": "show",
    # ask
    "tui_placeholder": "ask anything, or / to search documents",
    "tui_placeholder_short": "ask, or / to search",
    "tui_welcome": "What do you want to know?",
    "tui_welcome_hint": "Type a question and press Enter. The answer comes from the documents, with its source.",
    "tui_starters": "For example",
    "tui_searching": "Looking in the documents …",
    "tui_waiting_index": "The documents are being read for the first time; the answer follows.",
    "tui_wording": "Found. Wording the answer …",
    "tui_cancelled": "Stopped.",
    "tui_cancelled_sources": "Stopped. The sources below stay.",
    "tui_way_quote": "quote",
    "tui_way_checked": "checked",
    "tui_resolved_as": "understood as: {question}",
    "tui_way_replaced": "{count} replaced by the quote",
    "tui_gap_noted": "The question is noted for the owners of the documents.",
    "tui_sources": "Sources",
    "tui_differ": "The documents differ. The newest comes first:",
    "tui_more_limits": "{count} more limits: F10, m",
    "tui_updated": "updated {date}",
    "tui_refused": "The documents do not say.",
    "tui_looked_for": "Looked for: {words}",
    "tui_nearest": "Nearest documents",
    "tui_nothing_near": "No document comes near. Try other words, or press / to look through the documents.",
    "tui_references": "Named there: {references}",
    "tui_no_references": "No standard named.",
    "tui_valid_to": "valid to {date}",
    "tui_valid_from": "valid from {date}",
    "tui_version": "version {version}",
    "tui_updated_on": "updated {date}",
    "tui_source_of": "Source {number}",
    "tui_confidence": "match {percent} %",
    "tui_console_font": "This console cannot show Chinese characters. Install fbterm or kmscon, or connect "
    "from another terminal; F9 switches to English.",
    # states of documents
    "tui_expired": "EXPIRED {date}",
    "tui_future": "NOT YET VALID, from {date}",
    "tui_draft": "DRAFT",
    "tui_reviewing": "IN REVIEW",
    "tui_mark_expired": "expired",
    "tui_mark_future": "not yet valid",
    "tui_mark_draft": "draft",
    "tui_mark_reviewing": "in review",
    # reader
    "tui_loading": "Opening …",
    "tui_place": "place {number} of {count}",
    "tui_find_in": "find in this document",
    "tui_not_found": "not found: {words}",
    "tui_picture": "[picture: {alt}] {path}",
    "tui_picture_missing": "[picture: {alt}] {path} (not found)",
    "tui_picture_loading": "[picture: {alt}]",
    "tui_named_standards": "Standards and references",
    "tui_empty_document": "This document is empty.",
    "tui_long_document": "A very long document: shown as plain text.",
    "tui_outline": "Outline",
    "tui_link_outside": "That link leads outside the documents and is not opened.",
    # browser
    "tui_browser": "Documents",
    "tui_filter": "type to search the documents",
    "tui_no_match": "Nothing found for: {words}",
    "tui_reading": "Reading the documents …",
    "tui_found": "{count} found",
    # history, session, info
    "tui_changes": "What changed",
    "tui_week": "Week {week}, {first} to {last}",
    "tui_added": "new",
    "tui_modified": "changed",
    "tui_deleted": "removed",
    "tui_renamed": "moved",
    "tui_release_changed": "Now answering from {version}.",
    "tui_no_changes": "No changes are recorded.",
    "tui_gone": "This document is no longer there.",
    "tui_earlier": "Earlier questions",
    "tui_no_questions": "No question has been asked yet in this session.",
    "tui_state_done": "answered",
    "tui_state_refused": "documents do not say",
    "tui_state_failed": "failed",
    "tui_state_cancelled": "stopped",
    "tui_state_running": "running",
    "tui_info": "About this Almanac",
    "tui_info_version": "Knowledge version",
    "tui_info_documents": "Documents",
    "tui_info_sections": "Sections",
    "tui_info_meaning": "Search by meaning",
    "tui_info_model": "Answer model",
    "tui_info_processor": "Processor library",
    "tui_info_home": "Data folder",
    "tui_info_knowledge": "Document folder",
    "tui_info_problems": "Files with problems",
    "tui_info_none": "none",
    "tui_info_prepared": "{done} of {total} sections ready",
    "tui_info_state_absent": "not there",
    "tui_info_state_spare": "there; quotes do not need it",
    "tui_info_state_loading": "loading",
    "tui_info_state_ready": "ready",
    "tui_info_state_failed": "failed",
    "tui_info_line": "line {line}",
    "tui_unknown": "unknown",
    # more
    "tui_more": "More",
    "tui_more_ask": "Ask a question",
    "tui_more_documents": "Documents",
    "tui_more_earlier": "Earlier questions",
    "tui_more_changes": "What changed in the documents",
    "tui_more_info": "About this Almanac",
    "tui_more_doctor": "State of program and machine",
    "tui_doctor": "State of program and machine",
    "tui_doctor_well": "All is well.",
    "tui_doctor_ill": "Something is wrong: see the lines with !",
    "tui_more_theme": "Colours: {theme}",
    "tui_more_language": "Language: English → 中文",
    "tui_more_help": "Help",
    "tui_more_quit": "Quit",
    "tui_theme_light": "light (for sunlight)",
    "tui_theme_dark": "dark",
    "tui_theme_plain": "plain (no colours)",
    # progress
    "tui_progress_index": "Reading documents",
    "tui_progress_embed": "Preparing search by meaning",
    "tui_progress_verify": "Checking the models",
    "tui_progress_unpack": "Unpacking",
    "tui_progress_line": "{what}  {percent} %  {left}",
    "tui_left_seconds": "about {count} s left",
    "tui_left_minutes": "about {count} min left",
    # trouble
    "tui_trouble": "That did not work ({kind}). Nothing is lost; please try again.",
    # help
    "tui_help": "Help",
    "tui_help_text": """\
Ask
Type a question and press Enter. The sources appear first, the answer above them.
Each answer names its document. "quote" is the document's own wording; "checked" means \
that the model worded it and every number was found in the source.
If the documents do not say, Almanac says so.

Keys
Enter       ask, or open the chosen source
Tab         from the question to the sources and back
o           open the chosen source
+ / -       the chosen source helped, or is wrong
PgUp, PgDn  scroll the answer
/           search the documents (when the question is empty)
Esc         stop the answer, or go back
F1          help
F2          documents
F4          earlier questions
F5          what changed
F6          about this Almanac
F8          colours
F9          中文 / English
F10         more
{quit}
Reading
Arrows      scroll; PgUp, PgDn by pages
n / N       next, previous place
v           versions of the document
/           find in the document
Tab         outline and tables; arrows scroll a table

The mouse works everywhere: click a source, a starter or a word of the bottom line.""",
    "tui_help_quit": "Ctrl+Q      quit",
}
