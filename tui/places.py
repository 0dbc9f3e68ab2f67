"""The screens that are one key away: each is imported when it is first opened."""

from __future__ import annotations

from kb.kiosk.maintenance import Work
from tui.room import RoomyApp
from tui.screens.base import AlmanacScreen


class Places(RoomyApp, inherit_bindings=False):
    """Moving between screens."""

    examine: Work | None

    def bring_forward(self, screen: AlmanacScreen) -> None:
        """Push `screen`; one of its kind that is open already is closed with what lies over it."""
        kinds = [type(open_screen) for open_screen in self.screen_stack]
        if type(screen) in kinds[1:]:
            for _ in range(len(kinds) - kinds.index(type(screen), 1)):
                self.pop_screen()
        self.push_screen(screen)

    def action_documents(self) -> None:
        """The document browser."""
        from tui.screens.browser import BrowserScreen

        self.bring_forward(BrowserScreen())

    def action_help(self) -> None:
        """Help."""
        from tui.screens.help import HelpScreen

        self.bring_forward(HelpScreen())

    def action_more(self) -> None:
        """Everything else, one key away."""
        from tui.screens.more import MoreScreen

        self.bring_forward(MoreScreen())

    def action_earlier(self) -> None:
        """Earlier questions."""
        from tui.screens.earlier import EarlierScreen

        self.bring_forward(EarlierScreen())

    def action_agent(self) -> None:
        """Diagnosis with tools."""
        from tui.screens.agent import AgentScreen

        self.bring_forward(AgentScreen())

    def action_changes(self, path: str = "") -> None:
        """What changed in the knowledge, opened at the latest change of the document `path`."""
        from tui.screens.changes import ChangesScreen

        self.bring_forward(ChangesScreen(path))

    def action_inbox(self) -> None:
        """What waits for owners."""
        from tui.screens.inbox import InboxScreen

        self.bring_forward(InboxScreen())

    def action_metrics(self) -> None:
        """How well the supply of knowledge works."""
        from tui.screens.metrics import MetricsScreen

        self.bring_forward(MetricsScreen())

    def action_gaps(self) -> None:
        """What the documents do not answer."""
        from tui.screens.gaps import GapsScreen

        self.bring_forward(GapsScreen())

    def action_cards(self) -> None:
        """Knowledge cards."""
        from tui.screens.cards import CardsScreen

        self.bring_forward(CardsScreen())

    def action_doctor(self) -> None:
        """How the parts of this Almanac are; nothing where nobody gave what looks."""
        from tui.screens.doctor import DoctorScreen

        if self.examine is not None:
            self.bring_forward(DoctorScreen(self.examine))

    def action_info(self) -> None:
        """What this Almanac consists of."""
        from tui.screens.info import InfoScreen

        self.bring_forward(InfoScreen())

    def action_calendar(self) -> None:
        """When documents cease to be valid."""
        from tui.screens.calendar import CalendarScreen

        self.bring_forward(CalendarScreen())

    def action_restore(self) -> None:
        """Backups, and bringing one back."""
        from tui.screens.restore import RestoreScreen

        self.bring_forward(RestoreScreen())

    def action_memory(self) -> None:
        """What the documents say of each thing."""
        from tui.screens.memory import MemoryScreen

        self.bring_forward(MemoryScreen())

    def action_memory_review(self) -> None:
        """What waits for a person."""
        from tui.screens.memory import ReviewScreen

        self.bring_forward(ReviewScreen())
