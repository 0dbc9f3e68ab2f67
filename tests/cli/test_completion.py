"""kb.cli.completion: scripts that the shells accept and that name every verb."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from kb.cli.parser import VERBS
from tests.conftest import CommandLine


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_and_option_is_offered(cli: CommandLine, shell: str) -> None:
    out = cli("completion", shell).out
    assert all(verb in out for verb in VERBS)
    assert "knowledge" in out
    assert "all-dates" in out
    assert "{{" not in out


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_accepts_and_uses_it(cli: CommandLine) -> None:
    script = cli("completion", "bash").out
    script += '\nCOMP_WORDS=(almanac se); COMP_CWORD=1; _almanac; echo "${COMPREPLY[*]}"'
    script += '\nCOMP_WORDS=(almanac ask --js); COMP_CWORD=2; _almanac; echo "${COMPREPLY[*]}"'
    script += '\nCOMP_WORDS=(almanac memory re); COMP_CWORD=2; _almanac; echo "${COMPREPLY[*]}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout.split("\n")[:3] == ["search self-test", "--json", "review"]
    assert done.stderr == ""
