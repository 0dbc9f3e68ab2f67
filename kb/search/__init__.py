"""Finding the passage: tokens, sections, index, vectors, hybrid ranking, and `lookup_knowledge`."""
