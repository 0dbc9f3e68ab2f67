"""tui.room: terminals too small for anything, at the start and on the way."""

from __future__ import annotations

import pytest
from textual.geometry import Size

from kb.answer.runtime import Runtime
from tests.tui.conftest import ask, opened, opened_kiosk, screen_text
from tui.room import SMALLEST, roomy

TINY = ((1, 1), (1, 24), (2, 10), (3, 24), (80, 1), (5, 5), (7, 3), (9, 24), (12, 12))
KEYS = ("down", "tab", "x", "pagedown", "end", "backspace")


@pytest.mark.parametrize(
    ("given", "laid_out"),
    [((80, 24), (80, 24)), ((3, 24), (SMALLEST.width, 24)), ((200, 1), (200, SMALLEST.height)), ((0, 0), SMALLEST)],
)
def test_less_than_the_smallest_is_never_laid_out(given: tuple[int, int], laid_out: tuple[int, int]) -> None:
    assert roomy(Size(*given)) == Size(*laid_out)


@pytest.mark.parametrize("key", ["", "f1", "f2", "f4", "f5", "f6", "f10"])
async def test_every_screen_bears_a_tiny_terminal_and_comes_back(runtime: Runtime, key: str) -> None:
    async with opened(runtime) as (app, pilot):
        if key:
            await pilot.press(key)
        else:
            await ask(app, pilot, "氯化钾 公斤")
        before = type(app.screen)
        for size in TINY:
            await pilot.resize_terminal(*size)
            assert app.screen.size == roomy(Size(*size))
            await pilot.press(*KEYS)
        await pilot.resize_terminal(80, 24)
        assert app.is_running and type(app.screen) is before
        assert app.screen.size == Size(80, 24)
        assert len(screen_text(app).splitlines()[0]) == 80


@pytest.mark.parametrize("asking", [True, False])
async def test_a_kiosk_bears_it_too(runtime: Runtime, asking: bool) -> None:
    async with opened_kiosk(runtime, asking=asking) as (app, pilot):
        for size in TINY:
            await pilot.resize_terminal(*size)
        await pilot.press("f12", *KEYS)
        assert app.is_running


async def test_a_start_in_a_tiny_terminal(runtime: Runtime) -> None:
    async with opened(runtime, (2, 1)) as (app, pilot):
        assert app.screen.size == SMALLEST
        await pilot.resize_terminal(80, 24)
        assert app.screen.size == Size(80, 24)
