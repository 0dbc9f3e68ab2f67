"""tui.screens.memory and tui.screens.entity: finding things, their pages, what waits for review."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from kb.answer.runtime import Runtime
from kb.memory import review
from kb.memory.client import MemoryClient
from kb.memory.store import MemoryStore
from kb.memory.store_ingest import ingest, tree_jobs
from tests.memory.helpers import MANUAL
from tests.tui.conftest import opened, screen_text, until
from tui.screens.entity import EntityScreen, graph
from tui.screens.memory import MemoryScreen, ReviewScreen
from tui.screens.reader import ReaderScreen
from tui.widgets.question import QuestionInput
from tui.words import Words


@pytest.fixture
def remembered(tree: Path, runtime: Runtime) -> Runtime:
    """A runtime whose home remembers the tree and a manual."""
    (tree / "machinery/manual_2024_v1.md").write_text(MANUAL, "utf-8")
    with MemoryStore(runtime.config.home) as store:
        ingest(store, tree_jobs(tree))
    return runtime


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_from_words_to_a_page_to_the_source(remembered: Runtime, size: tuple[int, int]) -> None:
    async with opened(remembered, size) as (app, pilot):
        await pilot.press("f10")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, MemoryScreen))
        await until(pilot, lambda: app.screen.query_one("#hits", OptionList).option_count > 0)
        app.screen.query_one("#filter", QuestionInput).value = "XM-2000 预热"
        await until(pilot, lambda: "30 分钟" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, EntityScreen) and "XM-2000" in screen_text(app))
        listed = app.screen.query_one("#list", OptionList)
        await until(pilot, lambda: listed.option_count > 3)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen))


async def test_a_neighbour_is_one_key_away(remembered: Runtime) -> None:
    async with opened(remembered, (80, 40)) as (app, pilot):
        app.push_screen(EntityScreen("XM-2000"))
        await until(pilot, lambda: "制造商 → 山东华丰机械有限公司" in screen_text(app))
        screen = app.screen
        assert isinstance(screen, EntityScreen)
        row = next(number for number, target in screen._targets.items() if isinstance(target, str))
        screen.choose(row)
        await until(pilot, lambda: "制造商 ← XM-2000" in screen_text(app))


async def test_what_two_documents_say_alike_is_one_row(tree: Path, remembered: Runtime) -> None:
    older = MANUAL.replace("2024-03-01", "2022-03-01").replace("| 5.5 |", "| 4.5 |")
    (tree / "machinery/manual_2022_v1.md").write_text(older, "utf-8")
    with MemoryStore(remembered.config.home) as store:
        ingest(store, tree_jobs(tree))
    async with opened(remembered, (100, 60)) as (app, pilot):
        app.push_screen(EntityScreen("XM-2000"))
        await until(pilot, lambda: "manual_2024_v1.md (+1)" in screen_text(app))
        shown = screen_text(app)
    assert shown.count("重量: 35 kg") == 1
    assert shown.count("严禁带电操作") == 1
    assert shown.index("5.5 kW") < shown.index("4.5 kW")


async def test_review_by_plus_and_minus(remembered: Runtime) -> None:
    home = remembered.config.home
    client = MemoryClient(MemoryStore(home))
    client.write_memory("XM-2000 好像是红色", "user", 0.9)
    client.write_memory("XM-2000 好像是蓝色", "user", 0.9)
    async with opened(remembered) as (app, pilot):
        app.action_memory_review()
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "红色" in screen_text(app))
        await pilot.press("plus")
        await until(pilot, lambda: "红色" not in screen_text(app))
        await pilot.press("minus")
        await until(pilot, lambda: review.reviews(client.store) == [])
    assert [item.body["fact"] for item in review.reviews(client.store, "accepted")] == ["XM-2000 好像是红色"]
    client.store.close()


async def test_an_empty_memory_and_an_unknown_thing_are_sentences(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.action_memory()
        await until(pilot, lambda: "Memory is empty" in screen_text(app))
        app.push_screen(EntityScreen("[/] \x1b[31mnone"))
        await until(pilot, lambda: "nothing that fits" in screen_text(app))
        assert "\x1b" not in screen_text(app)


def test_the_graph_is_drawn_in_plain_signs_too(remembered: Runtime) -> None:
    with MemoryStore(remembered.config.home) as store:
        view = MemoryClient(store).get_entity("XM-2000")
    assert view is not None
    assert graph(view, Words("en", plain=True), 60)[-1][0].startswith("`-")
    assert all(len(shown) <= 20 for shown, _ in graph(view, Words("en"), 20))


async def test_what_is_judged_is_not_cut(remembered: Runtime) -> None:
    with MemoryStore(remembered.config.home) as store:
        fact = "The XM-2000 of the long hall behind the old mill weighs [b]36 kg[/]"
        MemoryClient(store).write_memory(fact, "desk", 0.5)
    async with opened(remembered, (40, 12)) as (app, pilot):
        app.push_screen(ReviewScreen())
        await until(pilot, lambda: "[b]36 kg[/]" in screen_text(app))
