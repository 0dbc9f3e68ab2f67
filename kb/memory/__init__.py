"""Structured memory: documents to blocks to Markdown, then entities, relations and events with their sources."""
