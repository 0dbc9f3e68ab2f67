"""kb.paths: where things live, and the layout of the executable."""

from __future__ import annotations

import hashlib
import os
import struct
import sys
import tarfile
import tempfile
import types
from pathlib import Path

import pytest

from kb import fsio, paths
from kb.errors import AlmanacError
from kb.paths import BLOCK, Part, directory_block, find_home, own_knowledge, read_parts
from tests.helpers import PROJECT, tar_of


def _executable(path: Path, parts: dict[str, bytes], tamper: bytes | None = None) -> Path:
    """A file laid out like the real one: launcher, parts on 4096, directory block."""
    data = bytearray(b"\x7fELF launcher".ljust(BLOCK, b"\0"))
    entries = []
    for kind, content in parts.items():
        entries.append(Part(f"{kind}.bin", kind, len(data), len(content), hashlib.sha256(content).hexdigest()))
        data += content.ljust(-(-len(content) // BLOCK) * BLOCK, b"\0")
    data += directory_block(entries) if tamper is None else tamper.ljust(BLOCK, b"\0")
    path.write_bytes(data)
    return path


def _head(length: int) -> bytes:
    return b"ALMANAC2" + struct.pack("<IQQQ16s", length, 0, 0, 0, b"0" * 16)


MODEL = b"GGUF" + b"m" * 5000
KNOWLEDGE = tar_of({"docs/a.md": b"# A", "index/index.db": b"db", "history.bundle": b"b"})


@pytest.fixture
def frozen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = _executable(
        tmp_path / "almanac", {"answer": MODEL, "knowledge": KNOWLEDGE, "native": tar_of({"git/bin/git": b"g"})}
    )
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "place" / "runtime" / "0123" / "_internal"), raising=False)
    return path


def test_parts_are_found_where_they_lie(frozen: Path) -> None:
    parts = {part.kind: part for part in read_parts(frozen)}
    assert parts["answer"].offset % BLOCK == 0
    assert frozen.read_bytes()[parts["answer"].offset :].startswith(MODEL)


def test_models_stay_in_the_file_and_knowledge_is_unpacked_once(frozen: Path, tmp_path: Path) -> None:
    home = tmp_path / "h"
    reports: list[str] = []
    assets = paths.find_assets(home, lambda phase, done, total: reports.append(phase))
    assert assets.answer_model is not None
    assert (assets.answer_model.path, assets.answer_model.size) == (frozen, len(MODEL))
    assert assets.embedder is None
    assert assets.knowledge is not None
    assert (assets.knowledge / "a.md").read_text() == "# A"
    assert reports
    reports.clear()
    stamp = (assets.knowledge / "a.md").stat().st_mtime_ns
    assert paths.find_assets(home, lambda phase, done, total: reports.append(phase)) == assets
    assert reports == []
    assert (assets.knowledge / "a.md").stat().st_mtime_ns == stamp
    assert not list(home.rglob("*.gguf"))
    assert not [entry for entry in home.rglob("*") if "tmp" in entry.name]
    assert paths.self_command() == (str(frozen),)


@pytest.mark.parametrize(
    "tamper",
    [
        b"",
        b"NOTALMAN" + b"\0" * 20,
        _head(9) + b"not json!",
        _head(9) + b'[{"a":1}]',
        _head(2) + b"[[",
        b"ALMANAC2\xff\xff\xff\xff",
    ],
)
def test_a_damaged_directory_is_said(tmp_path: Path, tamper: bytes) -> None:
    path = _executable(tmp_path / "almanac", {"answer": MODEL}, tamper)
    with pytest.raises(AlmanacError) as caught:
        read_parts(path)
    assert caught.value.key == "executable_damaged"
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("left", [0, 10, 88, 4096, 8192, -1])
def test_a_cut_executable_is_said(frozen: Path, left: int) -> None:
    frozen.write_bytes(frozen.read_bytes()[:left])
    with pytest.raises(AlmanacError) as caught:
        read_parts(frozen)
    assert caught.value.key == "executable_damaged"


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        read_parts(tmp_path / "none")
    assert caught.value.key == "executable_damaged"


def test_the_directory_has_room_for_its_parts() -> None:
    with pytest.raises(ValueError, match="full"):
        directory_block([Part("n" * 200, "k", 0, 0, "0" * 64)] * 20)
    assert len(directory_block([])) == BLOCK


def test_a_checkout_knows_its_documents_and_itself() -> None:
    assert paths.find_assets(Path("/nonexistent")).knowledge == PROJECT / "docs"
    assert paths.self_command() == (sys.executable, str(PROJECT / "agent_main.py"))
    assert not paths.is_frozen()


def test_a_checkout_without_models_still_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "project_root", lambda: tmp_path)
    assert paths.find_assets(tmp_path) == paths.Assets()
    (tmp_path / "build").mkdir()
    (tmp_path / "docs").mkdir()
    for content in ("{", "{}", '{"embedder": "/none.gguf", "llama_lib": "/none"}'):
        (tmp_path / "build" / "assets.json").write_text(content)
        assert paths.find_assets(tmp_path) == paths.Assets(knowledge=tmp_path / "docs")


def test_a_model_file_must_be_one(tmp_path: Path) -> None:
    good = tmp_path / "m.gguf"
    good.write_bytes(MODEL)
    assert paths.model_file(good).size == len(MODEL)
    (tmp_path / "cut").write_bytes(b"GG")
    for name, key in (("cut", "model_not_gguf"), ("none", "unreadable"), (".", "unreadable")):
        with pytest.raises(AlmanacError) as caught:
            paths.model_file(tmp_path / name)
        assert caught.value.key == key


# -- the home folder -----------------------------------------------------------------------------------------------


def test_what_a_person_names_comes_first(tmp_path: Path) -> None:
    environment = {"ALMANAC_HOME": str(tmp_path / "env")}
    assert find_home(str(tmp_path / "named"), environment) == (tmp_path / "named", None)
    assert find_home(None, environment) == (tmp_path / "env", None)


def test_a_relative_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_home("h", {})[0] == tmp_path / "h"


def test_a_named_home_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("/proc/almanac", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        with pytest.raises(AlmanacError) as caught:
            find_home(name, {})
        assert name in str(caught.value)


def test_a_folder_beside_the_program_serves_a_usb_stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "project_root", lambda: tmp_path)
    (tmp_path / "almanac-data").mkdir()
    assert find_home(None, {}) == (tmp_path / "almanac-data", None)


def test_otherwise_the_platforms_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    monkeypatch.setattr(paths, "project_root", lambda: tmp_path)
    assert find_home(None, {}) == (own_home / ".local/share/almanac", None)


def _make_unwritable(monkeypatch: pytest.MonkeyPatch, *others: Path) -> None:
    """The platform's folder and `others` are only read."""
    writable = fsio.is_writable
    monkeypatch.setattr(
        fsio, "is_writable", lambda folder: ".local" not in folder.parts and folder not in others and writable(folder)
    )


def test_otherwise_a_private_temporary_folder_and_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "project_root", lambda: tmp_path)
    _make_unwritable(monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    home, note = find_home(None, {})
    assert home.parent == tmp_path
    assert note == str(home)
    assert home.stat().st_mode & 0o777 == 0o700
    assert find_home(None, {})[0] == home
    home.rmdir()
    home.symlink_to("/tmp")
    other, _ = find_home(None, {})
    assert other != home
    assert other.stat().st_mode & 0o777 == 0o700


def test_someone_elses_temporary_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / f"almanac-{os.getuid()}"
    folder.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    assert not paths._private(folder)


def test_knowledge_of_ones_own_is_a_folder_in_the_home(tmp_path: Path) -> None:
    assert own_knowledge(tmp_path) is None
    (tmp_path / "knowledge").mkdir()
    assert own_knowledge(tmp_path) == tmp_path / "knowledge"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_modules_are_read_from_the_program_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = types.SimpleNamespace(pyz_archive=types.SimpleNamespace(_filename="/gone/almanac"))
    monkeypatch.setitem(sys.modules, "pyimod02_importers", reader)
    paths.keep_importing()
    assert Path(reader.pyz_archive._filename).samefile(sys.executable)


def test_the_program_file_is_the_one_that_was_started(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths.program_file() == frozen
    monkeypatch.delattr(sys, "frozen")
    assert paths.program_file() is None


FACTS = b'{"version": "1.2.3", "built": "2026-11-01T00:00:00Z"}'


def test_a_program_says_what_it_is_without_being_started(tmp_path: Path) -> None:
    path = _executable(tmp_path / "almanac", {"facts": FACTS})
    data = bytearray(path.read_bytes())
    for number, machine in ((62, "x86_64"), (183, "aarch64"), (9999, "9999")):
        struct.pack_into("<H", data, 18, number)
        path.write_bytes(data)
        assert paths.program_facts(path) == paths.ProgramFacts("1.2.3", "2026-11-01T00:00:00Z", machine)


@pytest.mark.parametrize("facts", [None, b"", b"[]", b'{"version": 1}', b"[" * 4000], ids=range(5))
def test_a_program_without_facts_is_refused(tmp_path: Path, facts: bytes | None) -> None:
    path = _executable(tmp_path / "almanac", {"facts": facts} if facts is not None else {"knowledge": KNOWLEDGE})
    with pytest.raises(AlmanacError) as caught:
        paths.program_facts(path)
    assert caught.value.key == "executable_damaged"


def test_a_directory_of_nested_lists_is_refused(tmp_path: Path) -> None:
    path = _executable(tmp_path / "almanac", {}, _head(4000) + b"[" * 4000)
    with pytest.raises(AlmanacError) as caught:
        read_parts(path)
    assert caught.value.key == "executable_damaged"


def test_files_of_a_part_are_read_where_they_lie(tmp_path: Path) -> None:
    path = _executable(tmp_path / "almanac", {"knowledge": KNOWLEDGE})
    before = sorted(tmp_path.iterdir())
    assert dict(paths.packed_files(path, "knowledge"))["docs/a.md"] == b"# A"
    assert list(paths.packed_files(path, "native")) == []
    assert sorted(tmp_path.iterdir()) == before
    lying = tarfile.TarInfo("docs/a.md")
    lying.size = 1 << 40
    with pytest.raises(AlmanacError) as caught:
        list(paths.packed_files(_executable(path, {"knowledge": lying.tobuf() + KNOWLEDGE}), "knowledge"))
    assert caught.value.key == "executable_damaged"


def test_programs_of_the_system_are_not_given_what_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"HOME": "/h", "_PYI_ARCHIVE_FILE": "x", "_MEIPASS2": "x", "LD_LIBRARY_PATH": "/tmp/_MEI1"}
    assert paths.foreign_environment(given) == {"HOME": "/h", "LD_LIBRARY_PATH": "/tmp/_MEI1"}, "a source run"
    monkeypatch.setattr(paths, "is_frozen", lambda: True)
    assert paths.foreign_environment(given) == {"HOME": "/h", "PYINSTALLER_RESET_ENVIRONMENT": "1"}
    kept = paths.foreign_environment(given | {"LD_LIBRARY_PATH_ORIG": "/opt/lib"})
    assert kept["LD_LIBRARY_PATH"] == "/opt/lib"


def test_programs_are_unpacked_where_they_can_be_run(
    frozen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    assert paths.programs_home(stick) == stick
    monkeypatch.setattr(fsio, "can_run", lambda folder: folder != stick)
    assert paths.programs_home(stick) == tmp_path / "place", "where the launcher put the runtime"
    libraries = paths.find_assets(stick).git
    assert libraries is not None and libraries.is_relative_to(tmp_path / "place" / "native")
    assert (stick / "kb").is_dir()


def test_a_checkout_runs_what_its_own_folders_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fsio, "can_run", lambda folder: False)
    assert paths.programs_home(tmp_path) == tmp_path


def test_without_a_home_what_is_kept_goes_where_the_launcher_went(
    frozen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make_unwritable(monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "small"))
    place = tmp_path / "place"
    place.mkdir()
    assert find_home(None, {}) == (place, str(place))


def test_a_runtime_on_a_medium_that_is_only_read_is_no_home(
    frozen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    _make_unwritable(monkeypatch, place)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert find_home(None, {})[0].parent == tmp_path


def test_nowhere_to_write_is_said_and_no_fault(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    monkeypatch.setattr(fsio, "is_writable", lambda folder: False)

    def nowhere(**_: str) -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    with pytest.raises(AlmanacError) as caught:
        find_home(None, {})
    assert caught.value.key == "not_writable" and str(own_home) in str(caught.value)
