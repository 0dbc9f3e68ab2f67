"""scripts.cross_packages: which packages another processor gets, from the locks."""

from __future__ import annotations

import cross_packages
import pytest
from common import ScriptError

from tests.helpers import PROJECT

RUN = """anyio==4.1 \\
    --hash=sha256:aa
    # via mcp
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:bb
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:cc
"""
DEV = RUN + "".join(f"{name}==1.0 \\\n    --hash=sha256:dd\n" for name in (*cross_packages.BUILD_PACKAGES, "ruff"))


def test_all_of_the_run_lock_and_pyinstaller_and_no_more() -> None:
    text = cross_packages.wanted(RUN, DEV)
    assert text.startswith(RUN)
    names = set(cross_packages.entries(text))
    assert names == {"anyio", "numpy", *cross_packages.BUILD_PACKAGES}
    assert "sha256:bb" in text and "sha256:cc" in text


def test_a_lock_without_pyinstaller_is_refused() -> None:
    with pytest.raises(ScriptError, match="pyinstaller"):
        cross_packages.wanted(RUN, RUN)


def test_the_real_locks_hold_what_is_needed() -> None:
    locks = [(PROJECT / "requirements" / f"{level}.lock").read_text("utf-8") for level in ("run", "dev")]
    found = cross_packages.entries(cross_packages.wanted(*locks))
    assert {"textual", "numpy", "pyinstaller"} <= set(found)
    assert "pytest" not in found
    assert all("--hash=sha256:" in entry for entry in found.values())


def test_no_wheel_is_newer_than_the_target() -> None:
    names = cross_packages.platforms("aarch64")
    assert names[0] == "manylinux_2_36_aarch64"
    assert names[-1] == "manylinux2014_aarch64"
    assert "manylinux_2_17_aarch64" in names
