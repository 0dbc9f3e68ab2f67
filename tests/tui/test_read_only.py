"""A second copy on the same home: it says so, asks and reads, and offers nothing that changes what people keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.answerer import Policy
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.db import PeopleData, people_path
from tests.tui.conftest import ask, opened, screen_text, until
from tui.screens.more import MoreScreen


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_what_is_offered(tree: Path, tmp_path: Path, read_only: bool, size: tuple[int, int]) -> None:
    config = Config(home=tmp_path / "home", knowledge=tree, lang="en", read_only=read_only, keep_answers=not read_only)
    runtime = Runtime(config, Policy(refuse_below=0.02))
    try:
        async with opened(runtime, size) as (app, pilot):
            assert ("Another copy" in screen_text(app)) == read_only
            app.clear_notifications()
            if size[0] >= 80:
                assert ("read only" in screen_text(app)) == read_only
            await ask(app, pilot, "R5 期追肥多少")
            assert "45-60" in screen_text(app)
            await pilot.press("tab")
            screen = app.ask_screen()
            assert bool(screen._judging_hints()) != read_only
            screen.action_judge(True)
            await pilot.press("f10")
            await until(pilot, lambda: isinstance(app.screen, MoreScreen))
            assert isinstance(app.screen, MoreScreen)
            actions = {item.action for item in app.screen.items}
            assert actions.isdisjoint({"restore", "inbox", "memory_review"}) == read_only
            assert "leave" in actions
            if not read_only:
                await until(pilot, people_path(config.home, PeopleData.LEDGER).is_file)
        assert people_path(config.home, PeopleData.LEDGER).is_file() != read_only, "the judgement"
        assert people_path(config.home, PeopleData.ANSWERS).is_file() != read_only, "the answer"
    finally:
        runtime.close()
