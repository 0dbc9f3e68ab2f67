"""Screens for owners: questions without an answer, knowledge cards, the state of program and machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import OptionList

from kb.answer.runtime import Runtime
from kb.kiosk.maintenance import Outcome
from tests.supply.card_helpers import card_text
from tests.tui.conftest import SOYBEAN, make_runtime, opened, opened_app, opened_kiosk, screen_text, until
from tui.app import AlmanacApp
from tui.screens.cards import CardScreen, CardsScreen
from tui.screens.doctor import DoctorScreen
from tui.screens.gaps import GapsScreen
from tui.screens.more import MoreScreen
from tui.screens.reader import ReaderScreen
from tui.widgets.question import QuestionInput

HOSTILE = "zebra [/] pancake \x1b]0;x\x07 trombone"


@pytest.fixture
def kept(tree: Path, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime that refuses as it is shipped and keeps what it refused."""
    made = make_runtime(tree, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_a_question_without_an_answer_is_listed_and_asked_again(kept: Runtime, size: tuple[int, int]) -> None:
    for _ in range(2):
        assert kept.answerer.ask(HOSTILE).refused
    async with opened(kept, size) as (app, pilot):
        await pilot.press("f10", "g")
        await until(pilot, lambda: isinstance(app.screen, GapsScreen) and "2x" in screen_text(app))
        assert "\x1b" not in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.ask_screen() and bool(app.session.exchanges))
        await until(pilot, lambda: not app.session.exchanges[-1].running)
        assert "zebra" in app.session.exchanges[-1].question
        assert app.screen.query_one(QuestionInput).has_focus


async def test_nothing_without_an_answer_is_said(kept: Runtime) -> None:
    async with opened(kept) as (app, pilot):
        app.action_gaps()
        await until(pilot, lambda: "No question that was kept" in screen_text(app))


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_a_card_is_read_and_its_document_opened(runtime: Runtime, size: tuple[int, int]) -> None:
    file = runtime.root / "cards/machinery/pump-e07-reset.yaml"
    file.parent.mkdir(parents=True)
    text = card_text(title="E-07 [/] 停机").replace(
        "machinery/pump/controller/fault_codes_2025_v1.md", f"{SOYBEAN}#top"
    )
    file.write_text(text, "utf-8")
    async with opened(runtime, size) as (app, pilot):
        await pilot.press("f10", "k")
        await until(pilot, lambda: isinstance(app.screen, CardsScreen) and "E-07 [/]" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, CardScreen))
        await until(pilot, lambda: app.screen.query_one("#list", OptionList).highlighted is not None)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and app.screen.path == SOYBEAN)


FINDINGS = ("  Program       almanac 1", "! Backup        none", "                -> almanac backup /media/stick")


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_the_state_of_the_machine_is_shown_with_its_remedies(runtime: Runtime, size: tuple[int, int]) -> None:
    asked: list[str] = []

    def examine(lang: str) -> Outcome:
        asked.append(lang)
        return Outcome(FINDINGS, good=False)

    async with opened_app(AlmanacApp(runtime, examine=examine), size) as (app, pilot):
        await pilot.press("f10", "s")
        await until(pilot, lambda: isinstance(app.screen, DoctorScreen) and "-> almanac" in screen_text(app))
        rows = [row.strip() for row in screen_text(app).split("\n")]
        assert any(row.startswith("Something is wrong") for row in rows)
        assert any(row.startswith("! Backup") for row in rows)
        assert any(row.startswith("-> almanac backup") for row in rows)
        assert asked == ["en"]


async def test_an_examination_that_cannot_be_made_says_why(runtime: Runtime) -> None:
    def examine(lang: str) -> Outcome:
        raise OSError("no such program")

    async with opened_app(AlmanacApp(runtime, examine=examine), (80, 24)) as (app, pilot):
        app.action_doctor()
        await until(pilot, lambda: "did not work (OSError)" in screen_text(app))


async def test_a_kiosk_tells_nobody_what_others_asked(runtime: Runtime) -> None:
    async with opened_kiosk(runtime) as (app, pilot):
        await pilot.press("f10")
        await until(pilot, lambda: isinstance(app.screen, MoreScreen))
        assert isinstance(app.screen, MoreScreen)
        shown = {item.action for item in app.screen.items}
        assert not shown & {"gaps", "doctor", "leave", "restore"} and "cards" in shown
