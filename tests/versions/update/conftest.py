"""An author who hands knowledge out on a stick, and a machine far away that has only ever seen sticks."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from kb.answer.release_numbers import read_numbers
from kb.paths import BLOCK, FACTS, Part, directory_block
from kb.search.retriever import Retriever
from kb.versions import snapshot
from kb.versions.git import Git
from kb.versions.routes import Actor
from kb.versions.serving import reading
from kb.versions.snapshot import Author
from kb.versions.source import Source
from kb.versions.update import making
from kb.versions.update.offers import Machine, Trial
from tests.helpers import MOMENT, WordIndex, document, git, has_git, tar_of, write

BOX = "store/boxes/wombat.md"
ELF_X86, ELF_ARM = 62, 183


def box(kilograms: int) -> str:
    """The document that the versions differ in."""
    return document("Wombat box", f"The wombat box weighs {kilograms} kg.")


@dataclass(frozen=True)
class Desk:
    """Who writes the knowledge: `edition` changes the box, takes a snapshot and puts an update on the stick."""

    source: Source
    stick: Path

    def snapshot(self, kilograms: int, files: dict[str, str] | None = None) -> str:
        """The tag of a version in which the box weighs this much."""
        for path, text in {BOX: box(kilograms), **(files or {})}.items():
            write(self.source.root, path, text)
        return snapshot.take(self.source, Author("agronomy-desk"), include_changes=True).tag

    def edition(self, kilograms: int) -> Path:
        """A version on the stick, which holds nothing else."""
        tag = self.snapshot(kilograms)
        shutil.rmtree(self.stick, ignore_errors=True)
        return making.make(self.source, self.stick, tag).file


def new_author(place: Path) -> Desk:
    """An author with an empty repository."""
    root = place / "author"
    root.mkdir(parents=True)
    git(root, "init", "--quiet", "-b", "main")
    return Desk(Source.find(root, Git.find(None)), place / "U盘 stick")


def passes(old: object, new: object) -> Trial:
    """A trial that went well."""
    return Trial(10)


def new_machine(place: Path) -> Machine:
    """A machine on which what came with the program answers."""
    knowledge = place / "program-docs"
    write(knowledge, BOX, box(4))
    write(knowledge, "broken.md", b"\xff\xfe\xff no text")
    return Machine(
        home=place / "home", git=Git.find(None), knowledge=knowledge, is_own=False, program=None,
        read_numbers=read_numbers, make_index=WordIndex(), try_release=passes, actor=Actor("barn"),
        clock=lambda: MOMENT,
    )  # fmt: skip


def answers(machine: Machine) -> tuple[str, str]:
    """Tag and words of what answers now; the documents of the program where no release is live."""
    with reading(machine.home, now=MOMENT) as found:
        root, tag = (found.root, found.version.tag) if found is not None else (machine.knowledge, "")
        index = found.index_folder if found is not None else machine.home / "index"
        retriever = Retriever(root, index)
        try:
            words = retriever.find("How much does the wombat box weigh?")[0].section.text
        finally:
            retriever.close()
    return tag, next(part for part in words.split() if part.isdigit())


@pytest.fixture
def author(tmp_path: Path) -> Desk:
    """An author."""
    if not has_git():
        pytest.skip("there is no git program on this machine")
    return new_author(tmp_path)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine."""
    return new_machine(tmp_path)


MakeProgram = Callable[..., Path]


def packed(path: Path, version: str, *, built: str = "2026-11-01T00:00:00Z", body: str = "/bin/true",
           elf: int | None = None, docs: dict[str, str] | None = None, facts: bytes | None = None) -> Path:  # fmt: skip
    """A file laid out as the executable, whose code is that of `body`: it really runs, and ends as that one does."""
    data = bytearray(Path(body).resolve().read_bytes())
    if elf is not None:
        struct.pack_into("<H", data, 18, elf)
    parts = {
        FACTS: facts if facts is not None else json.dumps({"version": version, "built": built}).encode(),
        "knowledge": tar_of({f"docs/{name}": text.encode() for name, text in (docs or {}).items()}),
    }
    entries = []
    for kind, content in parts.items():
        data += b"\0" * (-len(data) % BLOCK)
        entries.append(Part(f"{kind}.bin", kind, len(data), len(content), hashlib.sha256(content).hexdigest()))
        data += content
    data += b"\0" * (-len(data) % BLOCK)
    data += directory_block(entries)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o755)
    return path


def vouch(path: Path) -> Path:
    """Put the digest file beside a file."""
    path.with_name(path.name + ".sha256").write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """A stick for programs."""
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def installed(machine: Machine, tmp_path: Path) -> Machine:
    """The machine with the packed program 0.1.0."""
    if os.uname().machine != "x86_64":
        pytest.skip("the programs of these tests are for x86_64")
    return replace(machine, program=packed(tmp_path / "bin" / "almanac", "0.1.0"))
