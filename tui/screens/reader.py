"""The reader: a document with the cited lines marked, its outline, tables and pictures."""

from __future__ import annotations

import datetime
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from kb.errors import KnowledgeError
from kb.tree.document import Facts
from tui import messages, pictures, work
from tui.background import spawn
from tui.page import Page, Piece, linked_path, outline, places
from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.document import DocumentView, Marks, PicturePiece, PieceLine
from tui.widgets.listing import Listing
from tui.widgets.question import QuestionInput
from tui.words import Words, fit, line, validity

_LONGEST_OUTLINE = 1000


class ReaderScreen(AlmanacScreen):
    """One document. `places` are the lines one came for, `start` the first to show."""

    AUTO_FOCUS = "#document"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,f3", "next(1)", show=False),
        Binding("N,shift+f3", "next(-1)", show=False),
        Binding("slash", "find", show=False),
        Binding("v", "versions", show=False),
    ]

    def __init__(self, path: str, places: list[tuple[int, int]], marks: Marks, start: int = 0) -> None:
        super().__init__()
        self.path = path
        self.page: Page | None = None
        self._marks = marks
        self.hits = list(places)
        self.hit = start
        self._headings: list[Piece] = []

    @property
    def waits(self) -> bool:
        """While the document is read."""
        return self.page is None

    def compose(self) -> ComposeResult:
        """Title, outline beside the document, a line to find in it, keys."""
        yield HeaderBar(id="header")
        yield Static("", id="facts", markup=False)
        yield Rule(classes="upper")
        yield Static("", id="empty", markup=False)
        with Horizontal(id="reading"):
            yield Listing(id="outline")
            yield DocumentView(id="document")
        yield Rule(classes="lower")
        with Horizontal(id="finding"):
            yield Static("/ ", id="prompt", markup=False)
            yield QuestionInput(slash=False, id="find")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Read the document."""
        self.query_one("#finding").display = False
        self.query_one("#outline").display = False
        if self.almanac.pictures and not self.words.plain:
            self.query_one(DocumentView).make_picture = pictures.widget
        runtime, path = self.almanac.runtime, self.path
        self.in_background(lambda: work.read_page(runtime, path, 0, self.post_message), "page")

    # -- what is shown ---------------------------------------------------------------------------------------

    def relabel(self) -> None:
        """Title line and outline anew."""
        if not self.is_mounted:
            return
        self.query_one("#find", QuestionInput).placeholder = self.words("find_in")
        empty = self.query_one("#empty", Static)
        empty.display = self.waits
        header, facts = self.query_one("#header", HeaderBar), self.query_one("#facts", Static)
        if self.page is None:
            header.show([line(self.path)], [])
            facts.update("")
            empty.update(Content.styled(self.missing(), "$muted"))
        else:
            known = self.page.facts
            place = ""
            if self.hits:
                place = self.words("place", number=self.hit + 1, count=len(self.hits))
            header.show([line(known.title)], [place] if place else [], self.words.dot)
            facts.update(facts_line(known, self.words, self.app.size.width - 4))
        super().relabel()

    def hints(self) -> list[Hint]:
        """Reading, or finding."""
        words = self.words
        back = Hint("Esc", words("key_back"), "screen.back", kept=True)
        if self.focused_is(QuestionInput):
            return [Hint("Enter", words("key_find"), "screen.submit_find"), back]
        more = [Hint("n", words("key_next"), "screen.next(1)")] if len(self.hits) > 1 else []
        return [
            back,
            *more,
            Hint("/", words("key_find"), "screen.find"),
            Hint("Tab", words("key_outline"), "app.focus_next"),
            Hint("v", words("key_versions"), "screen.versions"),
            *self.common_hints(),
        ]

    @on(messages.PageRead)
    async def page_read(self, event: messages.PageRead) -> None:
        """Show it, at the lines one came for."""
        page = self.page = event.page
        at = self.hits[self.hit] if self.hits else None
        self._fill_outline(page)
        view = self.query_one(DocumentView)
        await view.show(page, self.words, self._marks, at)
        if not page.pieces:
            await view.mount(Static(self.words("empty_document"), markup=False, classes="piece"))
        if page.simplified:
            self.notify(self.words("long_document"), markup=False)
        self.relabel()

    def _fill_outline(self, page: Page) -> None:
        headings = self._headings = outline(page)[:_LONGEST_OUTLINE]
        shallowest = min((piece.level for piece in headings), default=1)
        listed = self.query_one("#outline", OptionList)
        listed.clear_options()
        names = ["  " * min(piece.level - shallowest, 3) + line(piece.text.plain) for piece in headings]
        listed.add_options([Option(Content(fit(name, 27))) for name in names])
        self._show_outline()

    def _show_outline(self) -> None:
        wide = self.app.size.width >= 100
        listed = self.query_one("#outline", OptionList)
        listed.display = wide and self.page is not None and listed.option_count > 1

    def on_resize(self, event: events.Resize) -> None:
        """The outline needs room."""
        self._show_outline()

    # -- pictures and links ----------------------------------------------------------------------------------

    @on(PicturePiece.Wanted)
    def picture_wanted(self, event: PicturePiece.Wanted) -> None:
        """Read the picture in the background."""
        event.stop()
        runtime, path, piece = self.almanac.runtime, self.path, event.piece
        spawn(
            lambda: work.read_picture(runtime, path, piece.piece.target, piece.post_message),
            lambda error: piece.post_message(messages.PictureRead(None)),
            "picture",
        )

    @on(PieceLine.LinkFollowed)
    def link_followed(self, event: PieceLine.LinkFollowed) -> None:
        """Open the document behind a link, when it lies below the root and is there."""
        event.stop()
        path = linked_path(self.path, event.target)
        if path is None:
            self.notify(self.words("link_outside"), markup=False)
            return
        if self.almanac.catalog.entry(path) is None and not self.almanac.first_reading:
            self.almanac.say_trouble(KnowledgeError("no_such_document", path=path))
            return
        self.almanac.open_document(path)

    # -- moving ----------------------------------------------------------------------------------------------

    async def action_next(self, by: int) -> None:
        """To the next or previous place."""
        if self.hits:
            self.hit = (self.hit + by) % len(self.hits)
            await self.query_one(DocumentView).go(self.hits[self.hit])
            self.relabel()

    @on(OptionList.OptionSelected, "#outline")
    async def heading_chosen(self, event: OptionList.OptionSelected) -> None:
        """Go to the heading."""
        event.stop()
        if self.page is not None:
            piece = self._headings[event.option_index]
            await self.query_one(DocumentView).go((piece.first, piece.last))

    def action_versions(self) -> None:
        """How the document came to be what it is."""
        self.almanac.compare_document(self.path)

    def action_find(self) -> None:
        """Type what to find."""
        self.query_one("#finding").display = True
        self.query_one("#find").focus()

    async def action_submit_find(self) -> None:
        """Go to the first place."""
        typed = self.query_one("#find", QuestionInput).value
        if self.page is None or not typed.strip():
            return
        found = places(self.page, typed)
        if not found:
            self.notify(self.words("not_found", words=typed), markup=False)
            return
        self.hits, self.hit = found, 0
        self.query_one("#finding").display = False
        view = self.query_one(DocumentView)
        view.focus()
        self._marks = Marks(words=(typed.strip(),))
        await view.show(self.page, self.words, self._marks, found[0])
        self.relabel()

    @on(Input.Submitted, "#find")
    async def find_submitted(self, event: Input.Submitted) -> None:
        """Enter in the find line."""
        event.stop()
        await self.action_submit_find()

    def action_back(self) -> None:
        """Close the find line, else back to where one came from."""
        if self.query_one("#finding").display:
            self.query_one("#finding").display = False
            self.query_one(DocumentView).focus()
        else:
            self.dismiss(None)


def facts_line(facts: Facts, words: Words, room: int) -> Content:
    """Version, dates and, in words, whether the document holds today; what does not fit is left out."""
    state = validity(words, facts.valid_from, facts.valid_to)
    alarm = [words(facts.status)] if facts.status in ("draft", "reviewing") else []
    if not facts.valid_on(datetime.date.today()):
        alarm.append(state)
        state = ""
    warned = f"! {words.dot.join(alarm)}  " if alarm else ""
    calm = [
        words("version", version=facts.version) if facts.version else "",
        state,
        words("updated_on", date=facts.date_updated.isoformat()) if facts.date_updated else "",
    ]
    kept = [part for part in calm if part]
    while len(kept) > 1 and cell_len(warned + words.dot.join(kept)) > room:
        kept.pop()
    return Content.assemble((warned, "bold $warning"), (words.dot.join(kept), "$muted"))
