"""kb.answer.device_profile: profiles that ship, a file of one's own, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.answer.device_profile import load, shipped
from kb.errors import AlmanacError, ExitCode
from kb.sizing import Wishes


def test_all_shipped_profiles_can_be_read(tmp_path: Path) -> None:
    assert {"pi4-2gb", "pi5", "old-laptop", "full"} == set(shipped())
    for name in shipped():
        assert load(name, tmp_path) != Wishes()
    assert load("pi4-2gb", tmp_path) == Wishes(memory_mb=1200, threads=2, context_tokens=1024)
    assert load("old-laptop", tmp_path).model is False
    assert load("full", tmp_path) == Wishes(model=True, vectors=True)


def test_the_home_folder_may_hold_one(tmp_path: Path) -> None:
    assert load(None, tmp_path) == Wishes()
    (tmp_path / "profile.yaml").write_text("vectors: off\nmodel: auto\nthreads: 2\n", "utf-8")
    assert load(None, tmp_path) == Wishes(vectors=False, threads=2)
    assert load("full", tmp_path) == Wishes(model=True, vectors=True)


def test_a_file_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "农机站.yaml"
    path.write_text("memory: 900\n", "utf-8")
    assert load(str(path), tmp_path) == Wishes(memory_mb=900)


@pytest.mark.parametrize(
    "text",
    [
        "threads: 0",
        "threads: no",
        "memory: -5",
        "memory: 12",
        "model: yes",
        "colour: red",
        "context: [1]",
        "context: 9",
    ],
)
def test_what_a_profile_may_not_say_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "profile.yaml").write_text(text, "utf-8")
    with pytest.raises(AlmanacError) as caught:
        load(None, tmp_path)
    assert caught.value.key == "profile_bad"
    assert text.partition(":")[0] in str(caught.value)


def test_broken_yaml_is_said_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "profile.yaml").write_text("threads: 2\nthreads: 3\n", "utf-8")
    with pytest.raises(AlmanacError, match=r"profile\.yaml, line 2"):
        load(None, tmp_path)


def test_an_unknown_name_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError, match="pi4-2gb") as caught:
        load("pi3", tmp_path)
    assert caught.value.exit_code is ExitCode.USAGE
