"""English texts: the knowledge supply line."""

TEXTS: dict[str, str] = {}
