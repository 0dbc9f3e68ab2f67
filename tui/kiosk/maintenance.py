"""Behind the PIN: update, backup, doctor, a new start, and the only way out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from kb.kiosk.maintenance import Work
from tui.background import spawn
from tui.kiosk.app import Ended
from tui.kiosk.work import WorkTold
from tui.screens.lists import ListScreen
from tui.screens.texts import TextScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.widgets.listing import Listing
from tui.words import shown

if TYPE_CHECKING:
    from tui.kiosk.app import KioskApp


@dataclass(frozen=True, slots=True)
class Item:
    """A text that names it, what it does, and what is asked before."""

    text: str
    do: Callable[[], None]
    sure: str = ""


class MaintenanceScreen(ListScreen):
    """One line a piece of work; what cannot be taken back in passing is asked twice."""

    title_key = "maintenance"
    choose_key = "key_do"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "agree", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self._asked: Item | None = None

    def compose(self) -> ComposeResult:
        """As every list, with a question under it when there is one."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        yield Listing(id="list")
        yield Static("", id="empty", markup=False)
        yield Static("", id="asking", markup=False)
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    @property
    def kiosk(self) -> KioskApp:
        """The application."""
        return cast("KioskApp", self.app)

    @property
    def items(self) -> tuple[Item, ...]:
        """What somebody gave a way to do."""
        given = self.kiosk.given.maintenance
        works: list[tuple[str, Work | None, Work | None, str]] = [
            ("maintenance_update", given.look_for_update, given.update, ""),
            ("maintenance_undo", given.undo_update, None, "sure_undo"),
            ("maintenance_backup", given.back_up, None, ""),
            ("maintenance_doctor", given.examine, None, ""),
        ]
        return (
            *(Item(name, self._opener(name, work, after), sure) for name, work, after, sure in works if work),
            Item("maintenance_restart", lambda: self.kiosk.end(Ended.RESTART), "sure_restart"),
            Item("maintenance_end", lambda: self.kiosk.end(Ended.LEFT), "sure_end"),
            Item("maintenance_back", self.action_back),
        )

    def _opener(self, name: str, work: Work, after: Work | None) -> Callable[[], None]:
        def opened() -> None:
            self.app.push_screen(ResultScreen(name, work, after))

        return opened

    def fill(self) -> None:
        """One line an item; the number chooses it."""
        for place, item in enumerate(self.items, start=1):
            self.listed.add_option(Option(Content.assemble((f"{place}  ", "bold $primary"), self.words(item.text))))
        asking = self.query_one("#asking", Static)
        asking.display = self._asked is not None
        if self._asked is not None:
            asking.update(Content.styled(self.words(self._asked.sure), "bold $warning"))

    def choose(self, number: int) -> None:
        """Do it, or ask first."""
        item = self.items[number]
        self._asked = item if item.sure else None
        self.relabel()
        if not item.sure:
            item.do()

    def hints(self) -> list[Hint]:
        """Do it, back; or agree."""
        words = self.words
        back = Hint("Esc", words("key_no" if self._asked else "key_back"), "screen.back")
        if self._asked:
            return [Hint("y", words("key_yes"), "screen.agree"), back]
        return [Hint("Enter", words(self.choose_key), "screen.choose"), back]

    def on_key(self, event: events.Key) -> None:
        """The number of an item does it."""
        if event.character and event.character in "123456789" and int(event.character) <= len(self.items):
            event.stop()
            self.listed.highlighted = int(event.character) - 1
            self.choose(int(event.character) - 1)

    def action_agree(self) -> None:
        """Yes, do what was asked about."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self.relabel()
            asked.do()

    def action_back(self) -> None:
        """Not to do it; else to the questions."""
        if self._asked is not None:
            self._asked = None
            self.relabel()
        else:
            self.dismiss(None)


class ResultScreen(TextScreen):
    """A piece of work under way, then what it said; `after` can be done once it went well, if there is one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "agree", show=False)]

    def __init__(self, title: str, work: Work, after: Work | None = None) -> None:
        super().__init__()
        self.title_key = title
        self._work: Work | None = work
        self._after = after
        self._told: WorkTold | None = None

    @property
    def kiosk(self) -> KioskApp:
        """The application."""
        return cast("KioskApp", self.app)

    def on_mount(self) -> None:
        """Begin."""
        assert self._work is not None
        self._begin(self._work)

    def _begin(self, work: Work) -> None:
        self._told = None
        kiosk, lang = self.kiosk, self.words.lang
        kiosk.working += 1
        spawn(
            lambda: _tell(kiosk, WorkTold(work(lang), None, self._show)),
            lambda error: _tell(kiosk, WorkTold(None, error, self._show)),
            "maintenance",
        )
        self.refresh_texts()

    def _show(self, told: WorkTold) -> bool:
        if not self.is_attached:
            return False
        self._told = told
        self.refresh_texts()
        return True

    def text(self) -> Content:
        """Under way; or good, or not; then the work's own words."""
        words, told = self.words, self._told
        if told is None:
            return Content(words("work_running"))
        if told.outcome is None:
            reason = words.problem(told.error) if told.error else ""
            return Content.assemble((words("work_bad"), "bold $warning"), "\n\n", reason)
        good = told.outcome.good
        head = Content.styled(words("work_good" if good else "work_bad"), "bold $primary" if good else "bold $warning")
        lines = [head, Content(""), *(Content(shown(said)) for said in told.outcome.lines)]
        if self.kiosk.given.is_replaced():
            lines.insert(1, Content.styled(words("work_replaced"), "bold"))
        return Content("\n").join(lines)

    @property
    def _can_go_on(self) -> bool:
        told = self._told
        return self._after is not None and told is not None and told.outcome is not None and told.outcome.leads_on

    def hints(self) -> list[Hint]:
        """Go on, where there is something; back."""
        back = Hint("Esc", self.words("key_back"), "screen.back", kept=True)
        return [Hint("y", self.words("work_apply"), "screen.agree"), back] if self._can_go_on else [back]

    def action_agree(self) -> None:
        """Do what was looked at."""
        if self._can_go_on and self._after is not None:
            work, self._after = self._after, None
            self._begin(work)

    def action_back(self) -> None:
        """Back; to the new program where there is one."""
        if self._told is not None and self.kiosk.given.is_replaced():
            self.kiosk.end(Ended.RESTART)
        else:
            self.dismiss(None)


def _tell(kiosk: KioskApp, told: WorkTold) -> None:
    """Called in a thread."""
    kiosk.post_message(told)
