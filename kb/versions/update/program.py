"""A newer program: copied beside the one in use, tried there, and put in its place by one rename.

At every moment the name of the program leads to the old file or to the new one, whole. The old one stays as
`<name>.previous`; `undo` changes the two.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb import fsio, paths
from kb.db import utc_text
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.paths import ProgramFacts
from kb.versions import diff
from kb.versions.bundle import file_digest
from kb.versions.diff import Difference
from kb.versions.numbering import read_number
from kb.versions.update import medium
from kb.versions.update.knowledge import packed_side, standing
from kb.versions.update.medium import Digests
from kb.versions.update.offers import Age, Allowed, Kind, Machine, Offer, Outcome, vouched
from kb.versions.update.signature import Signature

NEW, PREVIOUS = ".new", ".previous"
_RECORDS = "program.json"
_KEPT = 5
_SELF_TEST_S = 900.0
_START_S = 120.0
_LOOK_EVERY_S = 0.5
# A killed update leaves its half-made copy; whoever is still writing one changes it more often than this.
_FORGOTTEN_S = 3600.0
_DOCS = "docs/"
# Parts that are never unpacked.
_MAPPED = frozenset({"answer", "embedder"})


@dataclass(frozen=True, slots=True)
class Record:
    """The last change of the program: when (UTC, ISO), and the digests of what was there and of what came."""

    at: str
    old: str
    new: str
    version: str
    previous: str


def in_use(machine: Machine) -> Path:
    """The file that an update replaces. AlmanacError where the program is not one file."""
    if machine.program is None:
        raise AlmanacError("update_not_packed", ExitCode.USAGE)
    found = machine.program.resolve()
    # The old program is started by its own name when the new one does not start.
    return found.with_name(found.name.removesuffix(PREVIOUS)) if found.name.endswith(PREVIOUS) else found


def is_program(machine: Machine, file: Path) -> bool:
    """Whether a file of a medium looks like another edition of the program that is in use."""
    if not file.name.lower().startswith("almanac") or file.name.endswith((NEW, PREVIOUS)):
        return False
    with contextlib.suppress(OSError):
        if machine.program is not None and machine.program.samefile(file):
            return False
    try:
        with medium.opened(file) as opened:
            return opened.read(4) == b"\x7fELF"
    except (AlmanacError, OSError):
        return False


def look(machine: Machine, file: Path) -> Offer:
    """The offer that a file makes, read to its end and checked; it was not started yet.

    KnowledgeError when it is not vouched for or is made for another kind of machine.
    """
    here = paths.program_facts(in_use(machine))
    there = _facts(file)
    _need_machine(file, there, here)
    digests = medium.read(file, report=_counted(machine), stop=machine.stop)
    signed = vouched(machine.home, file, digests)
    return _offer(machine, file, digests, signed, here, there)


def _facts(file: Path) -> ProgramFacts:
    with medium.opened(file):  # no link, no pipe
        return paths.program_facts(file)


def _need_machine(file: Path, there: ProgramFacts, here: ProgramFacts) -> None:
    if there.machine != here.machine:
        raise KnowledgeError("update_machine", path=file, machine=there.machine, here=here.machine)


def _counted(machine: Machine) -> medium.Report:
    return lambda done, size: machine.report("update_program", done, max(size, 1))


def _offer(
    machine: Machine, file: Path, digests: Digests, signed: Signature | None, here: ProgramFacts, there: ProgramFacts
) -> Offer:
    age = _age(there, here)
    if age is Age.SAME and digests.sha256 != file_digest(in_use(machine), stop=machine.stop):
        age = Age.OLDER  # another build of the same source: nothing says that it is the better one
    return Offer(
        Kind.PROGRAM, file, digests.sha256, digests.size, there.version, here.version, age,
        signer=signed.key_id if signed else "", comment=signed.comment if signed else "",
        difference=_difference(machine, file) if age is Age.NEWER else None,
    )  # fmt: skip


def _age(there: ProgramFacts, here: ProgramFacts) -> Age:
    first, second = ((read_number(facts.version), facts.built) for facts in (there, here))
    if first[0] is None or second[0] is None:
        return Age.OLDER
    if first == second:
        return Age.SAME
    return Age.NEWER if (first[0], first[1]) > (second[0], second[1]) else Age.OLDER


def _difference(machine: Machine, file: Path) -> Difference | None:
    """What the knowledge inside the new program changes; None where other knowledge than the program's answers."""
    now = standing(machine)
    if now.live is not None or now.is_own:
        return None
    files = {
        name.removeprefix(_DOCS): data
        for name, data in paths.packed_files(file, "knowledge")
        if name.startswith(_DOCS) and "/." not in name
    }
    return diff.compare(now.side, packed_side("", files), machine.read_numbers)


def refuse(offer: Offer, allowed: Allowed) -> None:
    """KnowledgeError for an offer that is not to be put in place without being told so."""
    if offer.age is Age.OLDER and not allowed.older:
        raise KnowledgeError("update_older", version=offer.version, installed=offer.installed)


def apply(machine: Machine, offer: Offer, allowed: Allowed) -> Outcome:
    """Put the program of `offer` in place of the one in use, and try it first.

    KnowledgeError when it is refused; AlmanacError when it does not pass its self-test, or cannot be written.
    """
    program = in_use(machine)
    new = program.with_name(program.name + NEW)
    with _alone(program):
        signed: list[Signature | None] = []

        def check(digests: Digests) -> None:
            if digests.sha256 != offer.sha256:
                raise KnowledgeError("update_other_file", path=offer.file)
            signed.append(vouched(machine.home, offer.file, digests))

        mode = program.stat().st_mode & 0o777 | 0o500
        digests = medium.copy(offer.file, new, check, _counted(machine), machine.stop, mode)
        try:
            here, there = paths.program_facts(program), paths.program_facts(new)
            _need_machine(offer.file, there, here)
            refuse(_offer(machine, offer.file, digests, signed[0], here, there), allowed)
            self_test(machine, new)
            _note(machine, Record(utc_text(machine.clock()), file_digest(program), digests.sha256, there.version,
                                  here.version))  # fmt: skip
            fsio.second_name(program, program.with_name(program.name + PREVIOUS))
            fsio.move_over(new, program)
        finally:
            fsio.remove_file(new)
        try:
            _run(machine, program, "--version", _START_S)
        except AlmanacError:
            fsio.second_name(program.with_name(program.name + PREVIOUS), program)
            raise
    return Outcome(Kind.PROGRAM, there.version, here.version, restart=True)


def self_test(machine: Machine, program: Path) -> None:
    """Let a new program try itself, in a home of its own. AlmanacError when it fails, crashes or takes too long, or has
    no room to unpack itself."""
    fsio.need_space(machine.folder, sum(part.size for part in paths.read_parts(program) if part.kind not in _MAPPED))
    _run(machine, program, "self-test", _SELF_TEST_S)


def _run(machine: Machine, program: Path, word: str, patience_s: float) -> None:
    """Start a program in an environment and a home without anything of this one."""
    with fsio.scratch(machine.folder) as scratch:
        own = {"HOME": scratch, "TMPDIR": scratch, "ALMANAC_HOME": scratch / "home"}
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **{name: str(path) for name, path in own.items()}}
        try:
            with subprocess.Popen(
                [str(program), word], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=environment, start_new_session=True,
            ) as child:  # fmt: skip
                try:
                    said = _heard(machine, child, program, patience_s)
                except BaseException:
                    _end(child)
                    raise
        except OSError as error:
            raise AlmanacError("update_self_test", path=program, reason=error.strerror or str(error)) from error
    if child.returncode != 0:
        lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.startswith("FAIL")]
        raise AlmanacError("update_self_test", path=program, reason="\n  ".join(lines) or f"{word}: {child.returncode}")


def _heard(machine: Machine, child: subprocess.Popen[bytes], program: Path, patience_s: float) -> bytes:
    """What a child says, until it ends. KeyboardInterrupt when it is to stop, AlmanacError when its time is up."""
    waited = 0.0
    while True:
        try:
            return child.communicate(timeout=_LOOK_EVERY_S)[0]
        except subprocess.TimeoutExpired:
            waited += _LOOK_EVERY_S
        machine.report("update_self_test", int(min(waited, patience_s - 1)), int(patience_s))
        if machine.stop.is_set():
            raise KeyboardInterrupt
        if waited >= patience_s:
            raise AlmanacError("update_self_test", path=program, reason=f"> {patience_s:.0f} s")


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill a child and what it started: a packed program runs as two processes."""
    if sys.platform == "win32":
        child.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


@contextlib.contextmanager
def _alone(program: Path) -> Iterator[None]:
    """Hold the program's place: homes may share one program. What a killed update left there is taken away."""
    with fsio.locked(program.with_name(f".{program.name}-update.lock"), wait=False) as free:
        if not free:
            raise AlmanacError("update_running")
        fsio.remove_file(program.with_name(program.name + NEW))
        fsio.sweep_temporaries(program.parent, _FORGOTTEN_S, time.time())
        yield


def _note(machine: Machine, record: Record) -> None:
    fields = [{name: getattr(each, name) for name in Record.__slots__} for each in (record, *_records(machine))]
    fsio.write_text(machine.folder / _RECORDS, json.dumps(fields[:_KEPT], indent=1))


def _records(machine: Machine) -> list[Record]:
    """What was noted of changes of the program, newest first; the newest may be one that was not carried out."""
    try:
        found = json.loads((machine.folder / _RECORDS).read_text("utf-8"))
        return [Record(**{name: str(each[name]) for name in Record.__slots__}) for each in found]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def last_update(machine: Machine) -> Record | None:
    """The last change of the program, when it can be taken back: the two files are still those that it noted."""
    records = _records(machine)
    if machine.program is None or not records:
        return None
    program = in_use(machine)
    try:
        there = (file_digest(program.with_name(program.name + PREVIOUS)), file_digest(program))
    except AlmanacError:
        return None
    return next((record for record in records if (record.old, record.new) == there), None)


def undo(machine: Machine) -> Outcome:
    """Let the program before the last update be the one in use again. AlmanacError when it is not there any more."""
    record = last_update(machine)
    if record is None:
        raise AlmanacError("update_nothing_to_undo", ExitCode.USAGE)
    program = in_use(machine)
    previous, kept = (program.with_name(program.name + suffix) for suffix in (PREVIOUS, NEW))
    with _alone(program):
        _run(machine, previous, "--version", _START_S)
        _note(machine, Record(utc_text(machine.clock()), record.new, record.old, record.previous, record.version))
        fsio.second_name(program, kept)
        fsio.move_over(previous, program)
        fsio.move_over(kept, previous)
    return Outcome(Kind.PROGRAM, record.previous, record.version, restart=True)
