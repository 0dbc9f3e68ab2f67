"""Make a fresh checkout ready for `make run` and `make test`: `.venv`, llama.cpp, models,
`build/assets.json`.

    python3 scripts/bootstrap.py                what running from source needs (requirements/run.lock)
    python3 scripts/bootstrap.py --dev          what tests and builds need as well (requirements/dev.lock)
    python3 scripts/bootstrap.py --bench        and what search is compared with (requirements/bench.lock)

`build/assets.json` tells the program and the build where the heavy parts lie: `{llama_lib, answer_model,
answer_sha256, embedder, embedder_sha256, dictionary, dictionary_sha256}`, absolute paths into the cache.
A stamp in `.venv` records what was
set up; as long as it fits, a further run only compares it (milliseconds), which is why the heavier modules
are imported inside functions.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import common

PROJECT = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 13)
STAMP = "almanac-stamp.json"
# What `.venv` can hold: each level has a lock file of its name, which holds all of the levels before it.
LEVELS = ("run", "dev", "bench")
# Loads the libraries through the bindings' ctypes layer alone, as kb does: the package's own __init__ imports
# things (diskcache, jinja2) that Almanac neither needs nor installs.
LOAD_BINDINGS = """
import importlib.util, sys, types
package = types.ModuleType("llama_cpp")
package.__path__ = importlib.util.find_spec("llama_cpp").submodule_search_locations
sys.modules["llama_cpp"] = package
importlib.import_module("llama_cpp.llama_cpp")
"""


class Options(argparse.Namespace):
    """The command line, paths made absolute. (Importing dataclasses would cost more than a second run.)"""

    level: str  # of LEVELS
    variants: str
    model: Path | None
    embedder: Path | None
    cache: Path
    quiet: bool


def parse_options() -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Set up Almanac's development environment.")
    parser.set_defaults(level="run")
    for level, need in (("dev", "what tests and builds need"), ("bench", "that and what search is compared with")):
        parser.add_argument(f"--{level}", dest="level", action="store_const", const=level, help=f"also install {need}")
    parser.add_argument("--variants", choices=("host", "all"), default="host", help="llama.cpp CPU variants")
    parser.add_argument("--model", type=Path, help="use this GGUF as the answer model")
    parser.add_argument("--embedder", type=Path, help="use this GGUF as the embedder")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="cache folder instead of ~/.cache/almanac")
    parser.add_argument("--quiet", action="store_true", help="say nothing unless it fails")
    options = parser.parse_args(namespace=Options())
    options.model = options.model.absolute() if options.model else None
    options.embedder = options.embedder.absolute() if options.embedder else None
    options.cache = common.cache_root(options.cache)
    return options


def check_python() -> None:
    """ScriptError unless this interpreter is one that Almanac supports."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise common.ScriptError(
            f"Almanac needs Python {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]};"
            f" this is {sys.version.split()[0]} ({sys.executable}).\n"
            "Start the script with another one, such as: python3.11 scripts/bootstrap.py"
        )


# ---------------------------------------------------------------- what is wanted, what is there


def lock_file(project: Path, level: str) -> Path:
    """The requirements file to install from."""
    return project / "requirements" / f"{level}.lock"


def venv_digest(project: Path, level: str) -> str:
    """What `.venv` depends on: lock file, interpreter, llama-cpp-python. ScriptError without a lock file."""
    lock = lock_file(project, level)
    if not lock.is_file():
        raise common.ScriptError(f"{lock} is missing: this is not a complete checkout")
    pins = [common.LLAMA_VERSION, common.LLAMA_SDIST_SHA256]
    return common.sha256_json([level, common.sha256_file(lock), sys.version, *pins])


def assets_digest(options: Options) -> str:
    """What `assets.json` depends on: options, a builder's own files, and the scripts that make the assets."""
    scripts = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    own = [_file_state(path) for path in (options.model, options.embedder)]
    hashes = [hashlib.sha256(data).hexdigest() for data in scripts]
    return common.sha256_json([options.variants, str(options.cache), own, hashes])


def _file_state(path: Path | None) -> list[Any] | None:
    """Path, size and time of a builder's own file; ScriptError if it is not there."""
    if path is None:
        return None
    if not path.is_file():
        raise common.ScriptError(f"{path}: no such file")
    state = path.stat()
    return [str(path), state.st_size, state.st_mtime_ns]


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in `path`; empty if there is none that can be read."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def venv_python(project: Path) -> Path:
    """The interpreter of the project's virtual environment."""
    return project / ".venv" / "bin" / "python"


def venv_ready(project: Path, options: Options, stamp: dict[str, Any]) -> bool:
    """Whether `.venv` holds what is asked for. A higher level serves for the lower ones as well."""
    wanted = {venv_digest(project, level) for level in LEVELS[LEVELS.index(options.level) :]}
    return stamp.get("venv") in wanted and venv_python(project).exists()


def assets_ready(project: Path, options: Options, stamp: dict[str, Any]) -> bool:
    """Whether `assets.json` is the one asked for and what it names is still there (caches get cleared)."""
    if stamp.get("assets") != assets_digest(options):
        return False
    assets = read_json(project / "build" / "assets.json")
    needed = [
        "llama_lib",
        "answer_model",
        "embedder",
        "dictionary",
        *(["chat_model"] if options.level != LEVELS[0] else []),
    ]
    paths = [assets.get(key, "") for key in needed]
    return all(path and Path(path).exists() for path in paths)


# ---------------------------------------------------------------- setting up


def install_packages(project: Path, options: Options, progress: common.Progress) -> None:
    """Bring `.venv` to the lock file plus llama-cpp-python. Made anew only if it belongs to another Python.

    An environment of the same Python is added to in place: a program may be running from it.
    """
    home = project / ".venv"
    progress.update("virtual environment")
    if not venv_matches(home):
        common.make_venv(home)
    python = venv_python(project)
    lock = lock_file(project, options.level)
    total = max(1, sum("==" in line for line in lock.read_text(encoding="utf-8").splitlines()))
    seen = 0

    def on_line(line: str) -> None:
        nonlocal seen
        seen += line.startswith(("Collecting ", "Requirement already satisfied"))
        progress.update(f"{total} Python packages", min(seen / total, 1.0))

    pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
    common.run([*pip, "install", "--require-hashes", "--requirement", lock], on_line=on_line)
    wheel = bindings_wheel(options.cache, pip, progress)
    # --force-reinstall: a copy with its own native build, put there by hand, has the same version.
    common.run([*pip, "install", "--no-index", "--no-deps", "--force-reinstall", wheel])
    progress.done(f"Python packages: {home}")


def venv_matches(home: Path) -> bool:
    """Whether `home` is a virtual environment of this very Python version whose pip was installed."""
    try:
        text = (home / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False
    version = f"version = {sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    pip_there = any((home / "bin").glob("pip3*")) and (home / "bin" / "python").exists()
    return version in text.splitlines() and pip_there


def bindings_wheel(root: Path, pip: list[str], progress: common.Progress) -> Path:
    """Wheel of llama-cpp-python without native libraries, from the pinned sdist; built once into the cache.

    `--no-cache-dir` keeps it out of pip's own cache, where it would later be taken for a full build.
    """
    folder = root / "wheels" / common.LLAMA_SDIST_SHA256[:24]
    with common.locked(folder.parent / f"{folder.name}.lock"):
        if not folder.exists():
            progress.update("llama-cpp-python (bindings only)")
            archive = common.llama_sdist(root)
            environment = {**os.environ, "CMAKE_ARGS": "-DLLAMA_BUILD=OFF"}
            with common.staged_folder(folder) as staging:
                options = ["--no-deps", "--no-cache-dir", "--wheel-dir", str(staging)]
                common.run([*pip, "wheel", *options, archive], env=environment)
        wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise common.ScriptError(f"{folder} should hold one wheel; delete that folder and run this again")
    return wheels[0]


def make_assets(project: Path, options: Options, progress: common.Progress) -> dict[str, str]:
    """Fetch models and dictionary, build llama.cpp, check that Python can load it, write `build/assets.json`."""
    import build_llama
    import fetch_dictionary
    import fetch_models

    dictionary = fetch_dictionary.fetch(options.cache, progress)
    models = fetch_models.fetch(options.cache, options.model, options.embedder, progress)
    library = build_llama.build(options.cache, options.variants, progress=progress)
    environment = {**os.environ, "LLAMA_CPP_LIB_PATH": str(library)}
    common.run([venv_python(project), "-c", LOAD_BINDINGS], env=environment)
    assets = {
        "llama_lib": str(library),
        "answer_model": str(models.answer),
        "answer_sha256": models.answer.parent.name,  # the cache's folders are named by hash
        "embedder": str(models.embedder),
        "embedder_sha256": models.embedder.parent.name,
        "dictionary": str(dictionary),
        "dictionary_sha256": dictionary.parent.name,
    }
    if options.level != LEVELS[0]:
        # Tests and benchmarks try the ways of an instruction-tuned model with a small one.
        chat = fetch_models.fetch_chat(options.cache, progress)
        assets |= {"chat_model": str(chat), "chat_sha256": chat.parent.name}
    common.write_json(project / "build" / "assets.json", assets)
    return assets


def set_up(project: Path, options: Options) -> None:
    """Do whatever the stamp says is missing. Two runs at once take turns; the second finds the work done."""
    stamp_path = project / ".venv" / STAMP
    stamp = read_json(stamp_path)
    if venv_ready(project, options, stamp) and assets_ready(project, options, stamp):
        return
    common.need_tools(["cmake", "gcc", "g++", "git", "npm"])
    progress = common.Progress(quiet=options.quiet)
    waiting = "waiting for another bootstrap"
    with common.locked(project / "build" / "bootstrap.lock", lambda: progress.update(waiting)):
        stamp = read_json(stamp_path)
        if not venv_ready(project, options, stamp):
            stamp_path.unlink(missing_ok=True)  # until the end, the environment is not to be trusted
            install_packages(project, options, progress)
            stamp["venv"] = venv_digest(project, options.level)
            common.write_json(stamp_path, stamp)
        if not assets_ready(project, options, stamp):
            make_assets(project, options, progress)
            stamp["assets"] = assets_digest(options)
            common.write_json(stamp_path, stamp)
    progress.done("Ready.")


def main() -> None:
    """Command line."""
    check_python()
    set_up(PROJECT, parse_options())


if __name__ == "__main__":
    common.guarded_main(main)
