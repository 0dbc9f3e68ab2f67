"""What goes wrong in the background is said once: in the place of what it kept away, else in a line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from kb.answer.runtime import Runtime
from kb.errors import AlmanacError
from kb.kiosk.maintenance import Outcome
from tests.tui.conftest import SOYBEAN, opened, screen_text, until
from tui.background import spawn
from tui.screens.base import AlmanacScreen
from tui.screens.calendar import CalendarScreen
from tui.screens.cards import CardsScreen
from tui.screens.changes import ChangesScreen
from tui.screens.compare import CompareScreen
from tui.screens.doctor import DoctorScreen
from tui.screens.earlier import EarlierScreen
from tui.screens.entity import EntityScreen
from tui.screens.gaps import GapsScreen
from tui.screens.inbox import InboxScreen
from tui.screens.memory import MemoryScreen, ReviewScreen
from tui.screens.metrics import MetricsScreen
from tui.screens.reader import ReaderScreen
from tui.screens.restore import RestoreScreen
from tui.widgets.document import Marks


def broken(*_: object) -> Outcome:
    """Work that cannot be done."""
    raise OSError("the disk is gone")


def broken_job() -> None:
    """As a background job."""
    broken()


WAITING: list[Callable[[], AlmanacScreen]] = [
    CalendarScreen,
    CardsScreen,
    ChangesScreen,
    partial(CompareScreen, SOYBEAN),
    partial(DoctorScreen, broken),
    partial(EntityScreen, "pump"),
    GapsScreen,
    InboxScreen,
    MetricsScreen,
    partial(ReaderScreen, SOYBEAN, [], Marks()),
    RestoreScreen,
    ReviewScreen,
]


def said(screen: AlmanacScreen) -> list[str]:
    """The lines in the corner."""
    return [str(toast.message) for toast in screen.app._notifications]


@pytest.mark.parametrize("make", WAITING)
async def test_what_does_not_come_is_explained_in_its_place(
    runtime: Runtime, make: Callable[[], AlmanacScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        AlmanacScreen, "in_background", lambda screen, job, name: spawn(broken_job, screen.failed, name)
    )
    async with opened(runtime) as (app, pilot):
        screen = make()
        app.push_screen(screen)
        await until(pilot, lambda: "did not work (OSError)" in screen_text(app))
        assert screen.waits and said(screen) == []
        await pilot.press("f9")
        await until(pilot, lambda: app.words.problem(OSError()) in screen_text(app).replace("\n", ""))


async def test_what_a_screen_can_do_without_is_said_in_one_line(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        screen = EarlierScreen()
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen)
        screen.failed(AlmanacError("git_missing"))
        await until(pilot, lambda: said(screen))
        assert said(screen) == [app.words.problem(AlmanacError("git_missing"))]


async def test_a_memory_that_cannot_be_opened_says_so(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.screens.memory.find", broken)
    async with opened(runtime) as (app, pilot):
        app.push_screen(MemoryScreen())
        await until(pilot, lambda: "did not work (OSError)" in screen_text(app))
        assert said(app.ask_screen()) == []
