"""scripts.build_target: programs and libraries of the machine that is built for."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from build_binary import _SYSTEM_LIBRARIES
from build_llama import host_arch
from build_target import Target
from common import ScriptError

HERE = Target(host_arch())


def test_the_building_machine_uses_its_own_tools(tmp_path: Path) -> None:
    assert HERE.tool("objcopy") == "objcopy"
    script = "import os; open('made', 'w').write(os.environ['WORD'])"
    script = "import os; open('made', 'w').write(os.environ['WORD'])"
    HERE.python("-c", script, folders=(tmp_path,), environment={"WORD": "x"})
    assert (tmp_path / "made").read_text() == "x"


def test_libraries_are_found_with_those_that_they_need() -> None:
    found = dict(HERE.linked(HERE.git(), _SYSTEM_LIBRARIES))
    assert all(path.is_file() for path in found.values())
    assert not [name for name in found if name.startswith(("libc.so", "ld-linux"))]
    assert "libz.so.1" in found


def test_another_processor_has_tools_and_files_of_its_own(tmp_path: Path) -> None:
    target = Target("aarch64", tmp_path)
    assert target.tool("objcopy") == "aarch64-linux-gnu-objcopy"
    with pytest.raises(ScriptError, match="not complete"):
        target.git()
    (tmp_path / "usr/bin").mkdir(parents=True)
    (tmp_path / "usr/bin/git").write_bytes(b"")
    assert target.git() == tmp_path / "usr/bin/git"


def test_a_library_that_the_root_lacks_is_named(tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copy(Path(sys.executable).resolve(), program)
    target = Target(host_arch(), tmp_path)
    if shutil.which(target.tool("readelf")) is None:
        pytest.skip("binutils under the cross name are not installed")
    with pytest.raises(ScriptError, match="was not found"):
        target.linked(program, ("ld-linux",))
