"""Git as the memory of the knowledge: history, versions, and what changed."""
