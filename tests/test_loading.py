"""What a run really loads: seen in `sys.modules` of a process of its own."""

from __future__ import annotations

import pytest

from tests.helpers import run_python

pytestmark = pytest.mark.slow

_LIST = "import sys; print(' '.join(sorted({name.split('.')[0] for name in sys.modules})))"


def _loaded(code: str) -> set[str]:
    done = run_python(f"{code}\n{_LIST}")
    assert done.code == 0, done.err
    return set(done.out.strip().split("\n")[-1].split())


def test_the_facade_loads_nothing_heavy() -> None:
    heavy = {
        "numpy",
        "textual",
        "rich",
        "git",
        "ruamel",
        "llama_cpp",
        "sqlite3",
        "markdown_it",
        "snowballstemmer",
        "tui",
    }
    assert not _loaded("import kb") & heavy


def test_the_sdk_loads_neither_interface_nor_engine() -> None:
    loaded = _loaded("from kb import KnowledgeRetriever, Document, lookup_knowledge, AlmanacError")
    assert "kb" in loaded
    assert not loaded & {"textual", "rich", "tui", "git", "llama_cpp", "asyncio", "socket"}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["ask", "--help"], ["nonsense"]])
def test_a_short_answer_loads_nothing_heavy(arguments: list[str]) -> None:
    loaded = _loaded(f"import agent_main\ntry:\n agent_main.main({arguments!r})\nexcept SystemExit:\n pass\nprint()")
    assert not loaded & {"numpy", "textual", "rich", "ruamel", "llama_cpp", "sqlite3", "git", "platformdirs"}


def test_all_verbs_together_never_load_the_interface() -> None:
    verbs = ["ask", "agent", "search", "index", "backup", "restore"]
    verbs += ["doctor", "completion", "output", "parser", "selftest"]
    loaded = _loaded("; ".join(f"import kb.cli.{verb}" for verb in verbs))
    assert not loaded & {"textual", "rich", "tui", "git", "asyncio"}
