"""What the set-up and build scripts share. Standard library only: they run before any venv exists.

Linux and macOS (the locks are `fcntl` locks). Nothing here knows where packages come from: pip's own
configuration (environment, pip.conf) decides that, and every download is pinned by sha256.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

# Tool -> Debian/Ubuntu package that carries it, for messages a person can act on.
DEBIAN_PACKAGES: Mapping[str, str] = {
    "aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "aarch64-linux-gnu-objcopy": "binutils-aarch64-linux-gnu",
    "aarch64-linux-gnu-readelf": "binutils-aarch64-linux-gnu",
    "cc": "gcc",
    "cmake": "cmake",
    "g++": "g++",
    "gcc": "gcc",
    "git": "git",
    "make": "make",
    "ninja": "ninja-build",
    "objcopy": "binutils",
    "readelf": "binutils",
}
# The sdist that llama.cpp's sources and its Python bindings both come from.
LLAMA_PACKAGE = "llama-cpp-python"
LLAMA_VERSION = "0.3.36"
LLAMA_SDIST_SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"

HASH_BLOCK = 1 << 20  # bytes read at a time while hashing


class ScriptError(Exception):
    """A failure whose message is meant for the person at the keyboard: shown without a traceback."""


# ---------------------------------------------------------------- progress


class Progress:
    """One updating line on a terminal; elsewhere (logs, CI) a line per step and per 10 %.

    Writes to `stream` (standard error unless told): standard output stays free for results.
    """

    def __init__(self, quiet: bool = False, stream: IO[str] | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._quiet = quiet
        self._live = self._stream.isatty()
        self._open = False
        self._last: tuple[str, int] = ("", -1)

    def update(self, label: str, fraction: float | None = None) -> None:
        """Show `label`, with `fraction` (0..1) as a percentage if given."""
        percent = -1 if fraction is None else max(0, min(100, int(fraction * 100)))
        step = (label, percent if self._live else percent // 10)
        if self._quiet or step == self._last:
            return
        self._last = step
        text = label if percent < 0 else f"{label} {percent:3d} %"
        if self._live:
            self._stream.write(f"\r\x1b[K{text[: self._width()]}")
            self._open = True
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def done(self, text: str) -> None:
        """Finish the updating line and leave `text` standing as a line of its own."""
        if self._quiet:
            return
        self.close()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def close(self) -> None:
        """Clear an unfinished updating line, so that the next message starts at the left edge."""
        if self._open:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._open = False
        self._last = ("", -1)

    @staticmethod
    def _width() -> int:
        """Columns that a line may fill without wrapping (a wrapped line cannot be rewritten by \\r)."""
        return max(20, shutil.get_terminal_size().columns - 1)


# ---------------------------------------------------------------- files


def cache_root(override: Path | None = None) -> Path:
    """Absolute folder for what is costly to make again: `override`, else `$XDG_CACHE_HOME/almanac`, else
    `~/.cache/almanac`. Not created here. A relative `$XDG_CACHE_HOME` is ignored, as the XDG specification
    says.
    """
    if override is not None:
        return override.expanduser().absolute()
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "almanac"


def sha256_file(path: Path) -> str:
    """Hex sha256 of the file's bytes, read in blocks of 1 MiB. OSError if it cannot be read."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def sha256_json(value: Any) -> str:
    """Hex sha256 of `value` as canonical JSON: the name of a result by what went into it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def fsync_path(path: Path) -> None:
    """Flush one file's data, or one folder's entries, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that readers and power cuts meet the old file or the new one, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)  # mkstemp makes 0600; the results are meant to be read by other users too
        temporary.replace(path)
        fsync_path(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """`value` as indented UTF-8 JSON, placed atomically."""
    write_atomic(path, (json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode())


@contextlib.contextmanager
def staged_folder(final: Path) -> Iterator[Path]:
    """Yield an empty folder beside `final`; on success it becomes `final` (fsync, rename), on failure it
    vanishes.

    Hold `locked()` on something that stands for `final` around this: leftovers of a killed run are then known
    to be nobody's and are removed first. If `final` already exists, it is replaced (it was judged unusable by
    the caller).
    """
    final.parent.mkdir(parents=True, exist_ok=True)
    for leftover in final.parent.glob(f"{_scratch_prefix(final)}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=_scratch_prefix(final), dir=final.parent))
    try:
        staging.chmod(0o755)
        yield staging
        for path in sorted(staging.rglob("*")):
            if not path.is_symlink():
                fsync_path(path)
        fsync_path(staging)
        if final.exists():
            shutil.rmtree(final)
        staging.rename(final)
        fsync_path(final.parent)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@contextlib.contextmanager
def scratch_folder(final: Path) -> Iterator[Path]:
    """Yield a working folder beside `final`, removed at the end; inside `staged_folder(final)` only.

    Not in /tmp: that is memory on some systems, and there nobody would clean up after a killed run.
    """
    with tempfile.TemporaryDirectory(prefix=_scratch_prefix(final), dir=final.parent) as work:
        yield Path(work)


def _scratch_prefix(final: Path) -> str:
    """How temporary names that belong to `final` begin."""
    return f".{final.name}.tmp-"


@contextlib.contextmanager
def locked(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold an exclusive lock on the file `path` (made if missing); the system frees it even after kill -9.

    `waiting` is called once if somebody else holds it. The file stays: removing it would let two holders in.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting is not None:
                waiting()
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


# ---------------------------------------------------------------- processes


def need_tools(tools: Sequence[str]) -> None:
    """ScriptError naming the Debian packages to install if any of `tools` is not on PATH."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        packages = " ".join(sorted({DEBIAN_PACKAGES.get(tool, tool) for tool in missing}))
        raise ScriptError(
            f"missing tool{'s' if len(missing) > 1 else ''}: {', '.join(missing)}\n"
            f"On Debian, Ubuntu or Raspberry Pi OS: sudo apt install {packages}"
        )


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> str:
    """Run `command`; return its output (stdout and stderr together). `on_line` sees each line as it comes.

    The child leads a process group of its own, so that whatever ends us (Ctrl-C, SIGTERM) ends its children
    too. ScriptError with the last 40 lines if it fails.
    """
    words = [str(word) for word in command]
    lines: list[str] = []
    with subprocess.Popen(
        words,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as child:
        try:
            for line in child.stdout or ():
                lines.append(line)
                if on_line is not None:
                    on_line(line)
            child.wait()
        except BaseException:
            _end_group(child)
            raise
    if child.returncode != 0:
        shown = "".join(lines[-40:])
        raise ScriptError(f"this command failed (exit {child.returncode}): {' '.join(words)}\n{shown}".rstrip())
    return "".join(lines)


def _end_group(child: subprocess.Popen[str]) -> None:
    """Ask the child's process group to end; after 10 s, force it."""
    for signum in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signum)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=10)
            return


def pip_command(root: Path) -> list[str]:
    """The words that start pip: this interpreter's, else one in `<root>/pip-venv` (Debian's has none)."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    home = root / "pip-venv" / f"{sys.version_info.major}.{sys.version_info.minor}"
    python = home / "bin" / "python"
    with locked(home.parent / f"{home.name}.lock"):
        if not (home / "complete").exists():
            make_venv(home)
            write_atomic(home / "complete", b"")
    return [str(python), "-m", "pip"]


def make_venv(home: Path) -> None:
    """Create (or empty and re-create) an environment with pip. ScriptError if python3-venv is missing."""
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        raise ScriptError(
            "Python's venv module is incomplete here, so no virtual environment can be made.\n"
            f"On Debian, Ubuntu or Raspberry Pi OS: sudo apt install python{sys.version_info.major}"
            f".{sys.version_info.minor}-venv (or python3-venv)"
        )
    run([sys.executable, "-m", "venv", "--clear", home])


def requirement(package: str, version: str, sha256s: Sequence[str]) -> str:
    """One line of a requirements file, pinned by version and by every acceptable sha256."""
    return " ".join([f"{package}=={version}", *(f"--hash=sha256:{digest}" for digest in sha256s)]) + "\n"


def download(
    package: str,
    version: str,
    sha256s: Sequence[str],
    dest: Path,
    *,
    root: Path,
    sdist: bool = False,
    platform: str | None = None,
    python_version: str | None = None,
) -> Path:
    """Fetch one pinned distribution file of `package` into `dest` through pip; return its path.

    `sdist` takes the source distribution. pip then also runs its metadata step in an isolated environment
    (its build backend comes from the index): the archive's hash was checked before any of its code runs.
    `platform` (such as `manylinux2014_x86_64`) and `python_version` take a wheel made for another machine,
    whose data files are wanted. ScriptError if pip fails or the file it leaves does not have one of
    `sha256s`.
    """
    dest.mkdir(parents=True, exist_ok=True)
    command = [
        *pip_command(root),
        "download",
        "--no-deps",
        "--disable-pip-version-check",
        "--progress-bar",
        "off",
    ]
    command += ["--no-binary" if sdist else "--only-binary", package if sdist else ":all:"]
    command += ["--platform", platform] if platform else []
    command += ["--python-version", python_version] if python_version else []
    with tempfile.TemporaryDirectory(prefix=".pip-", dir=dest) as folder:
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text(requirement(package, version, sha256s), encoding="utf-8")
        arrived = Path(folder) / "arrived"
        run([*command, "--require-hashes", "--dest", arrived, "--requirement", wanted])
        files = list(arrived.iterdir())
        if len(files) != 1 or sha256_file(files[0]) not in sha256s:
            raise ScriptError(f"pip left {[file.name for file in files]} for {package} {version}: not what is pinned")
        final = dest / files[0].name
        files[0].replace(final)
    return final


def llama_sdist(root: Path) -> Path:
    """The pinned llama-cpp-python sdist in the cache's `downloads/`, fetched through pip if need be."""
    folder = root / "downloads"
    path = folder / f"llama_cpp_python-{LLAMA_VERSION}.tar.gz"
    with locked(folder / f"{path.name}.lock"):
        if path.exists() and sha256_file(path) == LLAMA_SDIST_SHA256:
            return path
        return download(LLAMA_PACKAGE, LLAMA_VERSION, [LLAMA_SDIST_SHA256], folder, root=root, sdist=True)


# ---------------------------------------------------------------- entry points


def guarded_main(main: Callable[[], None]) -> NoReturn:
    """Run `main` and exit: 0, or 1 with a plain message, or 130 after Ctrl-C or SIGTERM (cleaned up too)."""

    def interrupt(_signum: int, _frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""  # an unfinished progress line
    try:
        main()
    except KeyboardInterrupt:
        print(f"{clear}Stopped. Nothing half made was left behind; run it again to go on.", file=sys.stderr)
        sys.exit(130)  # 128 + SIGINT, what shells expect
    except ScriptError as error:
        print(f"{clear}error: {error}", file=sys.stderr)
        sys.exit(1)
    sys.exit(0)


def minutes(started: float) -> str:
    """Time since `started` (from `time.monotonic()`), for a message."""
    seconds = time.monotonic() - started
    return f"{seconds:.1f} s" if seconds < 90 else f"{seconds / 60:.1f} min"
