"""Chinese texts: versions of the knowledge."""

TEXTS: dict[str, str] = {}
