"""How a change of knowledge is described: `type(scope): text`, such as `docs(退货规则): 退货期改为 10 天`."""

from __future__ import annotations

import re

from kb.errors import AlmanacError, ExitCode

TYPES = ("docs", "feat", "policy", "fix")
LONGEST = 120
_FORM = re.compile(r"(?P<type>[a-z]+)\((?P<scope>[^()\s](?:[^()]*[^()\s])?)\): (?P<text>\S.*)")
# An input method for Chinese leaves these behind.
_FULL_WIDTH = str.maketrans({"（": "(", "）": ")", "：": ":"})
_LOOSE = re.compile(r"(?P<type>[A-Za-z]+)\s*\(\s*(?P<scope>[^()]*?)\s*\)\s*:\s*(?P<text>\S.*)")
# What git itself writes.
_OWN = re.compile(r"(?:Merge |Revert \"|fixup! |squash! |amend! )")
_SCISSORS = re.compile(r"^# -+ >8 -+$", re.MULTILINE)


def subject(message: str) -> str:
    """The first line that is neither empty nor a comment of git's."""
    kept = _SCISSORS.split(message.removeprefix("\ufeff").replace("\r\n", "\n"), maxsplit=1)[0]
    lines = (line.strip() for line in kept.split("\n"))
    return next((line for line in lines if line and not line.startswith("#")), "")


def checked_message(message: str) -> str:
    """`message` when its subject has the form; AlmanacError, exit code USAGE, saying what to write instead."""
    line = subject(message)
    if not line:
        raise AlmanacError("message_empty", ExitCode.USAGE, types=", ".join(TYPES))
    if _OWN.match(line):
        return message
    matched = _FORM.fullmatch(line)
    if matched is None:
        loose = _LOOSE.fullmatch(line.translate(_FULL_WIDTH))
        if loose is not None and loose["scope"] and loose["type"].lower() in TYPES:
            better = f"{loose['type'].lower()}({loose['scope']}): {loose['text']}"
            raise AlmanacError("message_nearly", ExitCode.USAGE, line=line, better=better)
        raise AlmanacError("message_form", ExitCode.USAGE, line=line, types=", ".join(TYPES))
    if matched["type"] not in TYPES:
        raise AlmanacError("message_type", ExitCode.USAGE, type=matched["type"], types=", ".join(TYPES))
    if len(line) > LONGEST:
        raise AlmanacError("message_long", ExitCode.USAGE, length=len(line), longest=LONGEST)
    return message
