"""The house rules: layers, one writer, one reader of the environment, a test file for every module."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import PROJECT

# Modules without a test file of their own, and where they are covered. This list may only shrink.
EXEMPT = {
    "kb.cli.terminal": "drives the interface; the self-test and scripts/smoke.py run it",
}
MAX_LINES = 400

# A module may import its own room and lower ones. Ground floor: 0.
RANKS = {
    "kb.errors": 0, "kb.paths": 0, "kb.fsio": 0, "kb.config": 0, "kb.db": 0, "kb.plain": 0, "kb.native": 0,
    "kb.texts": 0, "kb.crash": 0, "kb.timing": 0, "kb.watchdog": 0, "kb.streams": 0, "kb.instance": 0, "kb.kiosk": 0,
    "kb.device": 0, "kb.sizing": 0, "kb.installed": 0, "kb.unpacking": 0, "kb.hashing": 0,
    "kb.tree": 1, "kb.search": 2, "kb.versions": 2, "kb.supply": 3, "kb.memory": 3, "kb.answer": 4,
    "kb.sdk": 5, "kb.cli": 5, "kb.mcp": 5, "tui": 5, "agent_main": 6,
}  # fmt: skip
# `kb` itself names the SDK lazily; below it only the version is taken from there.
FACADE = "kb"

ENVIRONMENT_READERS = {
    "agent_main": "the edge",
    "kb.versions.git": "passes TMPDIR and the like on to git, nothing else of the environment",
    "kb.search.engine": "sets LLAMA_CPP_LIB_PATH, which llama_cpp reads when it is imported",
}
PROCESS_STARTERS = {
    "agent_main": "this program again in its own place, when a kiosk starts anew",
    "kb.versions.git": "git",
    "kb.memory.worker": "this program again, to read a document; text recognition",
    "kb.installed": "this program again, whose start unpacks its runtime",
    "kb.native": "this program again, to try a CPU library",
    "kb.cli.terminal": "this program again, on a pseudo-terminal",
    "kb.versions.update.program": "a new program, to test itself before it is used",
    "kb.cli.window": "a terminal window with this program in it; a dialog where there is none",
    "kb.cli.kiosk": "this program again, for what the screens of maintenance and doctor show",
}
WRITERS = {
    "kb.fsio": "the one writer",
    "kb.streams": "opens the null device for streams that are closed or that nobody reads",
}
FOLDER_MAKERS = {
    "kb.fsio": "temporary files beside their target",
    "kb.paths": "a private temporary home",
    "kb.unpacking": "unpacks into a folder of fsio",
    "kb.cli.selftest": "a temporary repository that git writes",
}


@functools.cache
def _modules() -> dict[str, Path]:
    """All modules of the program by name."""
    found = {"agent_main": PROJECT / "agent_main.py"}
    for room in ("kb", "tui"):
        for path in sorted((PROJECT / room).rglob("*.py")):
            parts = path.relative_to(PROJECT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def _tree(name: str) -> ast.Module:
    return ast.parse(_modules()[name].read_text("utf-8"))


def _imports(name: str, tree: ast.AST | None = None) -> Iterator[str]:
    """Every module that `name` imports, at the top or inside functions, type checking included."""
    for node in ast.walk(tree or _tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{name}: relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in _modules() else node.module


def _rank(module: str) -> int | None:
    """The rank of a module of this project; None for other people's."""
    parts = module.split(".")
    for length in (2, 1):
        rank = RANKS.get(".".join(parts[:length]))
        if rank is not None:
            return rank
    return None


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[0] if parts[0] != "kb" else ".".join(parts[:2])


def _upward(name: str, imported: list[str]) -> list[str]:
    """Imports of `name` that do not run downward."""
    own = _rank(name)
    assert own is not None, f"{name} has no rank: add its room to RANKS"
    wrong = []
    for module in imported:
        rank = _rank(module)
        if rank is None or _room(module) == _room(name):
            continue
        if rank > own or (rank == own and own > 0):
            wrong.append(f"{name} -> {module}")
    return wrong


def test_imports_run_downward() -> None:
    wrong = [edge for name in _modules() if name != FACADE for edge in _upward(name, list(_imports(name)))]
    assert wrong == []


def test_the_layer_check_sees_what_it_should() -> None:
    assert _upward("kb.tree.walk", ["kb.search.index"])
    assert _upward("kb.search.index", ["kb.versions.git"])
    assert _upward("kb.fsio", ["kb.tree.walk"])
    assert not _upward("kb.answer.answerer", ["kb.search.index", "kb.versions.git", "kb.tree.walk", "numpy"])
    found = set(_imports("x", ast.parse("def f():\n from kb import fsio\n import numpy.linalg\n")))
    assert found == {"kb.fsio", "numpy.linalg"}


def test_below_the_facade_only_the_version_is_taken_from_it() -> None:
    wrong = []
    for name in _modules():
        if not name.startswith("kb.") or name == FACADE:
            continue
        for node in ast.walk(_tree(name)):
            if isinstance(node, ast.ImportFrom) and node.module == "kb":
                wrong += [
                    f"{name}: {alias.name}"
                    for alias in node.names
                    if f"kb.{alias.name}" not in _modules() and alias.name != "__version__"
                ]
    assert wrong == []


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    """Among what is imported when a module is loaded (functions and type checking left out)."""
    graph = {name: _loaded_with(name) & _modules().keys() - {name, FACADE} for name in _modules()}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for following in sorted(graph[name]):
                visit(following, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def _loaded_with(name: str) -> set[str]:
    found: set[str] = set()
    for node in _tree(name).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= set(_imports(name, ast.Module([node], [])))
    return found


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("textual", ("tui",)),
        ("rich", ("tui",)),
        ("textual_image", ("tui",)),
        ("tui", ("tui", "agent_main")),
        ("git", ("kb.versions",)),
        ("llama_cpp", ("kb.search.engine",)),
        ("socket", ("kb.watchdog",)),
        ("urllib.request", ()),
        ("http", ()),
        ("requests", ()),
        ("asyncio", ("tui", "kb.mcp.transport")),
        ("anyio", ("kb.mcp",)),
        ("mcp", ()),  # kb.mcp.sdk imports it by name, without what its packages bring along
        ("pickle", ()),
    ],
)
def test_a_package_is_imported_only_where_it_belongs(package: str, allowed: tuple[str, ...]) -> None:
    users = {
        name
        for name in _modules()
        for module in _imports(name)
        if (module == package or module.startswith(package + "."))
    }
    assert sorted(name for name in users if not name.startswith(allowed or ("-",))) == []


def test_llama_cpp_is_imported_inside_functions_only() -> None:
    text = _modules()["kb.search.engine"].read_text("utf-8")
    assert "llama_cpp" in text
    assert not any(module.startswith("llama_cpp") for module in _loaded_with("kb.search.engine"))
    named = [
        name
        for name in _modules()
        for node in ast.walk(_tree(name))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "import_module"
        and any(isinstance(part, ast.Constant) and "llama_cpp" in str(part.value) for part in node.args)
    ]
    assert set(named) <= {"kb.search.engine"}


def _attributes(name: str) -> Iterator[str]:
    """`module.attribute` pairs that a module uses, `getattr(sys, "frozen")` and from-imports included."""
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") in ("getattr", "hasattr")
            and len(node.args) > 1
            and isinstance(node.args[0], ast.Name)
            and isinstance(node.args[1], ast.Constant)
        ):
            yield f"{node.args[0].id}.{node.args[1].value!s}"


def _users(*names: str) -> set[str]:
    return {module for module in _modules() if set(names) & set(_attributes(module))}


def test_only_paths_knows_about_the_frozen_layout() -> None:
    assert _users("sys.frozen", "sys._MEIPASS") == {"kb.paths"}


def test_only_the_edge_reads_the_environment() -> None:
    readers = _users("os.environ", "os.getenv", "os.environb", "os.getenvb", "os.putenv")
    assert sorted(readers - ENVIRONMENT_READERS.keys()) == []
    assert readers == set(ENVIRONMENT_READERS), "an exception that is no longer needed must go"


def test_the_engine_only_sets_its_variable_and_git_reads_its_few() -> None:
    engine = [
        node
        for node in ast.walk(_tree("kb.search.engine"))
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ"
    ]
    assert [ast.unparse(node) for node in engine] == ["os.environ['LLAMA_CPP_LIB_PATH']"]
    assert isinstance(engine[0].ctx, ast.Store)
    text = _modules()["kb.versions.git"].read_text("utf-8")
    assert text.count("os.environ") == 2
    assert '"TMPDIR", "TEMP", "TMP", "SYSTEMROOT"' in text


def test_processes_are_started_only_where_they_belong() -> None:
    starters = {
        name
        for name in _modules()
        if any(module.split(".")[0] in ("subprocess", "multiprocessing", "pty") for module in _imports(name))
        or {"os.system", "os.popen", "os.execv", "os.posix_spawn"} & set(_attributes(name))
    }
    assert sorted(starters - PROCESS_STARTERS.keys()) == []


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func)


def _writes(tree: ast.AST) -> list[str]:
    """Calls in `tree` that open a file for writing."""
    found: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = _name(node)
        last = called.rsplit(".", 1)[-1]
        if last in ("write_text", "write_bytes", "touch") and not called.startswith("fsio."):
            found.append(called)
        elif called == "os.open":
            flags = ast.unparse(node.args[1])
            if any(flag in flags for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND")):
                found.append(called)
        elif last in ("open", "fdopen"):
            place = 1 if called in ("open", "io.open", "os.fdopen") else 0
            modes = [ast.unparse(argument) for argument in node.args[place : place + 1]]
            modes += [ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == "mode"]
            if any(mark in mode for mode in modes for mark in "wax+" if mode.startswith(("'", '"'))):
                found.append(called)
        elif called in ("np.save", "np.savez", "numpy.save", "shutil.copy", "shutil.copyfile", "shutil.copy2",
                        "shutil.copytree", "shutil.move", "os.replace", "os.rename", "os.truncate"):  # fmt: skip
            found.append(called)
    return found


def test_one_module_opens_files_for_writing() -> None:
    writers = {name: calls for name in _modules() if name not in WRITERS and (calls := _writes(_tree(name)))}
    assert writers == {}
    opened = [
        node.args[0] for node in ast.walk(_tree("kb.streams")) if isinstance(node, ast.Call) and "open" in _name(node)
    ]
    assert {ast.unparse(what) for what in opened} == {"os.devnull", "number"}  # a number is open already


@pytest.mark.parametrize(
    "code",
    [
        "open('a', 'w')", "open('a', mode='ab')", "p.open('w')", "p.open(mode='r+')", "p.write_text('x')",
        "p.write_bytes(b'x')", "os.open('a', os.O_WRONLY)", "os.fdopen(3, 'wb')", "shutil.copy(a, b)", "p.touch()",
    ],
)  # fmt: skip
def test_the_writer_check_sees_what_it_should(code: str) -> None:
    assert _writes(ast.parse(code))
    assert not _writes(ast.parse("open('a'); p.open('rb'); p.read_text(); os.open('a', os.O_RDONLY); Index.open(a, b)"))


def test_temporary_files_are_made_only_where_they_belong() -> None:
    makers = {name for name in _modules() if "tempfile" in set(_imports(name))}
    assert sorted(makers - FOLDER_MAKERS.keys()) == []


def _test_file(module: str) -> Path:
    """Where the tests of a module stand: kb/search/index.py -> tests/search/test_index.py."""
    path = _modules()[module]
    parts = path.relative_to(PROJECT).with_suffix("").parts
    folders = parts[1:-1] if parts[0] == "kb" else parts[:-1]
    name = "init" if parts[-1] == "__init__" else parts[-1]
    return PROJECT.joinpath("tests", *folders, f"test_{name}.py")


def _has_code(module: str) -> bool:
    """Whether a module holds more than its docstring."""
    return len(_tree(module).body) > 1


@pytest.mark.parametrize("module", sorted(name for name in _modules() if not name.startswith("tui")))
def test_every_module_has_its_test_file(module: str) -> None:
    if module.startswith("kb.texts.") and module.endswith(("en", "zh")):
        return  # data; tests/texts/test_init.py compares the catalogues
    if module in EXEMPT:
        assert not _test_file(module).exists(), f"{module} has a test file now: take it off the list"
    elif _has_code(module):
        assert _test_file(module).is_file(), f"{module}: {_test_file(module).relative_to(PROJECT)} is missing"


def test_the_exemptions_may_only_shrink() -> None:
    assert EXEMPT.keys() <= _modules().keys(), "an exempt module is gone: take it off the list"
    assert len(EXEMPT) <= 1


def test_no_module_grows_too_long() -> None:
    long = {name: len(path.read_text("utf-8").splitlines()) for name, path in _modules().items()}
    assert {name: lines for name, lines in long.items() if lines > MAX_LINES} == {}


def test_every_folder_says_what_lives_there() -> None:
    silent = [name for name, path in _modules().items() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))]
    assert silent == []


def test_the_architecture_tells_where_every_part_of_answers_is() -> None:
    text = (PROJECT / "ARCHITECTURE.md").read_text("utf-8")
    told = text.split("## Where answers are made\n")[1].split("\n## ")[0]
    rows = "\n".join(line for line in told.splitlines() if line.startswith("|"))
    there = {f"{name.removeprefix('kb.answer.')}.py" for name in _modules() if re.fullmatch(r"kb\.answer\.\w+", name)}
    assert set(re.findall(r"\w+\.py", rows)) == there - {"agent.py"}
