"""kb.versions.update.program: a new program is tried before it is the one in use; the old one stays at hand.

The programs here are /bin/true or /bin/false in the layout of the packed file: they are really started.
"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from kb import fsio, paths
from kb.errors import AlmanacError, ExitCode
from kb.paths import ProgramFacts
from kb.versions.update import program
from kb.versions.update.offers import Age, Allowed, Machine, Offer
from tests.helpers import MOMENT
from tests.versions.update.conftest import BOX, ELF_ARM, box, packed, vouch


def _version(machine: Machine) -> str:
    assert machine.program is not None
    return paths.program_facts(machine.program).version


def _look(machine: Machine, file: Path) -> Offer:
    return program.look(machine, vouch(file))


def _apply(machine: Machine, file: Path, allowed: Allowed = Allowed()) -> None:  # noqa: B008
    program.apply(machine, _look(machine, file), allowed)


def _beside(machine: Machine) -> list[str]:
    assert machine.program is not None
    return sorted(path.name for path in machine.program.parent.iterdir() if not path.name.endswith(".lock"))


def test_a_newer_program_is_put_in_place_and_the_old_one_kept(installed: Machine, stick: Path) -> None:
    old = installed.program.read_bytes()  # type: ignore[union-attr]
    file = packed(stick / "Almanac-0.2.0", "0.2.0", docs={BOX: box(5)})
    assert program.is_program(installed, file)
    offer = _look(installed, file)
    assert (offer.version, offer.installed, offer.age, offer.changed_numbers) == ("0.2.0", "0.1.0", Age.NEWER, 1)
    outcome = program.apply(installed, offer, Allowed())
    assert (outcome.version, outcome.previous, outcome.restart) == ("0.2.0", "0.1.0", True)
    assert installed.program is not None
    assert installed.program.read_bytes() == file.read_bytes()
    assert os.access(installed.program, os.X_OK)
    assert _beside(installed) == ["almanac", "almanac.previous"]
    assert installed.program.with_name("almanac.previous").read_bytes() == old
    assert list(installed.folder.iterdir()) == [installed.folder / "program.json"]


def test_knowledge_of_another_origin_is_not_compared(installed: Machine, stick: Path) -> None:
    file = packed(stick / "almanac", "0.2.0", docs={BOX: box(5)})
    assert _look(replace(installed, is_own=True), file).difference is None


@pytest.mark.parametrize("body", ["/bin/false", "/bin/sleep"])
def test_a_program_that_fails_its_self_test_is_never_in_use(installed: Machine, stick: Path, body: str) -> None:
    """sleep complains about its argument; false says nothing."""
    file = packed(stick / "almanac", "0.2.0", body=body)
    with pytest.raises(AlmanacError) as caught:
        _apply(installed, file)
    assert (caught.value.key, caught.value.exit_code) == ("update_self_test", ExitCode.ENVIRONMENT)
    assert _version(installed) == "0.1.0"
    assert _beside(installed) == ["almanac"]


def test_a_program_that_never_ends_is_ended(installed: Machine, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`yes self-test` says the same thing for ever."""
    monkeypatch.setattr(program, "_SELF_TEST_S", 0.5)
    file = packed(stick / "almanac", "0.2.0", body="/usr/bin/yes")
    with pytest.raises(AlmanacError, match="> 0 s"):
        _apply(installed, file)
    assert _version(installed) == "0.1.0"


def test_a_self_test_needs_room_to_unpack(installed: Machine, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = _look(installed, packed(stick / "almanac", "0.2.0", docs={"a.md": "x" * 3_000_000}))
    real = fsio.free_mb
    monkeypatch.setattr(fsio, "free_mb", lambda folder: 3 if folder == installed.folder else real(folder))
    with pytest.raises(AlmanacError) as caught:
        program.apply(installed, offer, Allowed())
    assert caught.value.key == "no_space"
    assert _version(installed) == "0.1.0" and _beside(installed) == ["almanac"]


def test_a_self_test_can_be_interrupted(installed: Machine, stick: Path) -> None:
    stop = threading.Event()

    def report(phase: str, done: int, total: int) -> None:
        if phase == "update_self_test":
            stop.set()

    file = packed(stick / "almanac", "0.2.0", body="/usr/bin/yes")
    with pytest.raises(KeyboardInterrupt):
        _apply(replace(installed, stop=stop, report=report), file)
    assert _version(installed) == "0.1.0"
    assert _beside(installed) == ["almanac"]


def test_one_that_does_not_start_in_its_place_goes_back(
    installed: Machine, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a file system that lets nothing run: here the file is made unrunnable at the rename."""
    file = packed(stick / "almanac", "0.2.0")
    real = fsio.move_over

    def spoiled(source: Path, target: Path) -> None:
        real(source, target)
        if source.name == "almanac.new":
            target.chmod(0o644)

    monkeypatch.setattr(fsio, "move_over", spoiled)
    old = installed.program.read_bytes()  # type: ignore[union-attr]
    with pytest.raises(AlmanacError) as caught:
        _apply(installed, file)
    assert caught.value.key == "update_self_test"
    assert installed.program is not None and installed.program.read_bytes() == old
    assert os.access(installed.program, os.X_OK)


@pytest.mark.parametrize(
    ("version", "built", "age"),
    [
        ("0.1.0", "2026-11-01T00:00:00Z", Age.SAME), ("0.1.0", "2026-11-02T00:00:00Z", Age.NEWER),
        ("0.1.0", "2026-10-31T00:00:00Z", Age.OLDER), ("0.0.9", "2026-12-01T00:00:00Z", Age.OLDER),
        ("0.10.0", "2026-10-01T00:00:00Z", Age.NEWER), ("dev", "2026-12-01T00:00:00Z", Age.OLDER),
    ],
)  # fmt: skip
def test_which_one_is_newer(installed: Machine, stick: Path, version: str, built: str, age: Age) -> None:
    offer = _look(installed, packed(stick / "almanac", version, built=built))
    assert offer.age is age
    if age is Age.OLDER:
        with pytest.raises(AlmanacError) as caught:
            program.apply(installed, offer, Allowed())
        assert caught.value.key == "update_older"
        assert program.apply(installed, offer, Allowed(older=True)).version == version


def test_another_build_of_the_same_source_is_not_newer(installed: Machine, stick: Path) -> None:
    assert _look(installed, packed(stick / "almanac", "0.1.0", docs={"a.md": "other"})).age is Age.OLDER


def test_a_program_for_another_machine_is_refused(installed: Machine, stick: Path) -> None:
    with pytest.raises(AlmanacError, match="aarch64") as caught:
        _look(installed, packed(stick / "almanac", "0.2.0", elf=ELF_ARM))
    assert (caught.value.key, caught.value.exit_code) == ("update_machine", ExitCode.BAD_KNOWLEDGE)


@pytest.mark.parametrize("facts", [b"", b"{}", b"[1]", b"\xff", b'{"version": 1}', b"[" * 3000], ids=range(6))
def test_a_program_that_does_not_say_what_it_is_is_refused(installed: Machine, stick: Path, facts: bytes) -> None:
    with pytest.raises(AlmanacError) as caught:
        _look(installed, packed(stick / "almanac", "0.2.0", facts=facts))
    assert caught.value.key == "executable_damaged"


def test_a_file_that_was_changed_after_the_look_is_refused(installed: Machine, stick: Path) -> None:
    offer = _look(installed, packed(stick / "almanac", "0.2.0"))
    vouch(packed(stick / "almanac", "0.3.0"))
    with pytest.raises(AlmanacError) as caught:
        program.apply(installed, offer, Allowed())
    assert caught.value.key == "update_other_file"
    assert _beside(installed) == ["almanac"]


def test_what_is_no_other_program_is_not_looked_at(installed: Machine, stick: Path) -> None:
    assert installed.program is not None
    for name, data in (
        ("almanac", b"#!/bin/sh"),
        ("other", b"\x7fELF"),
        ("almanac.new", b"\x7fELF"),
        ("almanac2", b""),
    ):
        (stick / name).write_bytes(data)
        assert not program.is_program(installed, stick / name)
    os.link(installed.program, stick / "almanac-same")
    assert not program.is_program(installed, stick / "almanac-same")
    (stick / "almanac-link").symlink_to(packed(stick / "real", "0.2.0"))
    assert not program.is_program(installed, stick / "almanac-link")


def test_an_update_through_a_link_changes_what_it_leads_to(installed: Machine, stick: Path) -> None:
    assert installed.program is not None
    link = installed.program.parent.parent / "run"
    link.symlink_to(installed.program)
    _apply(replace(installed, program=link), packed(stick / "almanac", "0.2.0"))
    assert link.is_symlink() and _version(installed) == "0.2.0"


def test_undo_and_undo_again(installed: Machine, stick: Path) -> None:
    _apply(installed, packed(stick / "almanac", "0.2.0"))
    outcome = program.undo(installed)
    assert (outcome.version, outcome.previous) == ("0.1.0", "0.2.0")
    assert _version(installed) == "0.1.0"
    assert _beside(installed) == ["almanac", "almanac.previous"]
    assert program.undo(installed).version == "0.2.0"
    assert _version(installed) == "0.2.0"


def test_the_old_program_takes_the_new_one_back(installed: Machine, stick: Path) -> None:
    """When the new one does not start at all, the old one is started by its name."""
    _apply(installed, packed(stick / "almanac", "0.2.0"))
    assert installed.program is not None
    old = replace(installed, program=installed.program.with_name("almanac.previous"))
    assert program.undo(old).version == "0.1.0"
    assert _version(installed) == "0.1.0"


def test_nothing_is_taken_back_that_was_not_put_there(installed: Machine, stick: Path) -> None:
    assert installed.program is not None
    packed(installed.program.with_name("almanac.previous"), "0.0.1")
    with pytest.raises(AlmanacError) as caught:
        program.undo(installed)
    assert caught.value.key == "update_nothing_to_undo"
    _apply(installed, packed(stick / "almanac", "0.2.0"))
    packed(installed.program, "0.3.0")  # somebody copied another one over it
    assert program.last_update(installed) is None


def test_a_noted_change_that_was_not_carried_out_hides_none(installed: Machine, stick: Path) -> None:
    _apply(installed, packed(stick / "almanac", "0.2.0"))
    found = program.last_update(installed)
    assert found is not None and found.at == "2026-06-01T08:00:00Z" == MOMENT.strftime("%Y-%m-%dT%H:%M:%SZ")
    program._note(installed, replace(found, old="x", new="y"))  # killed before the rename
    assert program.last_update(installed) == found
    fsio.write_text(installed.folder / "program.json", "damaged")
    assert program.last_update(installed) is None


def test_two_at_once_are_one(installed: Machine, stick: Path) -> None:
    assert installed.program is not None
    offer = _look(installed, packed(stick / "almanac", "0.2.0"))
    with fsio.locked(installed.program.with_name(".almanac-update.lock")), pytest.raises(AlmanacError) as caught:
        program.apply(replace(installed, home=installed.home.with_name("second")), offer, Allowed())
    assert caught.value.key == "update_running"


def test_a_file_system_without_links_keeps_a_copy(
    installed: Machine, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    _apply(installed, packed(stick / "almanac", "0.2.0"))
    assert _beside(installed) == ["almanac", "almanac.previous"]
    assert program.undo(installed).version == "0.1.0"
    assert installed.program is not None and os.access(installed.program, os.X_OK)


def test_a_source_checkout_has_no_program(machine: Machine) -> None:
    with pytest.raises(AlmanacError) as caught:
        program.in_use(machine)
    assert (caught.value.key, caught.value.exit_code) == ("update_not_packed", ExitCode.USAGE)
    assert program.last_update(machine) is None


def test_facts_are_read_from_the_file(installed: Machine) -> None:
    assert installed.program is not None
    assert paths.program_facts(installed.program) == ProgramFacts("0.1.0", "2026-11-01T00:00:00Z", "x86_64")
