"""Chinese texts: structured memory."""

TEXTS: dict[str, str] = {}
