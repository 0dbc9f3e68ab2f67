"""Versions beside each other, the calendar, backups and restoring, as a person uses them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.runtime import Runtime
from kb.search.listing import Listed
from kb.versions import restore
from kb.versions.backup import make
from kb.versions.backup_collect import BackupSource
from kb.versions.git import Git
from tests.helpers import git, has_git, raw_controls
from tests.tui.conftest import HOSTILE, SOYBEAN, make_runtime, opened, opened_kiosk, screen_text, until
from tui.screens.calendar import CalendarScreen, dues
from tui.screens.compare import CompareScreen
from tui.screens.restore import RestoreScreen

needs_git = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")


@pytest.fixture
def kept(tree: Path, tmp_path: Path) -> Iterator[Runtime]:
    """The tree as a repository with three versions of the soybean document."""
    git(tree, "init", "--quiet", "-b", "main")
    git(tree, "add", "agriculture", "machinery", "taxonomy.yaml")
    git(tree, "commit", "--quiet", "-m", "docs(all): first")
    path = tree / SOYBEAN
    path.write_text(path.read_text("utf-8").replace("45-60 公斤", "30-40 公斤"), "utf-8")
    git(tree, "commit", "--quiet", "-a", "-m", "docs(大豆): less potash [@click=app.quit]")
    path.write_text(path.read_text("utf-8") + f"\n{HOSTILE}\n", "utf-8")
    git(tree, "commit", "--quiet", "-a", "-m", "docs(大豆): a line more")
    made = make_runtime(tree, tmp_path)
    yield made
    made.close()


@needs_git
@pytest.mark.parametrize("size", [(120, 30), (80, 24), (40, 12)])
async def test_versions_with_the_numbers_first(kept: Runtime, size: tuple[int, int]) -> None:
    async with opened(kept, size) as (app, pilot):
        app.open_document(SOYBEAN)
        await until(pilot, lambda: "大豆" in screen_text(app))
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen._pair)
        await pilot.press("left")
        await until(pilot, lambda: "Numbers that changed" in screen_text(app))
        text = screen_text(app)
        assert "45-60" in text and "30-40" in text
        await pilot.press("left", "left")
        await pilot.press("right")
        await until(pilot, lambda: "45-60" not in screen_text(app))
        assert not raw_controls(screen_text(app))


@needs_git
async def test_rolling_back_asks_and_becomes_a_new_version(kept: Runtime, tree: Path) -> None:
    async with opened(kept, (100, 30)) as (app, pilot):
        app.compare_document(SOYBEAN)
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen._pair)
        await pilot.press("left")
        await until(pilot, lambda: "45-60" in screen_text(app))
        await pilot.press("y")
        await pilot.press("r", "escape")
        assert isinstance(app.screen, CompareScreen) and len(kept.history.changes(SOYBEAN)) == 3
        await pilot.press("r")
        await until(pilot, lambda: "Roll this document back" in screen_text(app))
        await pilot.press("y")
        await until(pilot, lambda: len(kept.history.changes(SOYBEAN)) == 4)
        await until(pilot, lambda: "change 1 of 3" in screen_text(app))
    assert "45-60 公斤" in (tree / SOYBEAN).read_text("utf-8")
    assert git(tree, "log", "-1", "--format=%s").startswith("docs(growth_stage_2024_v2): back to the version of")


async def test_without_history_the_versions_say_so(runtime: Runtime) -> None:
    async with opened(runtime) as (app, pilot):
        app.compare_document(SOYBEAN)
        await until(pilot, lambda: "history" in screen_text(app))
        await pilot.press("r", "y", "left", "escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)


def _listed(path: str, first: datetime.date | None, last: datetime.date | None) -> Listed:
    return Listed(path, path, "", "zh", "released", first, last, ())


def test_what_has_expired_and_what_is_to_come() -> None:
    today = datetime.date(2026, 6, 1)
    day = datetime.timedelta(days=1)
    past, coming = dues(
        [
            _listed("old", None, today - 9 * day), _listed("just", None, today - day),
            _listed("broken", None, datetime.date.min),
            _listed("today", None, today), _listed("later", today + day, today + 2 * day), _listed("open", None, None),
            _listed("begun", today - day, None),
        ],
        today,
    )  # fmt: skip
    assert [(due.path, due.day is None) for due in past] == [("broken", True), ("just", False), ("old", False)]
    assert [(due.path, due.begins) for due in coming] == [("today", False), ("later", True), ("later", False)]


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_the_calendar_lists_by_month_and_opens(runtime: Runtime, size: tuple[int, int]) -> None:
    async with opened(runtime, size) as (app, pilot):
        await pilot.press("f10", "v")
        await until(pilot, lambda: isinstance(app.screen, CalendarScreen) and "2021-01-01" in screen_text(app))
        text = screen_text(app)
        assert "Expired" in text and "2098-01" in text and "2099-12-31 ends" in text
        await pilot.press("enter")
        await until(pilot, lambda: len(app.screen_stack) == 3)


@needs_git
async def test_a_backup_is_brought_back_after_a_second_yes(kept: Runtime, tree: Path) -> None:
    program = Git.find(None)
    assert program is not None
    home = kept.config.home
    made = make(program, BackupSource(home, tree), home / "backups")
    (home / "backups" / "kb-20200101-000000.bundle").write_bytes(b"odd")
    (tree / SOYBEAN).write_text("rubbish", "utf-8")
    async with opened(kept) as (app, pilot):
        await pilot.press("f10", "b")
        await until(pilot, lambda: isinstance(app.screen, RestoreScreen) and "complete" in screen_text(app))
        assert "not in the chain" in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: made.file.name in screen_text(app).replace("\n", ""))
        await pilot.press("enter")
        await until(pilot, lambda: "complete" in screen_text(app))
        assert app.recovery is None and (tree / SOYBEAN).read_text("utf-8") == "rubbish"
        await pilot.press("enter", "down", "enter")
        await until(pilot, lambda: app.recovery is not None and app.recovery.done)
        await until(pilot, lambda: "Brought back" in screen_text(app))
        assert "30-40" in (tree / SOYBEAN).read_text("utf-8")
        assert list(tree.parent.glob("docs.damaged-*"))
        await pilot.press("f9")
        await until(pilot, lambda: "已恢复" in screen_text(app))
        await pilot.press("enter")
    assert app.return_value == 0


@needs_git
async def test_damage_opens_the_backups_by_itself(kept: Runtime, tree: Path) -> None:
    (tree / ".git" / "HEAD").write_bytes(b"")
    async with opened(kept) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, RestoreScreen) and "There is no backup" in screen_text(app))
        assert "is damaged" in " ".join(screen_text(app).split())
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.ask_screen())


@needs_git
async def test_a_damaged_backup_is_refused_on_screen(kept: Runtime, tree: Path) -> None:
    program = Git.find(None)
    assert program is not None
    home = kept.config.home
    made = make(program, BackupSource(home, tree), home / "backups")
    data = bytearray(made.file.read_bytes())
    data[len(data) // 2] ^= 1
    made.file.write_bytes(bytes(data))
    async with opened(kept) as (app, pilot):
        await pilot.press("f10", "b")
        await until(pilot, lambda: "complete" in screen_text(app))
        await pilot.press("enter", "down", "enter")
        await until(pilot, lambda: app.recovery is not None and app.recovery.problem)
        await until(pilot, lambda: "checksum differs" in screen_text(app).replace("\n", " "))
        assert isinstance(app.screen, RestoreScreen) and "complete" in screen_text(app)


@needs_git
async def test_an_interrupted_restore_is_offered_to_be_finished(
    kept: Runtime, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Git.find(None)
    assert program is not None
    home = kept.config.home
    made = make(program, BackupSource(home, tree), home / "backups")

    class Killed(BaseException):
        pass

    def die(source: Path, target: Path) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("kb.fsio.move", die)
        with pytest.raises(Killed):
            restore.restore(program, made.file, tree, home)
    async with opened(kept) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, RestoreScreen) and "Finish the restore" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Brought back" in screen_text(app))
    assert not restore.unfinished(home)


@needs_git
async def test_a_kiosk_changes_nothing_and_is_not_left(kept: Runtime, tree: Path) -> None:
    async with opened_kiosk(kept) as (app, pilot):
        app.compare_document(SOYBEAN)
        await until(pilot, lambda: isinstance(app.screen, CompareScreen) and app.screen._pair)
        await pilot.press("r", "y", "enter")
        await pilot.pause(0.2)
        assert len(kept.history.changes(SOYBEAN)) == 3
    (tree / ".git" / "HEAD").write_bytes(b"")
    async with opened_kiosk(kept) as (app, pilot):
        await until(pilot, lambda: "is damaged" in " ".join(screen_text(app).split()))
        assert app.screen is app.ask_screen()


async def test_a_kiosk_does_not_offer_it(runtime: Runtime) -> None:
    async with opened_kiosk(runtime) as (app, pilot):
        await pilot.press("f10", "b")
        await pilot.pause()
        assert "Backups" not in screen_text(app)
