"""A model that says what the test tells it to."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from kb.answer.text_model import Completion


class ScriptedModel:
    """Stands in for TextModel; says `says`, letter by letter with `letters`. Keeps prompts and grammars."""

    source = SimpleNamespace(name="scripted")
    context_tokens = 2048

    def __init__(self, says: str, template: str | None = None, *, stopped: bool = False, letters: bool = False) -> None:
        self.says, self.template, self.stopped, self.letters = says, template, stopped, letters
        self.prompts: list[str] = []
        self.grammars: list[str] = []

    def count(self, text: str) -> int:
        """Two characters a token."""
        return len(text) // 2

    def apply_template(self, messages: list[tuple[str, str]]) -> str:
        """The messages as they are."""
        return "\n".join(content for _, content in messages)

    def complete(
        self,
        prompt: str,
        limit: int,
        stop: tuple[str, ...],
        on_text: Callable[[str], None],
        cancelled: Callable[[], bool],
        grammar: str = "",
    ) -> Completion:
        """Say it; five tokens, the first after a quarter of a second."""
        self.prompts.append(prompt)
        self.grammars.append(grammar)
        for end in range(1, len(self.says) + 1) if self.letters else (len(self.says),):
            on_text(self.says[:end])
        return Completion(self.says, 1, 0, 5, 0.0, 0.25, 0.5, self.stopped)
