"""scripts.glibc_floor: what glibc an executable needs, from the programs inside."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import build_launcher
import glibc_floor
import pytest
from common import ScriptError

from kb.paths import BLOCK, RUNTIME, Part, directory_block
from tests.helpers import tar_of

LISTING = """Version needs section '.gnu.version_r' contains 2 entries:
  0x0010:   Name: GLIBC_2.4  Flags: none  Version: 6
  0x0020:   Name: GLIBC_2.17  Flags: none  Version: 5
  0x0030:   Name: GLIBCXX_3.4.30  Flags: none  Version: 4
"""


@pytest.mark.parametrize(
    ("listing", "version"),
    [
        (LISTING, (2, 17)),
        (LISTING + "  0x0040:   Name: GLIBC_ABI_DT_RELR  Flags: none  Version: 3\n", (2, 36)),
        ("No version information found in this file.\n", (0, 0)),
    ],
)
def test_the_highest_version_counts(listing: str, version: tuple[int, int]) -> None:
    assert glibc_floor.needed(listing) == version


def _executable(folder: Path, library: bytes) -> Path:
    """Laid out as the real one: a launcher, a model, a part with `library` and a text, the runtime, the directory."""
    native = tar_of({"llama/libx.so": library, "licences/LICENSE": b"text"})
    runtime = folder / "runtime"
    (runtime / "lib").mkdir(parents=True)
    (runtime / "lib" / "with space.so").write_bytes(library)
    (runtime / "lib" / "text.py").write_text("f 644 9 0 x\n")
    (runtime / "lib" / "link.so").symlink_to("text.py")
    packed = folder / "runtime.bin"
    build_launcher.pack_runtime(runtime, packed)
    made = bytearray(Path(sys.executable).resolve().read_bytes())
    entries = []
    for kind, content in (
        ("answer", b"GGUF" + library), ("native", native), (RUNTIME, packed.read_bytes())
    ):  # fmt: skip
        made += b"\0" * (-len(made) % BLOCK)
        entries.append(Part(kind, kind, len(made), len(content), "0" * 64))
        made += content
    made += b"\0" * (-len(made) % BLOCK) + directory_block(entries)
    path = folder / "almanac"
    path.write_bytes(made)
    return path


@pytest.fixture
def executable(tmp_path: Path) -> Path:
    program = shutil.which("git") or shutil.which("sh")
    assert program is not None
    return _executable(tmp_path, Path(os.path.realpath(program)).read_bytes())


def test_every_program_inside_is_looked_at_and_nothing_else(executable: Path) -> None:
    found = glibc_floor.survey(executable)
    assert set(found) == {"launcher", "native/llama/libx.so", "runtime/lib/with space.so"}
    assert all(version >= (2, 2) for version in found.values())


def test_a_newer_glibc_fails_with_the_names(
    executable: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["glibc_floor.py", str(executable), *words])
        glibc_floor.main()
        return capsys.readouterr().out

    assert "native/llama/libx.so" in run()
    assert "native/llama/libx.so" not in run("--quiet", "--most", "2.99")
    with pytest.raises(ScriptError, match=r"newer than glibc 2\.1.*libx\.so"):
        run("--most", "2.1")
