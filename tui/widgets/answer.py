"""The answer: big and quiet in the middle of the ask screen."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from kb.answer.answer import Answer, Evidence, Limit, Way
from tui.quotes import is_picture, prose, quote
from tui.session import Exchange, Phase
from tui.widgets.flow import FlowLines, FlowText, Lead
from tui.words import Words, line

# Limits beyond these would press the answer itself off a small screen.
_MOST_LIMITS = 3


class AnswerView(VerticalScroll):
    """Question, answer, warnings and differing documents of one exchange, or the welcome."""

    def compose(self) -> ComposeResult:
        """The three parts."""
        yield FlowText(id="asked")
        yield FlowText(id="said")
        yield FlowLines(id="notes")

    def clear(self) -> None:
        """Show nothing of what was asked any more."""
        for part in self.query(FlowText):
            part.update(Content(""))
        self.query_one("#notes", FlowLines).update([])

    def welcome(self, words: Words, note: str = "", brief: bool = False, kiosk: bool = False) -> None:
        """Nothing asked yet; `brief` leaves the room to the examples. A `kiosk` tells how to choose one."""
        self.query_one("#asked", FlowText).update(Content(""))
        lines = [
            Content.styled(words("welcome"), "bold"),
            Content(""),
            Content.styled(words("kiosk_hint" if kiosk else "welcome_hint"), "$muted"),
        ]
        if brief:
            del lines[1:]
        if note:
            lines += [Content(""), Content.styled(f"! {note}", "$warning")]
        self.query_one("#said", FlowText).update(Content("\n").join(lines))
        self.query_one("#notes", FlowLines).update([])
        self.scroll_home(animate=False)

    def show(
        self,
        exchange: Exchange,
        words: Words,
        waiting_index: bool = False,
        gaps: bool = True,
        title_of: Callable[[str], str | None] = str,
    ) -> None:
        """The state of `exchange`; with `gaps` what is not answered is kept for the owners.

        `title_of` gives the title of the document at a path, None where there is none.
        """
        self.query_one("#asked", FlowText).update(_asked(exchange, words))
        said = _refusal(exchange.answer, words, gaps) if exchange.phase is Phase.REFUSED else None
        self.query_one("#said", FlowText).update(said or _said(exchange, words, waiting_index))
        answer = exchange.answer
        noted = answer is not None and exchange.phase is Phase.DONE
        self.query_one("#notes", FlowLines).update(notes(answer, words, title_of) if answer and noted else [])


def _said(exchange: Exchange, words: Words, waiting_index: bool) -> Content:
    match exchange.phase:
        case Phase.SEARCHING:
            return Content.styled(words("waiting_index" if waiting_index else "searching"), "$muted")
        case Phase.EVIDENCE:
            return Content.styled(words("wording"), "$muted")
        case Phase.ANSWERING:
            return Content(prose(exchange.text))
        case Phase.CANCELLED:
            key = "cancelled_sources" if exchange.evidence else "cancelled"
            return Content.styled(words(key), "$muted")
        case Phase.FAILED:
            said = words.problem(exchange.error) if exchange.error else ""
            return Content.assemble(("! ", "bold $warning"), said)
        case Phase.REFUSED | Phase.DONE:
            return _done(exchange, words)


def _asked(exchange: Exchange, words: Words) -> Content:
    """The question; under a follow-up the whole question that it stands for."""
    asked = Content.styled(line(exchange.question), "bold $secondary")
    answer = exchange.answer
    if answer is None or answer.resolved == answer.question:
        return asked
    return Content("\n").join([asked, Content.styled(words("resolved_as", question=line(answer.resolved)), "$muted")])


def _done(exchange: Exchange, words: Words) -> Content:
    """The answer with the numbers of its sources and, in a word, how it came about."""
    if exchange.changes is not None:
        return Content(exchange.changes.headline(words.lang))
    answer = exchange.answer
    cited = answer.cited if answer is not None and answer.cited else (0,)
    numbers = "".join(words.number(place + 1) for place in cited)
    checked = answer is not None and answer.way in (Way.SELECT, Way.COMPOSE)
    way = words("way_checked" if checked else "way_quote")
    if answer is not None and answer.replaced:
        way += words.dot + words("way_replaced", count=answer.replaced)
    return Content.assemble(prose(exchange.text), (numbers, "$primary"), ("  " + way, "italic $muted"))


def _refusal(answer: Answer | None, words: Words, gaps: bool) -> Content:
    lines = [Content.styled(words("refused"), "bold")]
    if answer is not None:
        wanted = " ".join(answer.looked_for)
        lines += [Content(""), Content.styled(words("looked_for", words=wanted), "$muted")]
        if not answer.nearest:
            lines += [Content(""), Content.styled(words("nothing_near"), "$muted")]
        lines += [Content(""), Content.styled(words("gap_noted" if gaps else "not_kept"), "$muted")]
    return Content("\n").join(lines)


Row = tuple[Lead, Content]


def notes(answer: Answer, words: Words, title_of: Callable[[str], str | None]) -> list[Row]:
    """Warnings, limits that they do not say, then what the documents disagree about."""
    mark = Content.styled("! ", "bold $warning")
    rows: list[Row] = []
    for warning in answer.warnings:
        if not is_picture(warning):
            rows.append((mark, Content.assemble(quote(warning), (_number_of(warning, answer, words), "$primary"))))
    limits = _further(answer)
    for limit in limits[:_MOST_LIMITS]:
        said = f"{line(limit.about)}: {line(limit.text)}"
        rows.append((mark, Content.assemble(said, (f"  {line(title_of(limit.path) or limit.path)}", "$muted"))))
    if len(limits) > _MOST_LIMITS:
        more = words("more_limits", count=len(limits) - _MOST_LIMITS)
        rows.append(("  ", Content.styled(more, "$muted")))
    if answer.conflicts:
        rows += [("", Content("")), ("", Content.styled(words("differ"), "bold $warning"))]
    for conflict in answer.conflicts:
        facts = words.dot.join(
            part
            for part in (
                line(conflict.title),
                line(conflict.version),
                words("updated", date=conflict.date_updated) if conflict.date_updated else "",
            )
            if part
        )
        number = (_number_of(conflict, answer, words), "$primary")
        rows.append((
            Content.styled("- ", "bold $warning"),
            Content.assemble(quote(conflict), number, (f"  {facts}", "$muted")),
        ))  # fmt: skip
    return rows


def _further(answer: Answer) -> list[Limit]:
    """The limits that no warning says already, each once; those of the documents that answer come first."""
    said = {(item.path, *item.lines) for item in answer.warnings}
    cited = {item.path for item in answer.evidence}
    kept = {(item.path, item.text): item for item in answer.limits if (item.path, *item.lines) not in said}
    return sorted(kept.values(), key=lambda item: item.path not in cited)


def _number_of(evidence: Evidence, answer: Answer, words: Words) -> str:
    """The number of the source in which `evidence` stands: the same lines, else the same document."""
    same = [place for place, source in enumerate(answer.evidence, 1) if source.path == evidence.path]
    exact = [place for place in same if answer.evidence[place - 1].lines == evidence.lines]
    return words.number((exact or same)[0]) if same else ""
