"""tui.screens.inbox and tui.screens.metrics over a real repository and ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.runtime import Runtime
from kb.supply.feedback import record_feedback
from kb.supply.ledger import Ledger
from tests.helpers import git
from tests.supply.card_helpers import PATH, card_text, repository
from tests.tui.conftest import make_runtime, opened, screen_text, until
from tui.screens.inbox import InboxScreen
from tui.screens.metrics import MetricsScreen

pytestmark = pytest.mark.slow
HOSTILE = "滤网是干净的 [/] [@click=app.quit] \x1b]0;pwn\x07"


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    root = repository(tmp_path / "知识", **{"pump-e07-reset": card_text(valid_until="2199-12-31")})
    made = make_runtime(root, tmp_path, environment={"PATH": "/usr/bin:/bin"})
    with Ledger(made.config.home) as ledger:
        record_feedback(ledger, ["pump-e07-reset"], False, note=HOSTILE)
    yield made
    made.close()


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_what_waits_is_shown_and_renewed_by_a_key(runtime: Runtime, size: tuple[int, int]) -> None:
    async with opened(runtime, size) as (app, pilot):
        app.action_inbox()
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and bool(app.screen._rows))
        shown = screen_text(app)
        assert "E-07" in shown
        assert "\x1b" not in shown
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and app.screen._waiting == ())
        await until(pilot, lambda: "Nothing waits" in screen_text(app))
    assert "renew pump-e07-reset" in git(runtime.root, "log", "-1", "--format=%s")


async def test_archiving_and_opening_the_evidence(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.action_inbox()
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and bool(app.screen._rows))
        await pilot.press("enter")
        await until(pilot, lambda: len(app.screen_stack) == 3)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, InboxScreen) and app.screen._waiting == ())
    assert "status: archived" in (runtime.root / PATH).read_text("utf-8")


async def test_the_figures_with_their_definitions_in_both_languages(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.action_metrics()
        await until(pilot, lambda: "Injection hit rate" in screen_text(app))
        assert "of the tasks that asked" in screen_text(app)
        await pilot.press("f9")
        await until(pilot, lambda: "注入命中率" in screen_text(app))
        assert isinstance(app.screen, MetricsScreen)
