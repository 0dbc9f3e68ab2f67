"""Chinese texts: the agent loop and its tools."""

TEXTS: dict[str, str] = {}
