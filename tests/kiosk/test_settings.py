"""kb.kiosk.settings: the file in the home folder, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.kiosk.settings import FILE_NAME, KioskSettings, check_idle, load, wanted


def test_without_a_file_nothing_is_kept_and_no_kiosk_opens(tmp_path: Path) -> None:
    assert load(tmp_path) == KioskSettings(enabled=False, idle=120, keep_gaps=False, theme="")


@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_the_file_says_what_differs(tmp_path: Path, start: str) -> None:
    (tmp_path / FILE_NAME).write_text(f'{start}# 合作社\nenabled = true\nidle = 45\ntheme = "light"\n', "utf-8")
    assert load(tmp_path) == KioskSettings(enabled=True, idle=45, theme="light")


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("idle = ", "kiosk_settings_broken"),
        (b"\xff\xfe", "kiosk_settings_broken"),
        ("idel = 3", "kiosk_setting_unknown"),
        ("idle = true", "kiosk_setting_wrong"),
        ('idle = "60"', "kiosk_setting_wrong"),
        ("keep_gaps = 1", "kiosk_setting_wrong"),
        ('theme = "pink"', "kiosk_setting_wrong"),
        ("idle = 3", "kiosk_idle"),
        ("[kiosk]\nidle = 60", "kiosk_setting_unknown"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, written: str | bytes, key: str) -> None:
    (tmp_path / FILE_NAME).write_bytes(written if isinstance(written, bytes) else written.encode())
    with pytest.raises(AlmanacError) as raised:
        load(tmp_path)
    assert raised.value.key == key
    assert str(raised.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(AlmanacError) as raised:
        load(tmp_path)
    assert raised.value.key == "unreadable"


@pytest.mark.parametrize("seconds", [-1, 0, 9, 3601])
def test_the_time_has_bounds(seconds: int) -> None:
    with pytest.raises(AlmanacError):
        check_idle(seconds)
    assert check_idle(10) == 10


def test_the_command_line_goes_over_the_file(tmp_path: Path) -> None:
    assert wanted(tmp_path, None, None, None, "dark") == KioskSettings(theme="dark")
    assert wanted(tmp_path, True, 30, True, None) == KioskSettings(True, 30, True)
    (tmp_path / FILE_NAME).write_text('enabled = true\nidle = 45\nkeep_gaps = true\ntheme = "light"\n')
    assert wanted(tmp_path, None, None, None, None) == KioskSettings(True, 45, True, "light")
    assert wanted(tmp_path, False, None, None, None).enabled is False
    assert wanted(tmp_path, None, 60, False, "plain") == KioskSettings(True, 60, False, "plain")


@pytest.mark.parametrize(("kiosk", "idle", "gaps"), [(None, 60, None), (False, None, True), (None, None, False)])
def test_what_only_a_kiosk_does_needs_a_kiosk(
    tmp_path: Path, kiosk: bool | None, idle: int | None, gaps: bool | None
) -> None:
    with pytest.raises(AlmanacError) as raised:
        wanted(tmp_path, kiosk, idle, gaps, None)
    assert raised.value.key == "kiosk_only"
    with pytest.raises(AlmanacError):
        wanted(tmp_path, True, 5, None, None)
