"""Browsing: names, search as you type, marks, preview."""

from __future__ import annotations

from rich.cells import cell_len
from textual.widgets import Tree

from kb.answer.runtime import Runtime
from tests.tui.conftest import opened, screen_text, until
from tui.catalog import Entry, branches
from tui.screens.browser import BrowserScreen, marked_title
from tui.screens.reader import ReaderScreen
from tui.words import Words


async def test_folders_have_human_names_in_both_languages(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f2")
        await until(pilot, lambda: "Agriculture" in screen_text(app))
        await pilot.press("f9")
        await until(pilot, lambda: "农业" in screen_text(app))


async def test_typing_filters_and_enter_opens(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f2", *"pump")
        await until(pilot, lambda: isinstance(app.screen, BrowserScreen) and app.screen._hits)
        await until(pilot, lambda: "Pump troubleshooting" in screen_text(app))
        await until(pilot, lambda: "12 litres" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and "pump" in app.screen.path)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, BrowserScreen))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.ask_screen())


async def test_documents_that_do_not_answer_are_marked_in_words(runtime: Runtime) -> None:
    async with opened(runtime, (120, 40)) as (app, pilot):
        await pilot.press("f2", *"大豆")
        await until(pilot, lambda: "expired" in screen_text(app))
        text = screen_text(app)
        assert "! not yet valid" in text and "! draft" in text


def test_a_long_title_leaves_room_for_its_mark() -> None:
    entry = Entry("a/b.md", "主要作物病虫草害药剂用量与安全间隔期表", "2024_v1", "zh", "expired")
    shown = marked_title(entry, Words("en"), 30).plain
    assert shown.endswith("…  ! expired") and cell_len(shown) <= 30


async def test_the_tree_is_walked_by_arrows(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f2")
        await until(pilot, lambda: "Agriculture" in screen_text(app))
        for _ in range(8):
            await pilot.press("down", "right")
            await pilot.pause()
            if isinstance(app.screen, BrowserScreen) and "病害防治" in screen_text(app):
                break
        assert "病害防治" in screen_text(app)
        await pilot.press("left", "left", "left")


async def test_nothing_found_is_said(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f2", *"qqqq[/]")
        await until(pilot, lambda: "Nothing found" in screen_text(app) and "qqqq[/]" in screen_text(app))


async def test_the_narrowest_screen_has_no_preview(runtime: Runtime) -> None:
    async with opened(runtime, (40, 12)) as (app, pilot):
        await pilot.press("f2", *"pump")
        await until(pilot, lambda: "Pump" in screen_text(app))
        assert not app.screen.query_one("#look").display


async def test_branches_group_by_folder(runtime: Runtime) -> None:
    async with opened(runtime) as (app, _):
        found = branches(app.catalog)
        assert found[""][0] == ["agriculture", "hostile", "machinery"]
        assert len(found["agriculture/crop/soybean/"][1]) == 4


async def test_it_opens_on_the_first_folder_and_tells_what_lies_in_it(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await pilot.press("f2")
        await until(pilot, lambda: "Pump troubleshooting" not in screen_text(app) and "大豆草稿" in screen_text(app))
        await pilot.press("down")
        await until(
            pilot, lambda: isinstance(app.screen, BrowserScreen) and app.screen.query_one(Tree).cursor_line == 1
        )
