"""The answer: big and quiet in the middle of the ask screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from kb.answer.answer import Answer, Evidence, Way
from tui.quotes import is_picture, prose, quote
from tui.session import Exchange, Phase
from tui.widgets.flow import FlowText
from tui.words import Words, line


class AnswerView(VerticalScroll):
    """Question, answer, warnings and differing documents of one exchange, or the welcome."""

    def compose(self) -> ComposeResult:
        """The three parts."""
        yield FlowText(id="asked")
        yield FlowText(id="said")
        yield FlowText(id="notes")

    def clear(self) -> None:
        """Show nothing of what was asked any more."""
        for part in self.query(FlowText):
            part.update(Content(""))

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
        self.query_one("#notes", FlowText).update(Content(""))
        self.scroll_home(animate=False)

    def show(self, exchange: Exchange, words: Words, waiting_index: bool = False, gaps: bool = True) -> None:
        """The state of `exchange`; with `gaps` what is not answered is kept for the owners."""
        self.query_one("#asked", FlowText).update(_asked(exchange, words))
        said = _refusal(exchange.answer, words, gaps) if exchange.phase is Phase.REFUSED else None
        self.query_one("#said", FlowText).update(said or _said(exchange, words, waiting_index))
        answer = exchange.answer
        notes = _notes(answer, words) if answer is not None and exchange.phase is Phase.DONE else Content("")
        self.query_one("#notes", FlowText).update(notes)


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


def _notes(answer: Answer, words: Words) -> Content:
    """Warnings, then what the documents disagree about."""
    lines: list[Content] = []
    for warning in answer.warnings:
        if is_picture(warning):
            continue
        lines.append(
            Content.assemble(("! ", "bold $warning"), quote(warning), (_number_of(warning, answer, words), "$primary"))
        )
    for limit in answer.limits:
        place = f"  {limit.path}:{limit.lines[0]}"
        said = f"{line(limit.about)}: {line(limit.text)}"
        lines.append(Content.assemble(("! ", "bold $warning"), said, (place, "$muted")))
    if answer.conflicts:
        lines += [Content(""), Content.styled(words("differ"), "bold $warning")]
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
        lines.append(
            Content.assemble(
                ("- ", "bold $warning"),
                quote(conflict),
                (_number_of(conflict, answer, words), "$primary"),
                (f"  {facts}", "$muted"),
            )
        )
    return Content("\n").join(lines)


def _number_of(evidence: Evidence, answer: Answer, words: Words) -> str:
    """The number of the source in which `evidence` stands: the same lines, else the same document."""
    same = [place for place, source in enumerate(answer.evidence, 1) if source.path == evidence.path]
    exact = [place for place in same if answer.evidence[place - 1].lines == evidence.lines]
    return words.number((exact or same)[0]) if same else ""
