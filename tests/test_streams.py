"""kb.streams: streams that were closed, are full or went away change neither files nor exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.helpers import PROJECT

FULL = Path("/dev/full")
_HEAD = "import os, sys\nfrom kb import streams\nstreams.prepare()\n"
# Python is started by a shell, which closes and redirects before that.
_SHELL = 'code="$1"; exec "$0" -c "$code" {redirections}'


def _run(code: str, redirections: str = "", environment: Mapping[str, str] | None = None) -> tuple[int, bytes, bytes]:
    """Run Python code after `prepare`; its exit code, standard output and standard error."""
    done = subprocess.run(
        ["sh", "-c", _SHELL.format(redirections=redirections), sys.executable, _HEAD + code], cwd=PROJECT,
        capture_output=True, timeout=60, check=False, env={**os.environ, "PYTHONUNBUFFERED": "", **(environment or {})},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("redirections", "out", "err"),
    [("", b"out", b"err"), (">&-", b"", b"err"), ("2>&-", b"out", b""), ("<&- >&- 2>&-", b"", b"")],
)
def test_a_closed_stream_leads_nowhere(tmp_path: Path, redirections: str, out: bytes, err: bytes) -> None:
    target = tmp_path / "data"
    code = (
        f"file = os.open({str(target)!r}, os.O_WRONLY | os.O_CREAT)\n"
        "os.write(file, b'data')\n"
        "print('out', end='', flush=True); print('err', end='', file=sys.stderr, flush=True)\n"
        "os.write(1, b''); os.system('echo from a child >&1')\n"
        "assert sys.stdin.read() == ''\n"
        "streams.let_go()"
    )
    shown = _run(code, redirections if "<" in redirections else f"{redirections} </dev/null")
    assert shown == (0, out + (b"from a child\n" if out else b""), err)
    assert target.read_bytes() == b"data"


def test_a_character_that_the_encoding_lacks_is_no_error() -> None:
    code = "print('大豆 45°'); streams.let_go()"
    assert _run(code, environment={"PYTHONIOENCODING": "ascii"}) == (0, "大豆 45°\n".encode(), b"")
    assert _run(code, environment={"PYTHONIOENCODING": "latin-1"}) == (0, "?? 45°\n".encode("latin-1"), b"")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize("redirections", [f">{FULL}", f"2>{FULL}", f">{FULL} 2>{FULL}"])
def test_what_nobody_takes_does_not_change_the_exit_code(redirections: str) -> None:
    code = "sys.stdout.write('x'); sys.stderr.write('y'); {}sys.exit(3)"
    assert _run(code.format("streams.let_go(); "), redirections)[0] == 3


def test_a_stream_that_python_code_closed_stays_closed() -> None:
    assert _run("sys.stdout.close(); streams.let_go(); sys.exit(sys.stdout.closed)") == (1, b"", b"")
