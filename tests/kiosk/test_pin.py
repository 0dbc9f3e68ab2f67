"""kb.kiosk.pin: a slow salted hash, and wrong tries that slow down whatever clock or plug do."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError
from kb.kiosk import pin as module
from kb.kiosk.pin import FREE_TRIES, LONGEST_WAIT_S, PIN_FILE, TRIES_FILE, Pin, Verdict, acceptable, waiting


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hash at a cost that tests can pay."""
    monkeypatch.setattr(module, "_COST", {"n": 16, "r": 8, "p": 1})


class Clock:
    """Seconds that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_pin_opens_and_nothing_else_does(tmp_path: Path) -> None:
    pin = Pin(tmp_path)
    assert not pin.is_set and pin.check("83561").verdict is Verdict.UNSET
    pin.set("83561")
    assert Pin(tmp_path).check("83561").verdict is Verdict.RIGHT
    for wrong in ("", "8356", "835611", "83562", "８３５６１"):
        other = Pin(tmp_path)
        other.set("83561")
        assert other.check(wrong).verdict is Verdict.WRONG


def test_the_file_holds_a_salted_hash_for_its_owner_alone(tmp_path: Path) -> None:
    Pin(tmp_path).set("83561")
    first = (tmp_path / PIN_FILE).read_text()
    Pin(tmp_path).set("83561")
    second = (tmp_path / PIN_FILE).read_text()
    assert "83561" not in first and json.loads(first)["hash"] != json.loads(second)["hash"]
    assert stat.S_IMODE((tmp_path / PIN_FILE).stat().st_mode) == 0o600


def test_the_real_cost_is_slow() -> None:
    assert module._MEMORY >= 128 * 2**15 * 8


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "１２３４", "0000", "1234", "98765", " 8356"])
def test_a_pin_that_anybody_would_try_is_refused(tmp_path: Path, pin: str) -> None:
    with pytest.raises(AlmanacError):
        Pin(tmp_path).set(pin)
    assert not (tmp_path / PIN_FILE).exists()
    assert acceptable("8356") == "8356"


def test_wrong_tries_slow_down_and_a_right_one_forgets_them(tmp_path: Path) -> None:
    clock = Clock()
    pin = Pin(tmp_path, clock)
    pin.set("83561")
    for number in range(1, FREE_TRIES + 1):
        tried = pin.check("0")
        assert (tried.verdict, tried.wait_s) == (Verdict.WRONG, 30.0 if number == FREE_TRIES else 0.0)
    clock.now += 29.0
    assert pin.check("83561").verdict is Verdict.WAIT
    clock.now += 1.0
    assert pin.check("0").wait_s == 60.0
    clock.now += 60.0
    assert pin.check("83561").verdict is Verdict.RIGHT
    assert pin.check("0").wait_s == 0.0


def test_a_new_start_begins_the_wait_anew_whatever_the_clock_says(tmp_path: Path) -> None:
    clock = Clock()
    pin = Pin(tmp_path, clock)
    pin.set("83561")
    for _ in range(FREE_TRIES):
        pin.check("0")
    for moment in (0.0, 5.0, 1e12):  # the machine's clock after the plug was pulled
        clock.now = moment
        again = Pin(tmp_path, clock)
        assert again.wait_s == 30.0 and again.check("83561").verdict is Verdict.WAIT
        clock.now += 30.0
        assert again.wait_s == 0.0


def test_a_try_counts_before_it_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = Pin(tmp_path)
    pin.set("83561")

    def plug_pulled(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_hash", plug_pulled)
    with pytest.raises(KeyboardInterrupt):
        pin.check("83561")
    assert json.loads((tmp_path / TRIES_FILE).read_text())["wrong"] == 1


def test_a_disk_that_takes_nothing_still_slows_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = Pin(tmp_path, Clock())
    pin.set("83561")

    def full(path: Path, data: str, mode: int) -> None:
        raise AlmanacError("disk_full", path=path, free=0)

    monkeypatch.setattr(fsio, "write_text", full)
    assert [pin.check("0").verdict for _ in range(4)] == [Verdict.WRONG] * 3 + [Verdict.WAIT]


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"salt": "00", "hash": "00", "n": 1, "r": 1, "p": 1}', "\0"])
def test_a_damaged_pin_opens_nothing_and_damaged_tries_wait(tmp_path: Path, damage: str) -> None:
    Pin(tmp_path).set("83561")
    (tmp_path / TRIES_FILE).write_text(damage)
    assert Pin(tmp_path, Clock()).wait_s == 30.0
    (tmp_path / PIN_FILE).write_text(damage)
    assert not Pin(tmp_path).is_set
    assert Pin(tmp_path).check("83561").verdict is Verdict.UNSET


def test_a_huge_cost_in_a_foreign_file_is_not_paid(tmp_path: Path) -> None:
    Pin(tmp_path).set("83561")
    kept = json.loads((tmp_path / PIN_FILE).read_text()) | {"n": 2**30}
    (tmp_path / PIN_FILE).write_text(json.dumps(kept))
    assert not Pin(tmp_path).is_set


def test_the_wait_has_an_end() -> None:
    assert [waiting(wrong) for wrong in (0, 2, 3, 4, 5)] == [0.0, 0.0, 30.0, 60.0, 120.0]
    assert waiting(10**6) == LONGEST_WAIT_S


def test_removing_it_closes_the_screen(tmp_path: Path) -> None:
    pin = Pin(tmp_path)
    pin.set("83561")
    assert pin.remove() and not pin.is_set
    assert not pin.remove()


def test_it_waits_by_a_clock_that_only_runs_forward() -> None:
    assert Pin.__init__.__defaults__ == (time.monotonic,)
