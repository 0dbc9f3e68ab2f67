"""Reading documents: PDF, DOCX, HTML, Markdown and text, each to the same blocks in reading order."""
