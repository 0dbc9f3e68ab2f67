"""Where everything lies: the only module that knows the layout of the frozen executable and of the home folder.

The executable file is: the launcher, padding to 4096, the parts (GGUF models, knowledge, native programs, the
Python runtime; each on a 4096 boundary), one directory block of 4096 bytes. Models are mapped where they lie; the
others are unpacked once, under the digest of their bytes: the runtime by the launcher, the rest here.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import struct
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from kb import fsio, hashing
from kb.config import ModelFile, ProgressReport, no_progress
from kb.errors import AlmanacError
from kb.unpacking import Archive, unpacked

BLOCK = 4096
OWN_KNOWLEDGE = "knowledge"
BACKUPS = "backups"
UPDATES = "updates"
PROFILE = "profile.yaml"
DIRECTORY_MAGIC = b"ALMANAC2"
RUNTIME = "runtime"
_INDEX = "index"
# Characters of a digest that name what was unpacked from it.
SHORT = 16
# Magic, length of the JSON; for the launcher (scripts/launcher/launcher.c): where the runtime part lies, the length of
# its index, its length, and the digest that names it.
_DIRECTORY_HEAD = struct.Struct(f"<8sIQQQ{SHORT}s")
FACTS = "facts"
"""The kind of the part that holds `ProgramFacts` as JSON, but for the machine: that stands in the file's own header."""
ELF_MACHINES = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
_ELF_HEAD = struct.Struct("<4s14xH")


@dataclass(frozen=True, slots=True)
class Part:
    """A file inside the executable."""

    name: str
    kind: str
    offset: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """What a program says of itself: its version, when its newest source is from (ISO, UTC), the machine it is for."""

    version: str
    built: str
    machine: str


@dataclass(frozen=True, slots=True)
class Assets:
    """What came with the program: models, native programs, knowledge."""

    answer_model: ModelFile | None = None
    embedder: ModelFile | None = None
    dictionary: ModelFile | None = None
    llama_libs: Path | None = None
    git: Path | None = None
    knowledge: Path | None = None
    prebuilt_index: Path | None = None
    history_bundle: Path | None = None
    licences: Path | None = None


def is_frozen() -> bool:
    """Whether this is the packed executable."""
    return bool(getattr(sys, "frozen", False))


def project_root() -> Path:
    """The folder of agent_main.py in a source checkout."""
    return Path(__file__).resolve().parent.parent


def program_file() -> Path | None:
    """The executable file that people have; None in a source checkout.

    The launcher replaces itself by the unpacked runtime and names its own file as argv[0].
    """
    return Path(sys.argv[0]).resolve() if is_frozen() else None


def runtime_file() -> Path | None:
    """The unpacked runtime's own program; None in a source checkout."""
    return Path(sys._MEIPASS).parent / "almanac" if is_frozen() else None  # type: ignore[attr-defined]


def runtime_home() -> Path | None:
    """The folder in which the launcher found room for a runtime that runs; None in a source checkout."""
    runtime = runtime_file()
    return None if runtime is None else runtime.parents[2]


def keep_importing() -> None:
    """Let modules be read from the program that runs, not from its name: whoever cleans up may take that away.

    PyInstaller's reader would end the process with the next import.
    """
    archive = getattr(sys.modules.get("pyimod02_importers"), "pyz_archive", None)
    if archive is not None and Path(running := "/proc/self/exe").exists():
        archive._filename = running


def self_command() -> tuple[str, ...]:
    """The command that starts this program again."""
    program = program_file()
    if program is not None:
        return (str(program),)
    return (sys.executable, str(project_root() / "agent_main.py"))


def foreign_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` for programs of the system: without what the packed executable needs for itself.

    Its library path would give them our libraries, and a copy of ourselves that outlives us must unpack its own.
    """
    kept = {name: value for name, value in environment.items() if not name.startswith(("_PYI_", "_MEI"))}
    if is_frozen():
        kept["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
        kept.pop("LD_LIBRARY_PATH", None)
        if original := kept.pop("LD_LIBRARY_PATH_ORIG", ""):
            kept["LD_LIBRARY_PATH"] = original
    return kept


def find_home(explicit: str | None, environment: Mapping[str, str]) -> tuple[Path, str | None]:
    """The home folder, and a note when it is only temporary.

    Order: --home, ALMANAC_HOME, `almanac-data` beside the executable, the platform's data folder, where the launcher
    went without it, a private temporary folder. One that a person named and that cannot be written is an error, not a
    reason to go on; so is it when no folder can be written.
    """
    named = explicit or environment.get("ALMANAC_HOME")
    if named:
        folder = Path(named).expanduser().absolute()
        if not fsio.is_writable(folder):
            fsio.make_folder(folder)
            raise AlmanacError("not_writable", path=str(folder), reason=os.strerror(errno.EROFS))
        return folder, None
    beside = (program_file() or project_root() / "agent_main.py").parent / "almanac-data"
    if beside.is_dir() and fsio.is_writable(beside):
        return beside, None
    wanted: Path | None = None
    with contextlib.suppress(RuntimeError, KeyError, OSError):
        wanted = Path(platformdirs.user_data_dir("almanac", appauthor=False))
        if fsio.is_writable(wanted):
            return wanted, None
    passing = _passing_home()
    if passing is None:
        raise AlmanacError("not_writable", path=str(wanted or "~"), reason=os.strerror(errno.EROFS))
    return passing, str(passing)


def _passing_home() -> Path | None:
    """A folder that only this user reaches, for a run without a home; None when there is none."""
    place = runtime_home()
    if place is not None and _private(place):
        return place
    with contextlib.suppress(OSError):
        temporary = Path(tempfile.gettempdir()) / f"almanac-{os.getuid() if hasattr(os, 'getuid') else 0}"
        return temporary if _private(temporary) else Path(tempfile.mkdtemp(prefix="almanac-"))
    return None


def own_knowledge(home: Path) -> Path | None:
    """Knowledge of one's own in the home folder, which answers instead of what came with the program; None without."""
    folder = home / OWN_KNOWLEDGE
    return folder if folder.is_dir() else None


def index_of(home: Path, root: Path) -> Path:
    """Where the index of the tree at `root` (absolute) lies in `home`: the same for command line, interface and SDK."""
    return home / _INDEX / _tree_key(root)


def history_of(home: Path, root: Path) -> Path:
    """Where the history of the tree at `root` (absolute) lies in `home` once it is unpacked from its bundle."""
    return home / "history" / _tree_key(root)


def _tree_key(root: Path) -> str:
    return hashing.sha256(str(root).encode()).hexdigest()[:SHORT]


def _private(folder: Path) -> bool:
    """Make `folder` for this user alone; False when it is somebody else's or cannot be written."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        owner = folder.stat()
    except OSError:
        return False
    is_own = not hasattr(os, "getuid") or (owner.st_uid == os.getuid() and not folder.is_symlink())
    return is_own and fsio.is_writable(folder)


def default_home() -> Path:
    """The home folder for SDK use, without any command line."""
    return find_home(None, {})[0]


def read_parts(executable: Path) -> list[Part]:
    """The parts inside the executable; AlmanacError when the file is cut or was not built whole."""
    try:
        with executable.open("rb") as file:
            file.seek(-BLOCK, os.SEEK_END)
            block = file.read(BLOCK)
        magic, count, *_ = _DIRECTORY_HEAD.unpack_from(block)
    except (OSError, struct.error) as error:
        raise AlmanacError("executable_damaged", path=str(executable), reason=str(error)) from error
    if magic != DIRECTORY_MAGIC:
        raise AlmanacError("executable_damaged", path=str(executable), reason="end of file")
    try:
        entries = json.loads(block[_DIRECTORY_HEAD.size : _DIRECTORY_HEAD.size + count])
        return [Part(**entry) for entry in entries]
    except (ValueError, TypeError, RecursionError) as error:
        raise AlmanacError("executable_damaged", path=str(executable), reason="directory") from error


def _part(executable: Path, kind: str) -> Part | None:
    return next((part for part in read_parts(executable) if part.kind == kind), None)


def program_facts(executable: Path) -> ProgramFacts:
    """What the program in a file says of itself. AlmanacError when it is damaged, or no Almanac for a machine like
    this."""
    part = _part(executable, FACTS)
    try:
        with executable.open("rb") as file:
            magic, machine = _ELF_HEAD.unpack(file.read(_ELF_HEAD.size))
            if part is None or magic != b"\x7fELF":
                raise AlmanacError("executable_damaged", path=str(executable), reason="facts")
            file.seek(part.offset)
            found = json.loads(file.read(min(part.size, BLOCK)))
        return ProgramFacts(str(found["version"]), str(found["built"]), ELF_MACHINES.get(machine, f"{machine}"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error) as error:
        raise AlmanacError("executable_damaged", path=str(executable), reason="facts") from error


def packed_files(executable: Path, kind: str) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each file in the part `kind` of an executable, nothing of it written anywhere.

    AlmanacError when the part is damaged; nothing at all without such a part.
    """
    part = _part(executable, kind)
    if part is None:
        return
    try:
        with executable.open("rb") as file:
            file.seek(part.offset)
            with tarfile.open(fileobj=file, mode="r:") as archive:
                for member in archive:
                    if member.size > part.size:
                        raise tarfile.TarError(member.name)
                    held = archive.extractfile(member) if member.isreg() else None
                    if held is not None:
                        yield member.name, held.read()
    except (OSError, ValueError, TypeError, tarfile.TarError) as error:
        raise AlmanacError("executable_damaged", path=str(executable), reason=str(error)) from error


def directory_block(parts: list[Part], index_size: int = 0) -> bytes:
    """The directory block, BLOCK bytes, for `read_parts` and the launcher; `index_size`: of the runtime, in bytes."""
    fields = ("name", "kind", "offset", "size", "sha256")
    data = json.dumps([{name: getattr(part, name) for name in fields} for part in parts]).encode()
    none = Part("", RUNTIME, 0, 0, "0" * SHORT)
    runtime = next((part for part in parts if part.kind == RUNTIME), none)
    digest = runtime.sha256[:SHORT].encode()
    head = _DIRECTORY_HEAD.pack(DIRECTORY_MAGIC, len(data), runtime.offset, index_size, runtime.size, digest)
    if len(head + data) > BLOCK:
        raise ValueError("directory block is full")
    return (head + data).ljust(BLOCK, b"\0")


def find_assets(home: Path, report: ProgressReport = no_progress) -> Assets:
    """What came with this program, unpacked where needed."""
    program = program_file()
    return _source_assets() if program is None else _frozen_assets(program, home, report)


def _frozen_assets(executable: Path, home: Path, report: ProgressReport) -> Assets:
    by_kind = {part.kind: part for part in read_parts(executable)}

    def model(kind: str) -> ModelFile | None:
        part = by_kind.get(kind)
        if part is None:
            return None
        return ModelFile(part.name, executable, part.offset, part.size, part.sha256)

    native = _unpacked(executable, by_kind.get("native"), programs_home(home) / "native", report)
    knowledge = _unpacked(executable, by_kind.get("knowledge"), home / "kb", report)
    return Assets(
        answer_model=model("answer"),
        embedder=model("embedder"),
        dictionary=model("dictionary"),
        llama_libs=native / "llama" if native else None,
        git=native / "git" if native else None,
        knowledge=knowledge / "docs" if knowledge else None,
        prebuilt_index=knowledge / _INDEX if knowledge else None,
        history_bundle=knowledge / "history.bundle" if knowledge else None,
        licences=native / "licences" if native else None,
    )


def programs_home(home: Path) -> Path:
    """Where programs and libraries are unpacked: `home`, unless nothing can be run from there (a FAT stick).

    Then it is where the launcher has put the runtime: that runs.
    """
    return home if fsio.can_run(home) else runtime_home() or home


def _unpacked(executable: Path, part: Part | None, parent: Path, report: ProgressReport) -> Path | None:
    if part is None:
        return None
    archive = Archive(executable, part.offset, part.size, part.sha256, growing=_INDEX)
    return unpacked(archive, parent / part.sha256[:SHORT], report)


def _source_assets() -> Assets:
    """From a source checkout: what scripts/bootstrap.py wrote into build/assets.json."""
    root = project_root()
    knowledge = root / "docs" if (root / "docs").is_dir() else None
    try:
        found = json.loads((root / "build" / "assets.json").read_text("utf-8"))
    except (OSError, ValueError):
        return Assets(knowledge=knowledge)

    def model(kind: str) -> ModelFile | None:
        path = Path(found.get(kind) or root / "none")
        try:
            return model_file(path, found.get(f"{kind.split('_')[0]}_sha256", ""))
        except AlmanacError:
            return None

    libraries = Path(found.get("llama_lib") or root / "none")
    words = Path(found.get("dictionary") or root / "none")
    return Assets(
        answer_model=model("answer_model"),
        embedder=model("embedder"),
        dictionary=dictionary_file(words, found.get("dictionary_sha256", "")) if words.is_file() else None,
        llama_libs=libraries if libraries.is_dir() else None,
        knowledge=knowledge,
    )


def dictionary_file(path: Path, sha256: str = "") -> ModelFile:
    """A dictionary that stands alone in a file. OSError when there is none."""
    return ModelFile(path.name, path.resolve(), 0, path.stat().st_size, sha256)


def model_file(path: Path, sha256: str = "") -> ModelFile:
    """A model that stands alone in a file.

    Raises AlmanacError when there is no such file or it does not begin like a GGUF.
    """
    try:
        state = path.stat()
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise AlmanacError("unreadable", path=str(path), reason=error.strerror or str(error)) from error
    if magic != b"GGUF":
        raise AlmanacError("model_not_gguf", path=str(path))
    return ModelFile(path.name, path.resolve(), 0, state.st_size, sha256)
