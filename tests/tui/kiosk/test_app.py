"""The kiosk's application: starting over by a clock that the test moves, what is closed, PIN and maintenance."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from kb.answer.runtime import Runtime
from kb.kiosk import pin as pin_module
from kb.kiosk.maintenance import Maintenance, Outcome
from kb.kiosk.pin import Pin
from tests.tui.conftest import ask, opened_kiosk, screen_text, until
from tui.kiosk.app import Ended, Kiosk, KioskApp
from tui.kiosk.attract import AttractScreen, Example
from tui.kiosk.big import big
from tui.kiosk.maintenance import MaintenanceScreen, ResultScreen
from tui.kiosk.pin import PinScreen
from tui.kiosk.running import pause
from tui.screens.reader import ReaderScreen
from tui.widgets.choices import Choices
from tui.widgets.question import QuestionInput

QUESTION = "鼓粒初期 每公顷 追施 氯化钾 公斤"


class Clock:
    """Seconds that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The PIN's hash at a cost that tests can pay."""
    monkeypatch.setattr(pin_module, "_COST", {"n": 16, "r": 8, "p": 1})


def pointer(app: KioskApp, kind: type[events.MouseEvent], x: int, y: int) -> None:
    """The terminal reports the pointer, as the driver passes it on (the pilot goes past the application)."""
    app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))


async def wait_out(app: KioskApp, pilot: Pilot[int], clock: Clock, seconds: float) -> None:
    """Let `seconds` pass on the kiosk's clock, then let it look."""
    clock.now += seconds
    app._look()
    await pilot.pause()


async def test_when_nobody_is_there_everything_of_the_last_one_is_gone(runtime: Runtime) -> None:
    clock = Clock()
    async with opened_kiosk(runtime) as (app, pilot):
        app.clock = clock
        app._touched = clock()
        await ask(app, pilot, QUESTION)
        number = app.session.exchanges[-1].number
        await pilot.press("tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and app.screen.page)
        await pilot.press("f9", "f8")
        app._clipboard = "copied"
        await wait_out(app, pilot, clock, 119.0)
        assert isinstance(app.screen, ReaderScreen) and "还在吗" in screen_text(app)
        await pilot.press("down")
        await wait_out(app, pilot, clock, 119.0)
        assert isinstance(app.screen, ReaderScreen)
        await wait_out(app, pilot, clock, 2.0)
        await until(pilot, lambda: isinstance(app.screen, AttractScreen))
        assert app.session.exchanges == [] and app.session.resolved() == ()
        assert (app.lang, app.theme, app.clipboard) == ("en", "large", "")
        await pilot.press("x")
        await until(pilot, lambda: app.screen is app.ask_screen())
        assert app.screen.query_one(QuestionInput).value == "x"
        assert "氯化钾" not in screen_text(app) and app.ask_screen().exchange is None
        assert app.session.begin("next").number == number + 1


async def test_news_of_a_forgotten_question_goes_nowhere(runtime: Runtime) -> None:
    async with opened_kiosk(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        answer = app.session.exchanges[-1].answer
        assert answer is not None
        app.start_over()
        assert app.session.finished(0, answer) is None
        assert app.session.evidence(0, answer.evidence) is None
        await pilot.press("f10")
        await pilot.pause()
        assert "氯化钾" not in screen_text(app)


async def test_the_attract_screen_shows_questions_and_any_input_leads_on(runtime: Runtime) -> None:
    async with opened_kiosk(runtime, asking=False) as (app, pilot):
        await until(
            pilot, lambda: isinstance(app.screen, AttractScreen) and "How is a pump primed?" in screen_text(app)
        )
        assert "Touch the screen" in screen_text(app)
        for key in ("f10", "escape", "ctrl+q", "enter", "space"):
            await pilot.press(key)
            assert app.screen is app.ask_screen() and app.screen.query_one(QuestionInput).value == ""
            app.start_over()
            await until(pilot, lambda: isinstance(app.screen, AttractScreen))
        app.post_message(events.Paste("pasted"))
        await until(pilot, lambda: app.screen is app.ask_screen())
        app.start_over()
        await until(pilot, lambda: isinstance(app.screen, AttractScreen))
        pointer(app, events.MouseDown, 1, 23)
        pointer(app, events.MouseUp, 1, 23)
        await until(pilot, lambda: app.screen is app.ask_screen())
        assert app.session.exchanges == []


async def test_a_question_that_is_touched_is_asked(runtime: Runtime) -> None:
    async with opened_kiosk(runtime, asking=False) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, AttractScreen) and "primed" in screen_text(app))
        place = app.screen.query(Example).first().region
        pointer(app, events.MouseDown, place.x + place.width // 2, place.y + 1)
        await until(pilot, lambda: app.session.exchanges)
        assert app.session.exchanges[0].question == "How is a pump primed?"


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (120, 40), (20, 6)])
async def test_starters_by_number_by_arrow_and_by_mouse(runtime: Runtime, size: tuple[int, int]) -> None:
    for way in ("number", "arrow", "mouse"):
        async with opened_kiosk(runtime, size) as (app, pilot):
            choices = app.screen.query_one(Choices)
            await until(pilot, lambda choices=choices: choices.choices)  # type: ignore[misc]
            if way == "number":
                await pilot.press("1")
                await until(pilot, lambda choices=choices: choices.highlighted == 0)  # type: ignore[misc]
                await pilot.press("enter")
            elif way == "arrow":
                await pilot.press("down", "enter")
            else:
                await pilot.click(Choices, offset=(8, 0))
            await until(pilot, lambda app=app: app.session.exchanges)  # type: ignore[misc]
            assert app.session.exchanges[0].question == "How is a pump primed?"


async def test_a_number_in_a_question_is_part_of_it(runtime: Runtime) -> None:
    async with opened_kiosk(runtime) as (app, pilot):
        await until(pilot, lambda: app.screen.query_one(Choices).choices)
        await pilot.press("1", "comma", "2", "enter")
        await until(pilot, lambda: app.session.exchanges)
        assert app.session.exchanges[0].question == "1,2"


async def test_nothing_is_judged_noted_or_promised(runtime: Runtime) -> None:
    from dataclasses import replace

    private = Runtime(replace(runtime.config, keep_answers=False), runtime._policy)
    async with opened_kiosk(private) as (app, pilot):
        await ask(app, pilot, QUESTION)
        await pilot.press("tab", "+", "-")
        await until(pilot, lambda: app.focused is not None)
        await ask(app, pilot, "zebra pancake trombone")
        assert "not kept" in screen_text(app) and "noted for the owners" not in screen_text(app)
    private.close()
    assert not Path(runtime.config.home / "people" / "answers.db").exists()
    assert not Path(runtime.config.home / "people" / "ledger.db").exists()


async def test_what_is_closed_stays_closed_also_from_a_program(runtime: Runtime) -> None:
    async with opened_kiosk(runtime) as (app, pilot):
        for action in ("leave", "quit", "restore", "inbox", "memory_review", "suspend_process", "command_palette"):
            await app.run_action(f"app.{action}")
            await pilot.pause()
            assert app.screen is app.ask_screen() and app.is_running
        app.action_leave()
        app.open_url("http://example.org/")
        app.copy_to_clipboard("x")
        assert app.clipboard == "" and app.deliver_text(__file__) is None
        await pilot.pause()
        assert app.is_running and app.ended is None


async def test_the_interface_calls_the_heartbeat(runtime: Runtime) -> None:
    beats: list[int] = []
    given = Kiosk(Pin(runtime.config.home), heartbeat=lambda: beats.append(1))
    async with opened_kiosk(runtime, given=given) as (_, pilot):
        await until(pilot, lambda: len(beats) >= 2)


# -- PIN and maintenance -----------------------------------------------------------------------------------------


def with_pin(runtime: Runtime, **works: object) -> Kiosk:
    """A kiosk with a PIN, and works that a test gives."""
    pin = Pin(runtime.config.home)
    pin.set("83561")
    return Kiosk(pin, maintenance=Maintenance(**works))  # type: ignore[arg-type]


async def test_without_a_pin_the_screen_says_how_to_set_one(runtime: Runtime) -> None:
    async with opened_kiosk(runtime) as (app, pilot):
        await pilot.press("f12", "1", "2", "3", "4", "enter")
        assert isinstance(app.screen, PinScreen) and "almanac kiosk pin" in screen_text(app)
        await pilot.press("f12", "escape")
        await until(pilot, lambda: app.screen is app.ask_screen())


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_the_pin_by_keys_and_by_touch(runtime: Runtime, size: tuple[int, int]) -> None:
    async with opened_kiosk(runtime, size, with_pin(runtime)) as (app, pilot):
        await pilot.press("f12", *"83562", "enter")
        await until(pilot, lambda: "not the PIN" in screen_text(app))
        assert "83562" not in screen_text(app)
        pad = app.screen.query_one("#keypad")
        high = pad.size.height // 4
        for key in "83561>":
            row = next(row for row, keys in enumerate(("123", "456", "789", "<0>")) if key in keys)
            column = ("123", "456", "789", "<0>")[row].index(key)
            await pilot.click(pad, offset=(column * 9 + 4, row * high))
        await until(pilot, lambda: isinstance(app.screen, MaintenanceScreen))
        await pilot.press("escape")
        assert app.screen is app.ask_screen() and app.ended is None


async def test_wrong_tries_have_to_wait(runtime: Runtime) -> None:
    async with opened_kiosk(runtime, given=with_pin(runtime)) as (app, pilot):
        await pilot.press("f12")
        for _ in range(3):
            await pilot.press("0", "enter")
            await until(pilot, lambda: not app.screen._checking)  # type: ignore[attr-defined]
        await until(pilot, lambda: "Too many wrong tries" in screen_text(app))
        await pilot.press(*"83561", "enter")
        assert isinstance(app.screen, PinScreen)


async def test_the_held_corner_asks_for_the_pin(runtime: Runtime) -> None:
    clock = Clock()
    for asking in (False, True):
        async with opened_kiosk(runtime, given=with_pin(runtime), asking=asking) as (app, pilot):
            app.clock = clock
            for held, opens in ((1.0, False), (3.0, True)):
                pointer(app, events.MouseDown, 78, 0)
                await pilot.pause()
                clock.now += held
                pointer(app, events.MouseUp, 78, 0)
                await pilot.pause()
                assert isinstance(app.screen, PinScreen) is opens


async def enter(app: KioskApp, pilot: Pilot[int]) -> None:
    """Open the maintenance screen."""
    await pilot.press("f12", *"83561", "enter")
    await until(pilot, lambda: isinstance(app.screen, MaintenanceScreen))


async def test_works_are_shown_with_what_they_say(runtime: Runtime) -> None:
    asked: list[str] = []

    def good(lang: str) -> Outcome:
        asked.append(lang)
        return Outcome(("saved \x1b[31m[/]",), True)

    def bad(lang: str) -> Outcome:
        raise RuntimeError("no")

    given = with_pin(runtime, look_for_update=good, update=good, back_up=good, examine=bad)
    async with opened_kiosk(runtime, given=given) as (app, pilot):
        await enter(app, pilot)
        await pilot.press("2")
        await until(pilot, lambda: "Done." in screen_text(app))
        assert "saved ␛[31m[/]" in screen_text(app)
        await pilot.press("y", "escape", "3")
        await until(pilot, lambda: "That did not go well" in screen_text(app))
        await pilot.press("escape", "1")
        await until(pilot, lambda: "Put this update in place" in screen_text(app))
        assert asked == ["en", "en"]
        await pilot.press("y")
        await until(pilot, lambda: asked == ["en", "en", "en"] and "Done." in screen_text(app))
        assert "Put this update" not in screen_text(app) and app.working == 0


async def test_what_nobody_gave_is_not_offered(runtime: Runtime) -> None:
    async with opened_kiosk(runtime, given=with_pin(runtime)) as (app, pilot):
        await enter(app, pilot)
        shown = screen_text(app)
        assert "Update" not in shown and "Back up" not in shown and "End the kiosk" in shown
        assert len(fields(Maintenance)) == 5


async def test_an_update_is_offered_only_when_there_is_one(runtime: Runtime) -> None:
    def nothing(lang: str) -> Outcome:
        return Outcome(("nothing newer",), True, leads_on=False)

    given = with_pin(runtime, look_for_update=nothing, update=nothing)
    async with opened_kiosk(runtime, given=given) as (app, pilot):
        await enter(app, pilot)
        await pilot.press("1")
        await until(pilot, lambda: "nothing newer" in screen_text(app))
        assert "Put this update in place" not in screen_text(app)


async def test_taking_an_update_back_is_asked_first(runtime: Runtime) -> None:
    done: list[str] = []

    def back(lang: str) -> Outcome:
        done.append(lang)
        return Outcome(("taken back",), True)

    async with opened_kiosk(runtime, given=with_pin(runtime, undo_update=back)) as (app, pilot):
        await enter(app, pilot)
        await pilot.press("1", "escape")
        assert done == [] and isinstance(app.screen, MaintenanceScreen)
        await pilot.press("1", "y")
        await until(pilot, lambda: "taken back" in screen_text(app))
        assert done == ["en"]


async def test_a_newer_program_starts_when_its_update_was_read(runtime: Runtime) -> None:
    replaced: list[bool] = []

    def update(lang: str) -> Outcome:
        replaced.append(True)
        return Outcome(("in place",), True)

    given = replace(with_pin(runtime, back_up=update), is_replaced=lambda: bool(replaced))
    async with opened_kiosk(runtime, given=given) as (app, pilot):
        await enter(app, pilot)
        await pilot.press("1")
        await until(pilot, lambda: "starts as soon as you go back" in screen_text(app))
        assert app.ended is None
        await pilot.press("escape")
        assert app.ended is Ended.RESTART


async def test_a_newer_program_from_elsewhere_waits_until_nobody_is_there(runtime: Runtime) -> None:
    replaced: list[bool] = []
    given = replace(with_pin(runtime), is_replaced=lambda: bool(replaced))
    clock = Clock()
    async with opened_kiosk(runtime, given=given) as (app, pilot):
        app.clock = clock
        app._touched = clock()
        replaced.append(True)
        await wait_out(app, pilot, clock, 60.0)
        assert app.ended is None
        await wait_out(app, pilot, clock, 121.0)
        await until(pilot, lambda: app.ended is Ended.RESTART)


@pytest.mark.parametrize(("key", "how"), [("1", Ended.RESTART), ("2", Ended.LEFT)])
async def test_the_only_way_out_is_asked_twice(runtime: Runtime, key: str, how: Ended) -> None:
    async with opened_kiosk(runtime, given=with_pin(runtime)) as (app, pilot):
        await enter(app, pilot)
        await pilot.press("y")
        await pilot.press(key, "escape", "y")
        assert app.ended is None
        await pilot.press(key, "y")
        assert app.ended is how


async def test_maintenance_is_left_when_nobody_is_there_but_not_while_it_works(runtime: Runtime) -> None:
    import threading

    gate = threading.Event()

    def slow(lang: str) -> Outcome:
        gate.wait(30)
        return Outcome((), True)

    clock = Clock()
    async with opened_kiosk(runtime, given=with_pin(runtime, back_up=slow)) as (app, pilot):
        app.clock = clock
        app._touched = clock()
        await enter(app, pilot)
        await pilot.press("1")
        await wait_out(app, pilot, clock, 500.0)
        assert isinstance(app.screen, ResultScreen)
        gate.set()
        await until(pilot, lambda: app.working == 0)
        await wait_out(app, pilot, clock, 121.0)
        await until(pilot, lambda: isinstance(app.screen, AttractScreen))


# -- parts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [36, 50, 76, 120])
def test_big_letters_fit(width: int) -> None:
    for tall in (False, True):
        rows = big("almanac", width, tall=tall)
        assert {len(row) for row in rows} == {len(rows[0])} and len(rows[0]) <= width
        assert len(rows) == (5 if tall and width >= 80 else 3)


def test_a_row_of_errors_waits_longer_and_longer() -> None:
    assert [pause(row) for row in (0, 1, 2, 3, 4, 50)] == [0.0, 0.0, 1.0, 2.0, 4.0, 30.0]
