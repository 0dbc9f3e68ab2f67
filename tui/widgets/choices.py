"""The list under the answer: sources, nearest documents or example questions (starters)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from kb.answer.answer import Evidence, Nearest
from kb.versions.asked import ChangedDocument
from tui.flow import breaks
from tui.quotes import quote
from tui.starters import Starter
from tui.widgets.listing import Listing
from tui.words import Words, fit, line, pad

# Domains stand beside starters from this width on, in at most so many cells.
_WITH_DOMAINS, _DOMAIN_CELLS = 52, 16

Choice = Evidence | Nearest | ChangedDocument | Starter


@dataclass(frozen=True, slots=True)
class Shape:
    """How much room there is: cells across, lines of quotation under each source, a free row after each starter."""

    width: int
    quote_lines: int
    spaced: bool = False


class Choices(Listing):
    """Entries to choose from by arrows, Enter, `o` or mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("o", "select", show=False)]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.choices: tuple[Choice, ...] = ()
        self._words: Words | None = None
        self._quotes = 0
        self._spaced = False
        self._drawn = Shape(0, 0)

    def show(self, choices: tuple[Choice, ...], words: Words, quote_lines: int = 0, *, spaced: bool = False) -> None:
        """Show these; the highlighted place is kept when they are the same."""
        kept = self.highlighted if choices == self.choices else None
        self.choices, self._words, self._quotes, self._spaced = choices, words, quote_lines, spaced
        self._draw(kept)

    def on_resize(self, event: events.Resize) -> None:
        """Lines are laid out for the width."""
        if self._shape != self._drawn:
            self._draw(self.highlighted)

    @property
    def _shape(self) -> Shape:
        width = self.scrollable_content_region.width or max(self.app.size.width - 6, 20)
        return Shape(width - 2, self._quotes, self._spaced)

    def _draw(self, highlighted: int | None) -> None:
        if self._words is None:
            return
        shape = self._drawn = self._shape
        self.clear_options()
        self.add_options([Option(row) for row in prompts(self.choices, shape, self._words)])
        self.display = bool(self.choices)
        if self.choices:
            self.highlighted = highlighted if highlighted is not None else (0 if self.has_focus else None)

    def on_focus(self) -> None:
        """Arriving by Tab stands on the first entry."""
        if self.highlighted is None and self.choices:
            self.highlighted = 0

    def step(self, by: int) -> None:
        """Move the highlighted place from elsewhere."""
        if self.choices:
            place = -1 if self.highlighted is None and by > 0 else (self.highlighted or 0)
            self.highlighted = max(0, min(len(self.choices) - 1, place + by))

    @property
    def current(self) -> Choice | None:
        """The highlighted entry."""
        return self.choices[self.highlighted] if self.highlighted is not None and self.choices else None


def prompts(choices: tuple[Choice, ...], shape: Shape, words: Words) -> list[Content]:
    """The entries as they are drawn; the domain of starters stands once, where there is room for it.

    Sources of the same section would look alike: from the second on, what they say stands in place of where.
    """
    named = [choice.domain for choice in choices if isinstance(choice, Starter)]
    column = max((cell_len(line(name)) for name in named), default=0) if shape.width >= _WITH_DOMAINS else 0
    rows: list[Content] = []
    before = ""
    sections: set[tuple[str, tuple[str, ...]]] = set()
    for place, choice in enumerate(choices, start=1):
        if isinstance(choice, Starter):
            name = "" if choice.domain == before else line(choice.domain)
            before = choice.domain
            row = _starter(name, min(column, _DOMAIN_CELLS), place, choice.question, shape.width)
            rows.append(Content("\n").join([row, Content("")]) if shape.spaced and place < len(choices) else row)
        else:
            section = (choice.path, choice.trail if isinstance(choice, Evidence) else ())
            rows.append(_source(choice, place, shape, words, again=section in sections))
            sections.add(section)
    return rows


def _starter(name: str, column: int, place: int, question: str, width: int) -> Content:
    """domain, the number that chooses it, question."""
    lead = f"{pad(name, column)}  " if column else ""
    number = f"{place}  "
    asked = fit(line(question), width - cell_len(lead) - cell_len(number))
    return Content.assemble((lead, "$secondary"), (number, "bold $primary"), asked)


def _source(
    choice: Evidence | Nearest | ChangedDocument, place: int, shape: Shape, words: Words, *, again: bool
) -> Content:
    """A source, a near document or one that changed; `again` for a source whose section was named above."""
    if isinstance(choice, Nearest):
        return _citation(f"{words.between.strip()} ", line(choice.title), (), "", choice.confidence, shape.width, words)
    if isinstance(choice, ChangedDocument):
        return _change(choice, shape.width, words)
    number = f"{words.number(place)} "
    if again and not shape.quote_lines:
        return _citation(number, words.quoted(quote(choice)), (), "", choice.score, shape.width, words)
    until = words("valid_to", date=choice.valid_to) if choice.valid_to else ""
    middle = tuple(part for part in (line(choice.version), until) if part)
    heads = words.between.join(line(name) for name in choice.trail)
    cited = _citation(number, line(choice.title), middle, heads, choice.score, shape.width, words)
    if not shape.quote_lines:
        return cited
    rows = _wrap(quote(choice), shape.width - 4, shape.quote_lines)
    return Content("\n").join([cited, *(Content.styled("    " + row, "$muted") for row in rows), Content("")])


def _change(choice: ChangedDocument, width: int, words: Words) -> Content:
    """What happened to a document, its title and version, and when for the last time."""
    latest = choice.changes[0]
    what = words.change(choice.letter) + "  "
    title = line(choice.facts.title if choice.facts is not None else choice.path)
    version = line(choice.facts.version) if choice.facts is not None else ""
    day = f"{latest.date:%Y-%m-%d}" if width >= 34 else f"{latest.date:%m-%d}"
    side = "  ".join(part for part in (version if width >= 50 else "", day) if part)
    room = width - cell_len(what) - cell_len(side) - 2
    name = f"{title}{words.between}{line(latest.summary)}" if width >= 60 else title
    return Content.assemble((what, "bold $primary"), pad(name, max(room, 4)), "  ", (side, "$muted"))


def _citation(
    number: str, title: str, middle: tuple[str, ...], heads: str, score: float, width: int, words: Words
) -> Content:
    """number, title › headings, version, valid to, confidence: what does not fit goes, the title last."""
    sure = words.dots(score)
    kept = list(middle)
    for fewest in (28, 20):
        while kept and width - _side(kept, sure) - cell_len(number) < fewest:
            kept.pop(0)
    side = "  ".join([*kept, sure])
    room = width - cell_len(side) - cell_len(number) - 2
    name = _name(title, heads, room, words)
    return Content.assemble(
        (number, "bold $primary"),
        pad(name, max(room, 4)),
        "  ",
        ("".join(f"{part}  " for part in kept), "$muted"),
        (sure, "$primary"),
    )


def _side(kept: list[str], sure: str) -> int:
    return sum(cell_len(part) + 2 for part in kept) + cell_len(sure) + 2


def _name(title: str, heads: str, room: int, words: Words) -> str:
    """Title and headings; when short of room the last heading stays, then as much of the title as fits."""
    if not heads:
        return fit(title, room)
    whole = f"{title}{words.between}{heads}"
    if cell_len(whole) <= room:
        return whole
    last = heads.split(words.between)[-1]
    end = f"{words.between}{last}"
    if room - cell_len(end) >= 10:
        return fit(title, room - cell_len(end)) + end
    return fit(f"{title}{end}", room)


def _wrap(text: str, width: int, limit: int) -> list[str]:
    """`text` in at most `limit` rows of `width` cells."""
    rows = [text[start:end] for start, end in breaks(text, max(width, 10))]
    if len(rows) > limit:
        rows = [*rows[: limit - 1], fit(rows[limit - 1], width - 2) + " …"]
    return rows
