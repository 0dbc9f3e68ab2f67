"""Questions about changes of the knowledge in the interface, and the screen that they lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.answerer import Policy
from kb.answer.runtime import Runtime
from kb.versions.git import Git
from tests.helpers import git, has_git, raw_controls
from tests.tui.conftest import HOSTILE, SOYBEAN, ask, make_runtime, opened, screen_text, until
from tui.screens.changes import ChangesScreen
from tui.session import Phase
from tui.widgets.choices import Choices

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
QUESTION = "最近更新了哪些大豆知识"
PUMP = "machinery/pump/centrifugal/pump_en_2025_v1.md"


@pytest.fixture
def kept(tree: Path, tmp_path: Path) -> Runtime:
    """A runtime over a repository with two commits, the newer one about the pump."""
    git(tree, "init", "--quiet", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "--quiet", "-m", f"docs(all): {HOSTILE.replace(chr(0), '')}")
    (tree / PUMP).write_text((tree / PUMP).read_text("utf-8") + "\nOil it.\n", "utf-8")
    git(tree, "commit", "--quiet", "-am", "docs(pump): oil")
    runtime = make_runtime(tree, tmp_path, Policy(refuse_below=0.02), lang="zh")
    runtime.history.git = Git.find(None)
    return runtime


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (160, 50)])
async def test_the_documents_that_changed_are_the_answer(kept: Runtime, size: tuple[int, int]) -> None:
    async with opened(kept, size) as (app, pilot):
        await ask(app, pilot, QUESTION)
        exchange = app.session.exchanges[-1]
        assert exchange.phase is Phase.DONE
        assert exchange.changes is not None
        assert SOYBEAN in {item.path for item in exchange.changes.documents}
        assert all("soybean" in item.path for item in exchange.changes.documents)
        shown = screen_text(app)
        assert exchange.changes.headline("zh")[:12].replace(" ", "") in shown.replace(" ", "").replace("\n", "")
        assert "新增" in shown
        assert not raw_controls(shown.replace("\n", ""))
        choices = app.screen.query_one(Choices)
        place = next(i for i, item in enumerate(exchange.changes.documents) if item.path == SOYBEAN)
        choices.focus()
        choices.highlighted = place
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChangesScreen) and app.screen.listed.highlighted)
        assert isinstance(app.screen, ChangesScreen)
        assert app.screen._paths[app.screen.listed.highlighted or 0] == SOYBEAN


async def test_nothing_changed_is_an_answer_too(kept: Runtime) -> None:
    async with opened(kept) as (app, pilot):
        await ask(app, pilot, "2001年更新了哪些知识")
        exchange = app.session.exchanges[-1]
        assert exchange.changes is not None
        assert exchange.changes.documents == ()
        assert "没有更新" in screen_text(app)


async def test_without_a_history_the_documents_are_asked(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        await ask(app, pilot, QUESTION)
        exchange = app.session.exchanges[-1]
        assert exchange.changes is None
        assert exchange.answer is not None


@pytest.mark.parametrize(("size", "theme"), [((80, 24), "dark"), ((40, 12), "plain"), ((120, 40), "large")])
async def test_a_long_commit_message_takes_one_line(kept: Runtime, size: tuple[int, int], theme: str) -> None:
    git(kept.root, "commit", "--quiet", "--allow-empty", "-m", "many " * 60)
    (kept.root / PUMP).write_text("---\ntitle: Pump\n---\n\nOil it twice.\n", "utf-8")
    git(kept.root, "commit", "--quiet", "-am", "word " * 60)
    cut = "~" if theme == "plain" else "…"
    async with opened(kept, size, theme=theme) as (app, pilot):
        app.action_changes()
        await until(pilot, lambda: "word word" in screen_text(app))
        rows = [row for row in screen_text(app).split("\n") if "word" in row]
        assert len(rows) == 1
        assert rows[0].rstrip(" ▁▂▃▄▅▆▇█▔#").endswith(cut)
        assert "many" not in screen_text(app), "a commit that changed no document is nothing to read"
