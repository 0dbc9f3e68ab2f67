"""The other screens, language, colours, progress and leaving."""

from __future__ import annotations

import dataclasses
import random
import subprocess
import threading
from functools import partial
from pathlib import Path

import pytest
from textual import events

from kb.answer.runtime import Runtime
from tests.helpers import PATIENCE_S
from tests.tui.conftest import ask, make_runtime, opened, opened_kiosk, screen_text, until
from tui import messages, themes, work
from tui.app import AlmanacApp
from tui.screens.changes import ChangesScreen
from tui.screens.more import ITEMS, MoreScreen
from tui.widgets.bars import Hint, fitting


async def test_every_screen_is_one_key_away_and_escape_returns(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        for key in ("f1", "f2", "f4", "f5", "f6", "f10"):
            await pilot.press(key)
            await until(pilot, lambda: len(app.screen_stack) == 2)
            await pilot.press(key)
            await until(pilot, lambda: len(app.screen_stack) == 2)
            await pilot.press("escape")
            await until(pilot, lambda: len(app.screen_stack) == 1)


def has_acted(app: AlmanacApp, before: tuple[str, str]) -> bool:
    """Whether the item did something."""
    return (app.lang, app.theme) != before or not isinstance(app.screen, MoreScreen)


async def test_the_list_under_f10(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        for item in ITEMS:
            if item.action in ("leave", "ask", "doctor"):
                continue
            before = (app.lang, app.theme)
            await pilot.press("f10", item.key)
            await until(pilot, partial(has_acted, app, before))
            await pilot.press("escape")
            await until(pilot, lambda: len(app.screen_stack) == 1)
        await pilot.press("f10", "f1", "f2", "f10", "a")
        await until(pilot, lambda: app.screen is app.ask_screen() and len(app.screen_stack) == 1)


async def test_the_language_switches_live_and_the_answer_stays(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "氯化钾 公斤")
        assert "quote" in screen_text(app)
        await pilot.press("f9")
        await until(pilot, lambda: "原文" in screen_text(app))
        assert "有效期至" in screen_text(app) and "帮助" in screen_text(app)
        await pilot.press("f9")
        await until(pilot, lambda: "valid to" in screen_text(app))


async def test_themes_turn_and_plain_is_ascii(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "氯化钾 公斤")
        await pilot.press("f8")
        assert app.theme == themes.LIGHT
        await pilot.press("f8")
        assert app.theme == themes.PLAIN
        await until(pilot, lambda: "[1]" in screen_text(app))
        text = screen_text(app)
        assert "●" not in text and "─" not in text and "-----" in text
        for action in ("documents", "more", "help", "changes", "info"):
            await app.run_action(action)
            await until(pilot, lambda: len(app.screen_stack) == 2)
            # What documents say keeps its letters; signs of the interface are ASCII.
            signs = {char for char in screen_text(app) if not char.isascii() and not char.isalnum()}
            assert signs <= set("，。：；、（）“”《》？"), action
            await pilot.press("escape")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "linux"}, {"TERM": "dumb"}, {"TERM": "vt100"}])
def test_plain_where_the_terminal_needs_it(environment: dict[str, str]) -> None:
    assert themes.suited(environment) == themes.PLAIN
    assert themes.suited({"TERM": "xterm-256color"}) == themes.DARK


async def test_the_linux_console_is_plain_and_told_about_its_font(tree: Path, tmp_path: Path) -> None:
    runtime = make_runtime(tree, tmp_path, environment={"TERM": "linux"})
    async with opened(runtime) as (app, _):
        assert app.theme == themes.PLAIN and "fbterm" in screen_text(app)
    runtime.close()


async def test_earlier_questions_show_their_answers_again(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, "氯化钾 公斤")
        await ask(app, pilot, "zebra pancake trombone")
        await pilot.press("f4")
        await until(pilot, lambda: "documents do not say" in screen_text(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.screen is app.ask_screen())
        assert app.ask_screen().exchange is app.session.exchanges[0]
        await until(pilot, lambda: "45-60" in screen_text(app))


async def test_without_history_the_changes_say_so_calmly(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ChangesScreen) and app.screen.trouble)
        await until(pilot, lambda: "history" in screen_text(app))


async def test_changes_are_listed_by_week_and_open_documents(tree: Path, tmp_path: Path) -> None:
    git = ["git", "-C", str(tree), "-c", "user.name=A [/] B", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    try:
        subprocess.run([*git, "init", "-q"], check=True)
    except FileNotFoundError:
        pytest.skip("no git here")
    subprocess.run([*git, "add", "agriculture"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "First [@click=app.quit] one"], check=True)
    runtime = make_runtime(tree, tmp_path)
    async with opened(runtime) as (app, pilot):
        await pilot.press("f5")
        await until(pilot, lambda: "Week" in screen_text(app))
        text = screen_text(app)
        assert "First [@click=app.quit] one" in text and "new" in text
        await pilot.press("enter")
        await until(pilot, lambda: len(app.screen_stack) == 3)
    runtime.close()


async def test_info_names_counts_and_files(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f6")
        await until(pilot, lambda: str(app.documents) in screen_text(app) and "Sections" in screen_text(app))
        assert "docs" in screen_text(app)


async def test_values_hang_beside_their_names_on_a_small_screen(runtime: Runtime) -> None:
    runtime.config = dataclasses.replace(runtime.config, home_note="home " * 30)
    async with opened(runtime, (40, 60)) as (app, pilot):
        await pilot.press("f6")
        await until(pilot, lambda: "Sections" in screen_text(app))
        rows = screen_text(app).split("\n")
        note = next(place for place, row in enumerate(rows) if row.strip().startswith("! home"))
        assert rows[note + 1].index("home") == rows[note].index("home")
        folder = next(place for place, row in enumerate(rows) if "Document folder" in row)
        column = rows[folder].index("/")
        assert rows[folder + 1][:column].isspace() and not rows[folder + 1][column].isspace()


async def test_help_hangs_beside_its_keys(runtime: Runtime) -> None:
    async with opened(runtime, (40, 40)) as (app, pilot):
        await pilot.press("f1")
        await until(pilot, lambda: "stop the answer" in screen_text(app))
        rows = screen_text(app).split("\n")
        slash = next(place for place, row in enumerate(rows) if row.strip().startswith("/  "))
        column = rows[slash].index("search the")
        assert rows[slash + 1][:column].isspace() and not rows[slash + 1][column].isspace()


async def test_progress_tells_what_how_far_and_how_long(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        now = [100.0]
        app.clock = lambda: now[0]
        app.post_message(messages.ProgressMade("embed", 0, 100))
        await until(pilot, lambda: app.pace is not None)
        now[0] = 110.0
        app.post_message(messages.ProgressMade("embed", 25, 100))
        await until(pilot, lambda: "25 %" in screen_text(app))
        assert "Preparing search by meaning" in screen_text(app) and "about 30 s left" in screen_text(app)
        app.post_message(messages.ProgressMade("embed", 100, 100))
        await until(pilot, lambda: "Preparing" not in screen_text(app))


async def test_a_first_reading_leaves_the_screen_alive(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, survey = threading.Event(), work.survey

    def held(runtime: Runtime, post: work.Post) -> None:
        survey(runtime, lambda message: gate.wait(PATIENCE_S) and post(message))

    monkeypatch.setattr(work, "survey", held)
    for number in range(300):
        file = tree / f"bulk/x/y/doc{number}_2025_v1.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"---\ntitle: Bulk {number}\n---\n\n" + f"Paragraph about subject {number}.\n\n" * 40, "utf-8")
    runtime = make_runtime(tree, tmp_path)
    app = AlmanacApp(runtime)
    async with app.run_test() as pilot:
        await pilot.press(*"bulk")
        await pilot.press("f1")
        assert len(app.screen_stack) == 2 and app.documents is None
        gate.set()
        await pilot.press("escape", "enter")
        await until(pilot, lambda: app.documents is not None)
        await until(pilot, lambda: not app.session.exchanges[-1].running)
    runtime.close()


async def test_leaving_returns_zero_and_a_kiosk_cannot_be_left(runtime: Runtime) -> None:
    app = AlmanacApp(runtime)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
    assert app.return_value == 0
    async with opened_kiosk(runtime) as (kiosk, pilot):
        await pilot.press("ctrl+q", "ctrl+c", "ctrl+z", "ctrl+p", "ctrl+d", "escape", "escape", "f10", "q")
        await pilot.pause()
        assert kiosk.is_running and "Quit" not in screen_text(kiosk)


async def test_there_is_no_command_palette(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("ctrl+p")
        assert len(app.screen_stack) == 1


async def test_a_word_of_the_key_line_can_be_clicked(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        line = screen_text(app).split("\n")[-1]
        await pilot.click("#keys", offset=(line.index("F1") + 1, 0))
        await until(pilot, lambda: len(app.screen_stack) == 2)


async def test_no_key_or_click_leaves_a_kiosk_or_breaks_it(runtime: Runtime) -> None:
    named = "up down left right enter escape tab f1 f2 f4 f5 f6 f8 f9 f10 f12"
    keys = f"{named} ctrl+q ctrl+c ctrl+z ctrl+p n o / q 大".split()
    chance = random.Random(7)
    async with opened_kiosk(runtime) as (app, pilot):
        for _ in range(60):
            if chance.random() < 0.8:
                await pilot.press(chance.choice(keys))
            else:
                await pilot.click(offset=(chance.randrange(80), chance.randrange(24)))
            assert app.is_running


async def test_keys_typed_in_a_row_close_a_screen_once(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f10")
        await until(pilot, lambda: isinstance(app.screen, MoreScreen))
        for key in "aaha":
            app.post_message(events.Key(key, key))
        await until(pilot, lambda: app.screen is app.ask_screen())
        await pilot.pause()
        assert app.screen is app.ask_screen() and app.is_running


async def test_an_empty_list_names_no_key_that_needs_an_entry(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.action_earlier()
        await until(pilot, lambda: "No question" in screen_text(app))
        assert "Enter" not in screen_text(app).split("\n")[-1]
        await pilot.press("escape")
        await ask(app, pilot, "氯化钾 公斤")
        app.action_earlier()
        await until(pilot, lambda: "氯化钾 公斤" in screen_text(app))
        assert "Enter" in screen_text(app).split("\n")[-1]


@pytest.mark.parametrize("width", [34, 40, 60, 80])
def test_the_way_to_help_stays_where_few_keys_fit(width: int) -> None:
    hints = [Hint("Enter", "open", "a"), Hint("Esc", "back", "b"), Hint("Tab", "outline, tables", "c")]
    shown = fitting([*hints, Hint("F1", "help", "d", kept=True)], width)
    assert shown[-1].key == "F1" and shown[0].key == "Enter"
    assert sum(hint.size for hint in shown) + 3 * (len(shown) - 1) <= width
    assert len(shown) == 4 or width < 52
