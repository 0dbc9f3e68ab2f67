"""Nothing from a document, file name or error reaches the terminal as a control sequence, or acts as markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from textual.pilot import Pilot

from kb.answer.runtime import Runtime
from tests.tui.conftest import ask, opened, screen_text, until
from tests.tui.test_reader import read
from tui.app import AlmanacApp
from tui.widgets.bars import KeyLine
from tui.widgets.question import QuestionInput

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
EVIL = "hostile/text/evil_2025_v1.md"


def actions(app: AlmanacApp) -> Iterator[object]:
    """Everything on the screen that would act when clicked."""
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if segment.style is not None:
                yield from (key for key in segment.style.meta if key.startswith("@"))


async def check(app: AlmanacApp, pilot: Pilot[int]) -> None:
    await pilot.pause()
    assert not CONTROL.search(screen_text(app).replace("\n", ""))
    assert not list(actions(app))
    assert app.is_running


@pytest.mark.parametrize("theme", ["dark", "plain"])
async def test_a_hostile_document_is_shown_as_plain_characters(runtime: Runtime, theme: str) -> None:
    async with opened(runtime, (120, 40), theme=theme) as (app, pilot):
        await read(app, pilot, EVIL)
        await check(app, pilot)
        text = screen_text(app)
        assert "[pH=5.5/6]" in text and "[@click=app.quit]" in text and "␛" in text
        for x, y in ((10, 6), (30, 8), (40, 12), (60, 16)):
            await pilot.click(offset=(x, y))
        await check(app, pilot)
        await pilot.press("slash", *"[/]", "enter")
        await check(app, pilot)


async def test_hostile_answers_and_questions(runtime: Runtime) -> None:
    async with opened(runtime, (100, 30)) as (app, pilot):
        await ask(app, pilot, "数值[pH=5.5/6]正常 [/] [@click=app.quit]")
        await check(app, pilot)
        await pilot.press("tab")
        await check(app, pilot)
        await pilot.press("f4")
        await check(app, pilot)


async def test_hostile_names_in_the_browser(runtime: Runtime) -> None:
    async with opened(runtime, (120, 40)) as (app, pilot):
        await pilot.press("f2")
        for word in ("文件名", "恶意", "[/]", "bold [1]"):
            app.screen.query_one("#filter", QuestionInput).value = word
            await until(pilot, lambda word=word: app.screen._typed == word)  # type: ignore[attr-defined,misc]
            await check(app, pilot)
        app.screen.query_one("#filter", QuestionInput).value = ""
        await pilot.press(*["down", "right"] * 8)
        await check(app, pilot)


async def test_hostile_errors(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.open_document("x/[/]\x1b]0;pwn\x07.md")
        await until(pilot, lambda: "There is no document" in screen_text(app))
        await check(app, pilot)
        app.say_trouble(ValueError("[bold [1] \x1b[31m"))
        await check(app, pilot)


async def test_wide_characters_never_break_a_line(runtime: Runtime) -> None:
    from rich.cells import cell_len

    for size in ((40, 12), (41, 13), (63, 20), (101, 30)):
        async with opened(runtime, size) as (app, pilot):
            await ask(app, pilot, "氯化钾 公斤")
            await pilot.press("tab")
            await pilot.pause()
            for row in screen_text(app).split("\n"):
                assert cell_len(row) == size[0]
            assert app.screen.query_one(KeyLine).region.bottom == size[1]
