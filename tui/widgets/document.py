"""A document as it is read: pieces one below the other, cited ones marked, mounted as needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from tui import formula
from tui.messages import PictureRead
from tui.page import Page, Piece
from tui.widgets.flow import FlowText
from tui.widgets.table import TablePiece
from tui.words import Words, shown

if TYPE_CHECKING:
    from PIL.Image import Image

MakePicture = Callable[["Image", Size], Widget | None]

# So many pieces are mounted at once, and again whenever the end of them comes near.
BATCH = 300


@dataclass(frozen=True, slots=True)
class Marks:
    """What one came for: lines that are cited, sentences quoted from them, words that were searched."""

    lines: tuple[tuple[int, int], ...] = ()
    quotes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def cites(self, piece: Piece) -> bool:
        """Whether the piece is to be marked as a whole."""
        return piece.kind not in ("heading", "rule") and any(piece.touches(lines) for lines in self.lines)

    def on(self, text: Text) -> Text:
        """`text` with quoted sentences in bold, where they are only a part of it, and words underlined."""
        marked = text.copy()
        for quote in self.quotes:
            wanted = _bare(quote)
            place = text.plain.find(wanted) if wanted else -1
            if place >= 0 and len(wanted) < len(text.plain) - 2:
                marked.stylize("bold", place, place + len(wanted))
        folded = text.plain.casefold()
        for word in self.words:
            place = folded.find(word.casefold()) if len(folded) == len(text.plain) else -1
            while place >= 0 and word:
                marked.stylize("bold underline", place, place + len(word))
                place = folded.find(word.casefold(), place + len(word))
        return marked


def _bare(markdown: str) -> str:
    """A quoted unit as it reads on the page."""
    text = formula.inline(shown(markdown)).lstrip("> -*+").strip()
    return text.replace("**", "").replace("`", "")


class PieceLine(FlowText):
    """A heading, paragraph, list item, code, formula or rule; wrapped list items keep their indent."""

    class LinkFollowed(Message):
        """A link to another document was chosen."""

        def __init__(self, target: str) -> None:
            super().__init__()
            self.target = target

    def __init__(self, piece: Piece, sign: str, marks: Marks) -> None:
        lead = ""
        item = piece.kind == "text" and piece.level > 0
        if item:
            marker = sign if piece.marker == "•" else piece.marker
            lead = "   " * piece.indent + (f"{marker} " if marker else "  ")
        super().__init__(Content.from_rich_text(marks.on(piece.text)), lead, classes=f"piece {piece.kind}")
        self.piece = piece
        self.set_class(item, "item")
        self.set_class(piece.quoted, "quoted")
        if piece.kind == "heading":
            self.add_class(f"level{min(piece.level, 4)}")
        self.can_focus = bool(piece.links)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A rule has no text and one line."""
        return 1 if self.piece.kind == "rule" else super().get_content_height(container, viewport, width)

    def on_click(self, event: events.Click) -> None:
        """Follow the link under the pointer, if it is one."""
        number = event.style.meta.get("link")
        if isinstance(number, int) and number < len(self.piece.links):
            event.stop()
            self.post_message(self.LinkFollowed(self.piece.links[number]))

    def key_enter(self) -> None:
        """Follow the first link."""
        if self.piece.links:
            self.post_message(self.LinkFollowed(self.piece.links[0]))


class PicturePiece(Vertical):
    """A picture under its description, or only the description."""

    class Grown(Message):
        """The picture is there and takes room."""

    class Wanted(Message):
        """The picture should be read."""

        def __init__(self, piece: PicturePiece) -> None:
            super().__init__()
            self.piece = piece

    def __init__(self, piece: Piece, words: Words, make: MakePicture | None) -> None:
        super().__init__(classes="piece picture")
        self.piece = piece
        self._words = words
        self._make = make

    def compose(self) -> ComposeResult:
        """The description."""
        yield Static(self._describe("picture"), markup=False)

    def _describe(self, key: str) -> Content:
        alt = self.piece.text.plain or "-"
        return Content.styled(self._words(key, alt=alt, path=self.piece.target), "$muted")

    def on_mount(self) -> None:
        """Ask for the picture."""
        self.post_message(self.Wanted(self))

    @property
    def _room(self) -> Size:
        """At most half the screen, so that the text around a picture stays in sight."""
        return Size(max(self.content_size.width, 8), max(5, self.app.size.height // 2))

    @on(PictureRead)
    def picture_read(self, event: PictureRead) -> None:
        """Show it, or say that it is not there."""
        event.stop()
        if event.image is None:
            self.query_one(Static).update(self._describe("picture_missing"))
        else:
            self.call_after_refresh(self._put, event.image)

    def _put(self, image: Image) -> None:
        """Mount the picture, once the layout knows how wide it may be."""
        widget = self._make(image, self._room) if self._make is not None else None
        if widget is not None and self.is_attached:
            self.query_one(Static).update(self._describe("picture_loading"))
            self.mount(widget)
            self.call_after_refresh(self.post_message, self.Grown())


class DocumentView(VerticalScroll):
    """The pieces of a page. `go` brings lines into sight; pieces before and after are added on the way."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home", "edge(False)", show=False),
        Binding("end", "edge(True)", show=False),
        Binding("space", "page_down", show=False),
    ]

    def __init__(self, id: str | None = None, can_focus: bool = True) -> None:
        super().__init__(id=id, can_focus=can_focus)
        self.make_picture: MakePicture | None = None
        self._page: Page | None = None
        self._marks = Marks()
        self._words = Words("en")
        self._first = self._end = 0
        self._growing = False
        # How often a page was begun to be shown: what an earlier one still has to do is then void.
        self._showing = 0
        self._loading = False
        self._at: tuple[int, int] | None = None
        self._limit: int | None = None
        self._target: tuple[tuple[int, int], float] | None = None

    async def show(
        self,
        page: Page,
        words: Words,
        marks: Marks | None = None,
        at: tuple[int, int] | None = None,
        limit: int | None = None,
    ) -> None:
        """Show `page` from its start, or around the lines `at`; `limit` shows only so many pieces."""
        self._page, self._words, self._limit = page, words, limit
        self._marks = marks or Marks()
        self._target, self._at = None, at
        self._growing = self._loading = True
        self._showing += 1
        mine = self._showing
        self._first = max(0, self._place_of(at) - BATCH // 3) if at and len(page.pieces) > BATCH else 0
        self._end = self._first
        await self.remove_children()
        if mine == self._showing:
            await self._mount_after()
        if mine != self._showing:
            return
        self._loading = False
        if self._at is not None:
            self.call_after_refresh(self._arrive, mine, self._at)
        else:
            self.scroll_home(animate=False)
            self._growing = False

    async def _arrive(self, mine: int, at: tuple[int, int]) -> None:
        if mine == self._showing:
            await self.go(at)
            self._growing = False

    def _place_of(self, lines: tuple[int, int]) -> int:
        pieces = self._page.pieces if self._page else ()
        for place, piece in enumerate(pieces):
            if piece.touches(lines):
                return place
        return next((place for place, piece in enumerate(pieces) if piece.first > lines[0]), len(pieces) - 1)

    async def _mount_after(self) -> None:
        assert self._page is not None
        end = min(self._end + BATCH, len(self._page.pieces), *([self._limit] if self._limit else []))
        fresh = [self._widget(piece) for piece in self._page.pieces[self._end : end]]
        mine = self._showing
        if fresh:
            await self.mount_all(fresh)
        if mine == self._showing:
            self._end = end

    async def _mount_before(self) -> None:
        assert self._page is not None
        first = max(0, self._first - BATCH // 2)
        fresh = [self._widget(piece) for piece in self._page.pieces[first : self._first]]
        if not fresh or not self.children:
            return
        anchor = self.children[0]
        before = anchor.virtual_region.y
        mine = self._showing
        await self.mount_all(fresh, before=0)
        if mine != self._showing:
            return
        self._first = first

        def keep_place() -> None:
            self.scroll_to(y=self.scroll_y + anchor.virtual_region.y - before, animate=False)

        self.call_after_refresh(keep_place)

    def _widget(self, piece: Piece) -> Widget:
        plain = self._words.plain
        if piece.kind == "table":
            return TablePiece(piece, self._marks.lines, plain)
        if piece.kind == "picture":
            return PicturePiece(piece, self._words, self.make_picture)
        row = PieceLine(piece, "-" if plain else "•", self._marks)
        row.set_class(self._marks.cites(piece), "-cited")
        return row

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Add pieces before one reaches the end of those mounted."""
        super().watch_scroll_y(old_value, new_value)
        if self._page is None or self._growing or not self.children:
            return
        near_end = self.max_scroll_y - new_value < 2 * self.size.height
        if near_end and self._end < len(self._page.pieces) and self._limit is None:
            self._grow(after=True)
        elif new_value < self.size.height and self._first > 0:
            self._grow(after=False)

    def _grow(self, after: bool) -> None:
        self._growing = True

        async def grow() -> None:
            try:
                await (self._mount_after() if after else self._mount_before())
            finally:
                self._growing = False

        self.call_later(grow)

    async def go(self, lines: tuple[int, int]) -> None:
        """Bring `lines` into sight, some lines below the top."""
        if self._page is None or not self._page.pieces:
            return
        if self._loading:
            self._at = lines
            return
        place = self._place_of(lines)
        if not self._first <= place < self._end:
            await self.show(self._page, self._words, self._marks, lines, self._limit)
            return
        self._bring_forward(lines)
        widget = self.children[place - self._first]
        offset = 0
        if isinstance(widget, TablePiece):
            widget.reveal(lines)
            offset = max(0, widget.line_of(lines) - int(widget.scroll_offset.y))
        above = min(self.size.height // 3, 6)
        self.scroll_to(y=max(0, widget.virtual_region.y + offset - above), animate=False, immediate=True)
        self._target = (lines, self.scroll_y)

    def _bring_forward(self, lines: tuple[int, int]) -> None:
        """Of what is cited, the place at `lines` stands out."""
        for child in self.children:
            if isinstance(child, TablePiece):
                child.bring_forward(lines)
            elif isinstance(child, PieceLine):
                child.set_class(child.has_class("-cited") and child.piece.touches(lines), "-front")

    @on(PicturePiece.Grown)
    def keep_target(self, event: PicturePiece.Grown) -> None:
        """A picture that arrives above must not push what one came for out of sight."""
        event.stop()
        if self._target is not None and abs(self.scroll_y - self._target[1]) < 1:
            self.call_after_refresh(self.go, self._target[0])

    def on_resize(self, event: events.Resize) -> None:
        """Rows break elsewhere now: what one came for stays in sight, unless one has scrolled on."""
        if self._target is not None and abs(self.scroll_y - self._target[1]) < 1:
            self.call_after_refresh(self.go, self._target[0])

    async def action_edge(self, end: bool) -> None:
        """To the start or end of the document."""
        if self._page is None or not self._page.pieces:
            return
        piece = self._page.pieces[-1 if end else 0]
        await self.go((piece.first, piece.last))
        if end:
            self.call_after_refresh(self.scroll_end, animate=False)
        elif self._first == 0:
            self.scroll_home(animate=False)

    def cited_widgets(self) -> list[Widget]:
        """The mounted pieces that are cited."""
        return [child for child in self.children if child.has_class("-cited")]
