"""From a document's text to records, by rules that need no model: quantities, dates, tables, parties, limits."""
