"""Diagnosis: steps as they happen, a report whose sources open, stopping, every size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from kb.answer.agent.values import Ended
from kb.answer.runtime import Runtime
from tests.answer.agent.conftest import copy_desk
from tests.helpers import raw_controls, write
from tests.tui.conftest import make_runtime, opened, screen_text, until
from tui.app import AlmanacApp
from tui.screens.agent import AgentScreen
from tui.screens.reader import ReaderScreen
from tui.widgets.choices import Choices
from tui.widgets.question import QuestionInput


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """The service desk that ships."""
    root = tmp_path / "desk"
    root.mkdir()
    return copy_desk(root)


@pytest.fixture
def desk_runtime(desk: Path, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime over it, without models."""
    made = make_runtime(desk, tmp_path, lang="zh")
    yield made
    made.close()


async def diagnose(app: AlmanacApp, pilot: Pilot[int], question: str) -> None:
    """Open the screen and look `question` up to the end."""
    await begin(app, pilot, question)
    await until(pilot, lambda: app.diagnoses.current is not None and not app.diagnoses.current.running)


async def begin(app: AlmanacApp, pilot: Pilot[int], question: str) -> None:
    await pilot.press("f10", "t")
    await until(pilot, lambda: isinstance(app.screen, AgentScreen))
    app.screen.query_one(QuestionInput).value = question
    await pilot.press("enter")
    await until(pilot, lambda: app.diagnoses.current is not None)


async def test_the_steps_then_the_report_then_its_source(desk_runtime: Runtime) -> None:
    async with opened(desk_runtime) as (app, pilot):
        await diagnose(app, pilot, "订单123为什么支付失败")
        await until(pilot, lambda: "网关在 10 s 内未收到银行应答¹" in screen_text(app))
        assert "先查单，确认未扣款再重试¹" in screen_text(app)
        app.screen.query_one("#answer", VerticalScroll).scroll_home(animate=False)
        await until(pilot, lambda: 'order_status(order_id="123")' in screen_text(app))
        assert "看到订单 123（问题）" in screen_text(app)
        await pilot.press("tab")
        await until(pilot, lambda: app.screen.focused is app.screen.query_one(Choices))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReaderScreen) and "支付网关错误码定义" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AgentScreen))
        assert "文档的说明" in screen_text(app) or "order_status" in screen_text(app)


async def test_escape_stops_and_what_was_seen_stays(desk_runtime: Runtime) -> None:
    async with opened(desk_runtime) as (app, pilot):
        # Searching needs this lock: the run stands still at its first search.
        with desk_runtime.retriever._lock:
            await begin(app, pilot, "订单123为什么支付失败")
            await until(
                pilot, lambda: "search_knowledge" in str(app.diagnoses.current and app.diagnoses.current.calling)
            )
            assert len(app.diagnoses.current.steps) >= 3  # type: ignore[union-attr]
            await pilot.press("escape")
            await until(pilot, lambda: app.diagnoses.current and app.diagnoses.current.report)
        assert app.diagnoses.current.report.ended is Ended.CANCELLED  # type: ignore[union-attr]
        assert isinstance(app.screen, AgentScreen)
        await pilot.press("pagedown", *["down"] * 60)
        await until(pilot, lambda: "已停止" in screen_text(app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.ask_screen())


async def test_a_new_question_takes_the_place_of_a_running_one(desk_runtime: Runtime) -> None:
    async with opened(desk_runtime) as (app, pilot):
        with desk_runtime.retriever._lock:
            await begin(app, pilot, "订单123为什么支付失败")
            app.screen.query_one(QuestionInput).value = "订单999"
            await pilot.press("enter")
            await until(pilot, lambda: app.diagnoses.current and app.diagnoses.current.question == "订单999")
        await until(pilot, lambda: app.diagnoses.current and not app.diagnoses.current.running)
        await until(pilot, lambda: "数据中没有订单 999" in screen_text(app))
        assert app.diagnoses.current.question == "订单999"  # type: ignore[union-attr]


async def test_it_is_still_there_after_a_look_elsewhere(desk_runtime: Runtime) -> None:
    async with opened(desk_runtime) as (app, pilot):
        await diagnose(app, pilot, "订单124为什么支付失败")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.ask_screen())
        await pilot.press("f10", "t")
        await until(pilot, lambda: "付款成功" in screen_text(app))
        await pilot.press("f9")
        await until(pilot, lambda: "What the documents say of it" in screen_text(app))


async def test_an_empty_line_takes_the_example(desk_runtime: Runtime) -> None:
    async with opened(desk_runtime) as (app, pilot):
        await begin(app, pilot, "")
        assert app.diagnoses.current is not None and app.diagnoses.current.question == "订单123为什么支付失败"
        await until(pilot, lambda: not app.diagnoses.current.running)  # type: ignore[union-attr]
        await pilot.press("enter")
        await pilot.pause()
        assert app.diagnoses.current.number == 0


async def test_broken_rules_are_said_calmly(desk: Path, desk_runtime: Runtime) -> None:
    write(desk, "agent.yaml", "rules: 5\n")
    async with opened(desk_runtime) as (app, pilot):
        await diagnose(app, pilot, "订单123")
        await until(pilot, lambda: "agent.yaml" in screen_text(app).replace("\n", ""))


async def test_hostile_data_is_only_text(desk: Path, desk_runtime: Runtime) -> None:
    write(
        desk,
        "demo/orders.jsonl",
        '{"order_id": "5", "note": "\\u001b]0;x\\u0007[/] [@click=app.quit]go[/] [bold [1]"}\n',
    )
    async with opened(desk_runtime) as (app, pilot):
        await diagnose(app, pilot, "订单5 [@click=app.quit]")
        await until(pilot, lambda: "[@click=app.quit]go[/]" in screen_text(app))
        assert not raw_controls(screen_text(app))


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
async def test_every_size_shows_the_cause(desk_runtime: Runtime, size: tuple[int, int]) -> None:
    async with opened(desk_runtime, size) as (app, pilot):
        await diagnose(app, pilot, "订单123为什么支付失败")
        await until(pilot, lambda: "网关在 10 s 内未收到银行应答" in screen_text(app))
        assert "支付网关错误码定义" in screen_text(app)
