"""A small knowledge tree with healthy and hostile documents, and an application over it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from PIL import Image
from textual.pilot import Pilot

from kb.answer.answerer import Policy
from kb.answer.runtime import Runtime
from kb.config import Config
from kb.kiosk.pin import Pin
from kb.texts import Lang
from tests.helpers import PATIENCE_S
from tui.app import AlmanacApp
from tui.kiosk.app import Kiosk, KioskApp
from tui.widgets.question import QuestionInput

A = TypeVar("A", bound=AlmanacApp)

HOSTILE = (
    "数值[pH=5.5/6]正常 [/] [bold [1] [@click=app.quit]退出[/] \x1b]52;c;aGk=\x07 \x1b]0;pwn\x07 \x1b[31mred \x9b31m"
)
SOYBEAN = "agriculture/crop/soybean/growth_stage_2024_v2.md"


def document(title: str, body: str, **fields: str) -> str:
    """A document with front matter."""
    known = {"version": "2024_v1", "date_updated": "2026-03-01", "status": "released", **fields}
    head = "\n".join(f"{name}: {value}" for name, value in {"title": title, **known}.items())
    return f"---\n{head}\n---\n\n{body}\n"


def _soybean() -> str:
    rows = "\n".join(
        f"| 药剂{n} | {n}.5 | 克/亩 | {n} 天 | 第{n}行的说明文字，比较长，需要换行才能放得下 |" for n in range(1, 61)
    )
    return document(
        "大豆生育期管理",
        "# 大豆生育期管理\n\n本规范适用于大田大豆。\n\n## R5 期追肥\n\n"
        "鼓粒初期（$R_5$）每公顷追施氯化钾 45-60 公斤，结合灌水施入。\n\n"
        "> 警告：土壤速效钾高于 150 mg/kg 时不追。\n\n"
        f"## 用药表\n\n| 药剂 | 用量 | 单位 | 安全间隔期 | 说明 |\n|---|---|---|---|---|\n{rows}\n\n"
        "## 播种多深？\n\n- 大豆播种深度 3-5 cm。\n  1. 黏土取 3 cm\n- 见 [病害](../disease/blight_2025_v1.md) 与 "
        "[外面](../../../../etc/passwd.md) 和 [网站](http://example.org/x.md)。\n",
        version="2024_v2",
        valid_to="2099-12-31",
        references="\n  - id: GB_4404_2\n    type: standard\n    title: 粮食作物种子",
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The knowledge tree."""
    root = tmp_path / "docs"
    written = {
        SOYBEAN: _soybean(),
        "agriculture/crop/disease/blight_2025_v1.md": document(
            "病害防治", "## 纹枯病\n\n![示意图](images/leaf%20one.png)\n\n![缺图](images/none.png)\n\n"
            "![外面](../../../../../etc/passwd)\n\n发病后及时排水。\n"
        ),
        "agriculture/crop/soybean/old_2020_v1.md": document(
            "大豆旧规范", "## 追肥\n\n每公顷追施氯化钾 90 公斤。\n", valid_to="2021-01-01"
        ),
        "agriculture/crop/soybean/next_2098_v1.md": document("大豆新规范", "明年的规定。\n", valid_from="2098-01-01"),
        "agriculture/crop/soybean/draft_2026_v1.md": document("大豆草稿", "未定的内容。\n", status="draft"),
        "machinery/pump/centrifugal/pump_en_2025_v1.md": document(
            "Pump troubleshooting", "## How is a pump primed?\n\nFill the casing with 12 litres of water.\n"
        ),
        "hostile/text/evil_2025_v1.md": document(
            r'"恶意 [/] [@click=app.quit] \e]0;pwn\a"',
            f"# {HOSTILE}\n\n{HOSTILE}\n\n| {HOSTILE} | b |\n|---|---|\n| {HOSTILE} | {HOSTILE} |\n\n"
            f"- {HOSTILE}\n\n```\n{HOSTILE}\n```\n\n$$ {HOSTILE} $$\n\n![{HOSTILE}](images/{'x' * 8}.png)\n",
        ),
        "hostile/text/\x1b]0;name\x07[bold [1]_v1.md": document("文件名", "文件名里有控制符。\n"),
        "taxonomy.yaml": "agriculture: {zh: [农业], en: [Agriculture]}\nsoybean: {zh: [大豆], en: [Soybean]}\n",
    }  # fmt: skip
    for path, content in written.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    pictures = root / "agriculture/crop/disease/images"
    pictures.mkdir()
    Image.new("RGB", (400, 200), "green").save(pictures / "leaf one.png")
    return root


@pytest.fixture
def runtime(tree: Path, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime without models that answers readily: what is asked here is how answers are shown."""
    made = make_runtime(tree, tmp_path, Policy(refuse_below=0.02))
    yield made
    made.close()


def make_runtime(
    tree: Path,
    tmp_path: Path,
    policy: Policy | None = None,
    lang: Lang = "en",
    environment: dict[str, str] | None = None,
) -> Runtime:
    """A runtime over `tree` with its home below `tmp_path`."""
    return Runtime(Config(home=tmp_path / "home", knowledge=tree, lang=lang, environment=environment or {}), policy)


async def until(pilot: Pilot[int], condition: Callable[[], object]) -> None:
    """Let the application work until `condition` holds."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "waited too long for a condition"
        await pilot.pause(0.01)
    await pilot.pause()


@asynccontextmanager
async def opened(
    runtime: Runtime, size: tuple[int, int] = (80, 24), **options: object
) -> AsyncIterator[tuple[AlmanacApp, Pilot[int]]]:
    """The application over `runtime`, its documents read."""
    async with opened_app(AlmanacApp(runtime, **options), size) as (app, pilot):  # type: ignore[arg-type]
        yield app, pilot


@asynccontextmanager
async def opened_kiosk(
    runtime: Runtime, size: tuple[int, int] = (80, 24), given: Kiosk | None = None, *, asking: bool = True
) -> AsyncIterator[tuple[KioskApp, Pilot[int]]]:
    """The kiosk over `runtime`, its documents read; with `asking` somebody came and stands at the ask screen."""
    kiosk = KioskApp(runtime, given or Kiosk(Pin(runtime.config.home)))
    async with opened_app(kiosk, size) as (app, pilot):
        if asking:
            await pilot.press("space")
            await until(pilot, lambda: app.screen is app.ask_screen())
        yield app, pilot


@asynccontextmanager
async def opened_app(app: A, size: tuple[int, int]) -> AsyncIterator[tuple[A, Pilot[int]]]:
    """`app` on a screen of this size, its documents read."""
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.documents is not None)
        yield app, pilot


async def ask(app: AlmanacApp, pilot: Pilot[int], question: str) -> None:
    """Ask a question and wait for the end of its answer."""
    app.screen.query_one(QuestionInput).value = question
    await pilot.press("enter")
    await until(pilot, lambda: app.ask_screen().exchange is not None)
    await until(pilot, lambda: not app.session.exchanges[-1].running)


def screen_text(app: AlmanacApp) -> str:
    """What stands on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)
