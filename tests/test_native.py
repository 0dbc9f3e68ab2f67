"""kb.native: the best CPU library that really runs, remembered."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import pytest

from kb import fsio, native
from kb.errors import AlmanacError
from tests.conftest import Engine
from tests.helpers import PROJECT


@pytest.fixture
def libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three variants, best first: skylakex, haswell, x64."""
    folder = tmp_path / "llama"
    folder.mkdir()
    names = ("skylakex", "haswell", "x64")
    for name in names:
        (folder / f"libggml-cpu-{name}.so").touch()
    monkeypatch.setattr(native, "variants", lambda found: [found / f"libggml-cpu-{name}.so" for name in names])
    return folder


class Probe:
    """Says which variants run, and counts how often it was asked."""

    def __init__(self, *running: str) -> None:
        self.running, self.asked = running, 0

    def __call__(self, path: Path) -> bool:
        self.asked += 1
        return native.variant_name(path) in self.running


def test_the_best_that_runs_is_chosen_and_remembered(libraries: Path, tmp_path: Path) -> None:
    memory, probe = tmp_path / "native.json", Probe("haswell", "x64")
    assert native.choose(libraries, memory, probe).name == "libggml-cpu-haswell.so"
    assert probe.asked == 2
    assert native.choose(libraries, memory, probe).name == "libggml-cpu-haswell.so"
    assert probe.asked == 2


def test_another_machine_tries_again(libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, probe = tmp_path / "native.json", Probe("x64")
    native.choose(libraries, memory, probe)
    monkeypatch.setattr(native, "machine_id", lambda: "another")
    native.choose(libraries, memory, probe)
    assert probe.asked == 6
    assert len(json.loads(memory.read_text())) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", '{"x": 1}', "null"])
def test_a_damaged_memory_is_forgotten(libraries: Path, tmp_path: Path, content: str) -> None:
    memory = tmp_path / "native.json"
    memory.write_text(content)
    assert native.choose(libraries, memory, Probe("x64")).name == "libggml-cpu-x64.so"


def test_a_remembered_library_that_is_gone_is_not_used(libraries: Path, tmp_path: Path) -> None:
    memory, probe = tmp_path / "native.json", Probe("skylakex", "x64")
    native.choose(libraries, memory, probe)
    (libraries / "libggml-cpu-skylakex.so").unlink()
    probe.running = ("x64",)
    assert native.choose(libraries, memory, probe).name == "libggml-cpu-x64.so"


def test_nothing_runs_or_nothing_is_there(libraries: Path, tmp_path: Path) -> None:
    for folder, key in (
        (libraries, "native_unusable"),
        (None, "native_missing"),
        (tmp_path / "none", "native_missing"),
    ):
        with pytest.raises(AlmanacError) as caught:
            native.choose(folder, tmp_path / "m.json", Probe())
        assert caught.value.key == key


def test_a_full_disk_does_not_matter(libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        raise AlmanacError("disk_full", path=path, free=0)

    monkeypatch.setattr(fsio, "write_text", full)
    assert native.choose(libraries, tmp_path / "m.json", Probe("x64"))


def test_libraries_that_cannot_be_loaded_are_no_candidates(tmp_path: Path) -> None:
    (tmp_path / "libggml-cpu-broken.so").write_bytes(b"\x7fELF junk")
    assert native.variants(tmp_path) == []


def test_the_machine_has_one_name() -> None:
    assert native.machine_id() == native.machine_id()
    assert len(native.machine_id()) == 16


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "good"),
    [("", True), ("import sys; sys.exit(1)", False), ("import os; os.kill(os.getpid(), 4)", False)],
)
def test_a_child_that_dies_means_no(tmp_path: Path, code: str, good: bool) -> None:
    script = tmp_path / "child.py"
    script.write_text(code)
    assert native.child_probe([sys.executable, str(script)], tmp_path)(tmp_path / "x.so") is good


def test_a_child_that_cannot_start_or_hangs_means_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not native.child_probe([str(tmp_path / "none")], tmp_path)(tmp_path / "x.so")
    monkeypatch.setattr(native, "PROBE_TIMEOUT_S", 0.05)
    script = tmp_path / "child.py"
    script.write_text("import time; time.sleep(60)")
    assert not native.child_probe([sys.executable, str(script)], tmp_path)(tmp_path / "x.so")


def test_the_real_libraries_compute(engine: Engine) -> None:
    libraries = engine.assets.llama_libs
    assert libraries is not None
    found = native.variants(libraries)
    assert engine.variant in found
    assert native.compute_probe(ctypes.CDLL, libraries, engine.variant) == 0
    probe = native.child_probe([sys.executable, str(PROJECT / "agent_main.py")], libraries)
    assert probe(engine.variant)
    assert not probe(libraries / "libggml-cpu-none.so")
