"""What several tests share: writing documents, running the program, a stand-in embedder."""

from __future__ import annotations

import datetime
import functools
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyte
import pytest

from kb.search.copying import take_over
from kb.search.postings import Floats
from kb.search.retriever import Retriever
from kb.search.tokens import terms
from kb.versions.releases import BuiltIndex

PROJECT = Path(__file__).resolve().parent.parent
DATA = PROJECT / "tests" / "data"
# The day on which tests ask: inside the validity of the healthy documents of tests/data/tree.
DAY = datetime.date(2026, 6, 1)
MOMENT = datetime.datetime(2026, 6, 1, 8, tzinfo=datetime.UTC)
# What must never reach a terminal: C0 without tab and line feed, DEL, C1.
RAW_CONTROLS = frozenset(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (9, 10))
NO_TRACE = ("Traceback", "Exception ignored")
# After how many seconds a condition counts as one that will not come. It costs time only where a test fails; on a busy
# machine a start alone can take a minute.
PATIENCE_S = 300.0


def write(root: Path, path: str, text: str | bytes) -> Path:
    """Write a document below `root`, folders included."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text.encode() if isinstance(text, str) else text)
    return target


def tar_of(files: Mapping[str, bytes]) -> bytes:
    """A tar archive of `files`: content by name."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def document(title: str, body: str, **fields: str) -> str:
    """A document with front matter."""
    lines = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\ntitle: {title}\nversion: 1.0\n{lines}---\n# {title}\n\n{body}\n"


def wait_for(condition: Callable[[], bool], what: str, timeout: float = PATIENCE_S) -> None:
    """Poll until `condition` holds; fails naming `what`."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"did not happen within {timeout} s: {what}")
        time.sleep(0.005)


@dataclass(frozen=True)
class Done:
    """How a program ended."""

    code: int
    out: str
    err: str

    @property
    def clean(self) -> bool:
        """Whether no traceback was shown."""
        return not any(mark in self.out + self.err for mark in NO_TRACE)


@dataclass(frozen=True)
class Program:
    """Runs an `agent_main.py` the way a person would, in an environment of its own."""

    main: Path
    home: Path

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Almost nothing is inherited: what the test does not name is not there."""
        base = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.home),
            "ALMANAC_HOME": str(self.home / "almanac"),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return base | dict(extra or {})

    def command(self, *arguments: str) -> list[str]:
        """The command line that starts the program."""
        return [sys.executable, str(self.main), *arguments]

    def __call__(
        self,
        *arguments: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 60,
        encoding: str = "utf-8",
    ) -> Done:
        done = subprocess.run(
            self.command(*arguments),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            env=self.environment(env),
            cwd=cwd or self.home,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))

    def start(
        self, *arguments: str, env: Mapping[str, str] | None = None, stdout: int = subprocess.PIPE
    ) -> subprocess.Popen[bytes]:
        """Start it and return at once."""
        return subprocess.Popen(
            self.command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=self.environment(env),
            cwd=self.home,
        )


def copy_program(target: Path) -> Path:
    """The program's source without models and documents, as on a fresh machine; returns its agent_main.py."""
    target.mkdir(parents=True)
    shutil.copy(PROJECT / "agent_main.py", target)
    shutil.copytree(PROJECT / "kb", target / "kb", ignore=shutil.ignore_patterns("__pycache__"))
    return target / "agent_main.py"


class BagEmbedder:
    """A stand-in for the embedder: texts with the same terms lie near each other. Deterministic, no model."""

    dimensions = 32

    def __init__(self) -> None:
        self.calls = 0

    def one(self, text: str) -> Floats:
        """The unit vector of `text`."""
        vector = np.full(self.dimensions, 2.0, np.float32)
        for term in terms(text):
            digest = hashlib.blake2b(term.encode(), digest_size=4).digest()
            vector[digest[0] % self.dimensions] += 1.0 if digest[1] % 2 else -1.0
        unit: Floats = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit

    def many(self, texts: list[str]) -> Floats:
        """The unit vectors of `texts`."""
        self.calls += 1
        return np.array([self.one(text) for text in texts], np.float32).reshape(-1, self.dimensions)


def git(folder: Path, *arguments: str) -> str:
    """Run git in `folder` as a person would, with a configuration of its own."""
    done = subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=Test", "-c", "user.email=test@example.org", *arguments],
        capture_output=True,
        env={
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(folder),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        },
        timeout=60,
        check=True,
    )
    return done.stdout.decode()


class WordIndex:
    """Builds a release's index with the stand-in embedder, the way the command line does with the real one."""

    def __init__(self) -> None:
        self.embedder = BagEmbedder()

    def __call__(self, docs: Path, index: Path, earlier: tuple[Path, ...]) -> BuiltIndex:
        index.mkdir(parents=True)
        for folder in earlier:
            if take_over(folder, index):
                break
        retriever = Retriever(docs, index)
        try:
            retriever.update()
            retriever.use_embedder("b" * 64, self.embedder.dimensions, self.embedder.one, self.embedder.many)
            for folder in earlier:
                retriever.adopt_vectors(folder)
            embedded = retriever.embed_missing(self.embedder.many)
            return BuiltIndex(retriever.status().documents, retriever.chunks(), embedded, True)
        finally:
            retriever.close()


def commit_all(root: Path, message: str = "docs(all): changed") -> str:
    """Commit everything below the repository `root`; the commit."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()


def run_python(code: str, *arguments: str, timeout: float = 60, path: Path = PROJECT) -> Done:
    """Run `code` in a Python of its own with the project importable."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        timeout=timeout,
        cwd=path,
        env={"PATH": os.environ.get("PATH", ""), "HOME": os.environ["HOME"], "PYTHONPATH": str(path)},
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace"))


def has_git() -> bool:
    """Whether there is a git program on this machine."""
    return shutil.which("git") is not None


def raw_controls(text: str) -> set[str]:
    """The control characters in `text` that a terminal would obey."""
    return set(text) & RAW_CONTROLS


def run_in_child(work: Callable[[], object]) -> int:
    """Fork, do `work`, leave at once; the child's process id. Cheap enough to kill a hundred times."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def joined(parts: Sequence[str]) -> str:
    """Parts on lines of their own."""
    return "\n".join(parts)


@functools.cache
def can_mount() -> bool:
    """Whether a private file system can be mounted here."""
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


needs_mount = pytest.mark.skipif(not can_mount(), reason="needs the right to mount a tmpfs")


def lines_on(screen: pyte.Screen) -> list[str]:
    """The lines of a terminal's screen, without the second halves of wide characters. pyte's own `display` falls over a
    half that is left alone, as at a resize."""
    cells = screen.buffer
    return ["".join(cells[y][x].data for x in range(screen.columns)) for y in range(screen.lines)]
