"""English texts: reading documents."""

TEXTS: dict[str, str] = {
    "reading_empty": "{path} is empty: there is nothing to read in it.",
    "reading_locked": "{path} is locked with a password. Save a copy without it, and read that.",
    "reading_damaged": "{path} is damaged and cannot be read ({reason}). Get the file again, or open and save it in"
    " the program that made it.",
    "reading_bomb": "{path} unpacks to far more than a document needs: it is not read. If it is genuine, save it as"
    " PDF.",
    "reading_old_word": "{path} is in a format of Office before 2007. Save it as .docx or PDF, and read that.",
    "reading_unsupported": "{path} is of a kind that is not read ({kind}). PDF, DOCX, HTML, Markdown, text and"
    " pictures are.",
    "reading_too_long": "{path} has {pages} pages; at most {limit} are read. Divide it first.",
    "reading_too_large": "{path} needs more than {limit} MB of memory to read: it was stopped. Divide it first.",
    "reading_too_slow": "Reading {path} took longer than {seconds} s: it was stopped. Try a copy that was saved anew,"
    " or printed to PDF.",
    "reading_failed": "{path} could not be read: the reader ended ({reason}).",
    "reading_note_scan": "Page {page} is a picture; no text recognition is installed, so its words cannot be searched.",
    "reading_note_unreadable": "Page {page} could not be read.",
    "reading_note_turned": "Page {page}: text that runs in another direction is left out.",
    "reading_note_deleted": "Revision: text was deleted here ({who}).",
    "reading_note_comment": "Comment ({who}): {text}",
    "progress_reading": "Reading",
    "cli_ingest": "Read PDF, DOCX, HTML, text and pictures into the knowledge as Markdown documents, and into memory",
    "cli_ingest_examples": "Examples:\n"
    "  almanac ingest manual.pdf --knowledge ~/knowledge --into machinery/pump\n"
    "  almanac ingest contracts/ --knowledge ~/knowledge --type contract --valid-to 2027-12-31\n"
    "  almanac ingest scan.pdf --dry-run\n\n"
    "What a person changed in a document that came from here is kept: it is not written again.\n"
    "A source of the same name from another folder becomes a document beside the earlier one; --replace replaces it.\n"
    "Memory takes what each document says (see `almanac memory`); a stopped run goes on where it was.\n"
    "Exit codes: 0 all read; 2 wrong arguments; 4 a document could not be read; 5 nothing can be written.",
    "cli_ingest_source": "a document, or a folder with documents",
    "cli_ingest_into": "folder below the knowledge for the new documents (default: imported)",
    "cli_ingest_title": "title (of one document; default: its first heading)",
    "cli_ingest_type": "type of the documents, such as manual or contract",
    "cli_ingest_valid_to": "last day of validity, YYYY-MM-DD",
    "cli_ingest_replace": "a source of the same name from another folder replaces its document",
    "cli_ingest_no_memory": "write the documents only; memory does not learn them",
    "ingest_beside": "  kept beside {path}, which was made of another {source}. Is it the same document? Delete one of "
    "them, or use --replace next time.",
    "ingest_remembered": "  memory: {counts}",
    "ingest_not_remembered": "  ! not in memory: {reason}",
    "ingest_done_memory": "In memory: {done}, failed {failed}",
    "cli_ingest_dry_run": "read and report, write nothing",
    "ingest_written": "{source} -> {path}: {pages} pages, {blocks} blocks, {tables} tables, {images} images",
    "ingest_replaced": "{source} -> {path}: written again; {pages} pages, {blocks} blocks, {tables} tables,"
    " {images} images",
    "ingest_unchanged": "{source}: {path} is up to date",
    "ingest_kept": "{source}: {path} was changed by a person and is kept. Move it away to have it written again.",
    "ingest_would": "{source} would become {path}: {pages} pages, {blocks} blocks, {tables} tables, {images} images",
    "ingest_skipped": "{source}: left out. {reason}",
    "ingest_scans": "  {count} pages are pictures without text. Install tesseract (with chi_sim) or rapidocr, and"
    " ingest again.",
    "ingest_unreadable": "  {count} pages could not be read; the document says which.",
    "ingest_nothing": "{path}: no document that can be read.",
    "ingest_done": "{written} written, {same} up to date, {kept} kept, {failed} not read",
    "ingest_would_done": "{written} would be written, {same} up to date, {kept} kept, {failed} not read",
    "ingest_outside": "--into {path}: must be a folder below the knowledge, such as machinery/pump.",
    "ingest_deep": "--into {path}: at most three folders deep.",
    "ingest_title_many": "--title fits one document, and {count} were found.",
    "ingest_shipped": "The knowledge that came with the program is replaced at each update. Name a folder of your own:"
    " --knowledge DIR",
    "ingest_no_source": "{path}: no such file or folder.",
}
