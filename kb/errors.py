"""The one class of error that a user sees: what happened, where, and what to do."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the command line; README.md lists them."""

    OK = 0
    INTERNAL = 1
    USAGE = 2
    NO_ANSWER = 3
    BAD_KNOWLEDGE = 4
    ENVIRONMENT = 5
    KIOSK_LEFT = 10  # somebody with the PIN; deploy/kiosk does not start it again then
    INTERRUPTED = 130


class AlmanacError(Exception):
    """An error that is shown to a person.

    `key` names a text in `kb.texts` (both languages); `params` fill it in. `exit_code` is what the command
    line returns. `str(error)` gives the English text, so that logs and the SDK stay readable.
    """

    def __init__(self, key: str, exit_code: ExitCode = ExitCode.ENVIRONMENT, **params: object) -> None:
        self.key = key
        self.exit_code = exit_code
        self.params = params
        super().__init__(key)

    def __str__(self) -> str:
        from kb.texts import text

        return text("en", self.key, **self.params)


class KnowledgeError(AlmanacError):
    """Something is wrong with a document or a knowledge tree."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key, ExitCode.BAD_KNOWLEDGE, **params)
