"""The git program: our own when the executable carries one, run in a clean environment.

`LD_LIBRARY_PATH` as PyInstaller sets it and every `GIT_*` variable are taken away; hooks, filters and other programs
that a repository names in its settings do not run, and names from outside never reach git as options.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from kb.errors import AlmanacError, ExitCode, KnowledgeError

_REFERENCE = re.compile(r"^(?!-)(?!.*\.\.)(?!.*@\{)[\w./+-]{1,200}")
TIMEOUT_S = 120
# Whoever commits where nobody else is named.
AUTHOR_NAME, AUTHOR_EMAIL = "Almanac", "almanac@localhost"
_LOOK_EVERY_S = 0.1
# Nothing that a repository carries may run a program (gitsecurity: "hooks, fsmonitor, filters, ssh, pager").
_SAFE = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.pager=cat",
    "-c", "core.quotePath=false", "-c", "core.fsync=all", "-c", "protocol.allow=never",
    "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
    "-c", "log.showSignature=false", "-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false",
    "-c", "core.sshCommand=false", "-c", "credential.helper=", "-c", "diff.external=",
    "-c", "core.attributesFile=/dev/null",
    "-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", "-c", "submodule.recurse=false",
)  # fmt: skip
# Settings whose names a repository chooses, so that only a look at its own settings tells which to take away.
_NAMED_PROGRAM = re.compile(
    r"filter\..+\.(clean|smudge|process|required)|merge\..+\.driver|diff\..+\.(command|textconv)|trailer\..+\.(cmd|command)"
    r"|gc\.recentobjectshook|core\.alternaterefscommand",
    re.DOTALL,
)
# Commands that would show a document through a program (`diff.<name>.textconv`) unless told not to.
_SHOWING = {
    **dict.fromkeys(("diff", "log", "show"), ("--no-ext-diff", "--no-textconv")),
    "blame": ("--no-textconv",),
}
_PERCENT = re.compile(rb"(\d{1,3})% \(")


@dataclass(frozen=True, slots=True)
class Git:
    """A git program. `folder` holds our own git (bin/git, libexec, lib), or None for the one on PATH."""

    program: str
    folder: Path | None = None

    @classmethod
    def find(cls, own: Path | None, path: str | None = None) -> Git | None:
        """Our own git in folder `own` if there is one, else the one on `path`; None without any."""
        if own is not None and (own / "bin" / "git").is_file():
            return cls(str(own / "bin" / "git"), own)
        program = shutil.which("git", path=path)
        return cls(program) if program else None

    def environment(self, safe_folder: Path | None, settings: Mapping[str, str] | None = None) -> dict[str, str]:
        """The child's environment: nothing inherited but what finding temporary folders needs.

        `settings` win over those of the repository. Not as `-c`: there a `=` within a name would end it.
        """
        kept = {name: os.environ[name] for name in ("TMPDIR", "TEMP", "TMP", "SYSTEMROOT") if name in os.environ}
        clean = {
            **kept,
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": "/nonexistent",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_EDITOR": ":",
            "GIT_SEQUENCE_EDITOR": ":",
        }
        # A FAT stick shows every file as another user's; trust this one folder, not all.
        told = ({} if safe_folder is None else {"safe.directory": str(safe_folder)}) | dict(settings or {})
        if told:
            clean["GIT_CONFIG_COUNT"] = str(len(told))
        for number, (name, value) in enumerate(told.items()):
            clean |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        if self.folder is not None:
            clean["GIT_EXEC_PATH"] = str(self.folder / "bin")
            clean["GIT_TEMPLATE_DIR"] = str(self.folder / "templates")
            clean["LD_LIBRARY_PATH"] = str(self.folder / "lib")
        return clean

    def read(self, repository: Path, *arguments: str) -> str:
        """As `run`, for commands that only read: without a work tree, so no attribute or filter of it counts."""
        return self.read_bytes(repository, *arguments).decode("utf-8", "replace")

    def read_bytes(self, repository: Path, *arguments: str) -> bytes:
        """As `read`, the output as bytes: what names and contents really are."""
        folder = repository_folder(repository)
        # Started inside the repository's own folder: attributes of the folder that git starts in would count too.
        command = self._command(folder, f"--git-dir={folder}", "-c", "core.bare=true", *arguments)
        # The one place for attributes that is left.
        settings = self._against_programs(folder) if (folder / "info" / "attributes").exists() else {}
        return self._output(command, arguments, self.environment(safe_folder(folder), settings))

    def run(
        self,
        repository: Path,
        *arguments: str,
        timeout: float | None = TIMEOUT_S,
        stdin: bytes | None = None,
        variables: Mapping[str, str] | None = None,
        stop: threading.Event | None = None,
    ) -> str:
        """Run git in `repository`; its standard output as text. AlmanacError when it fails.

        A repository with a work tree is worked on where it lies, whatever its settings say (`core.worktree`), and
        no program that they name is run. `variables` are added to the environment (`GIT_INDEX_FILE` and the like).
        KeyboardInterrupt when `stop` was set meanwhile: git is ended first.
        """
        place, settings = self._here(repository)
        environment = self.environment(safe_folder(repository), settings) | dict(variables or {})
        command = self._command(repository, *place, *arguments)
        return self._output(command, arguments, environment, timeout, stdin, stop).decode("utf-8", "replace")

    def identity(self, repository: Path, name: str = AUTHOR_NAME, email: str = AUTHOR_EMAIL) -> tuple[str, ...]:
        """Settings for a commit: `name` and `email` where the repository does not name its own author."""
        words: list[str] = []
        for setting, value in (("user.name", name), ("user.email", email)):
            try:
                self.read(repository, "config", "--get", setting)
            except AlmanacError:
                words += ["-c", f"{setting}={value}"]
        return tuple(words)

    def blobs(self, repository: Path, identifiers: Iterable[str]) -> Iterator[bytes]:
        """The bytes of each blob, one at a time, by one git process. AlmanacError when one is not there."""
        folder = repository_folder(repository)
        arguments = (f"--git-dir={folder}", "-c", "core.bare=true", "cat-file", "--batch")
        with subprocess.Popen(
            self._command(folder, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.environment(safe_folder(folder)),
        ) as child:
            asked, said = cast("IO[bytes]", child.stdin), cast("IO[bytes]", child.stdout)
            try:
                for identifier in identifiers:
                    asked.write(f"{identifier}\n".encode())
                    asked.flush()
                    header = said.readline().split()
                    if len(header) != 3 or header[1] != b"blob":
                        raise AlmanacError("git_failed", command="cat-file", reason=f"{identifier}: missing")
                    data = said.read(int(header[2]) + 1)
                    if len(data) != int(header[2]) + 1:
                        raise AlmanacError("git_failed", command="cat-file", reason=f"{identifier}: cut short")
                    yield data[:-1]
            except BrokenPipeError as error:
                raise AlmanacError("git_failed", command="cat-file", reason=str(error)) from error
            finally:
                child.kill()

    def watched(
        self, repository: Path, *arguments: str, report: Callable[[float], None], stop: threading.Event | None = None
    ) -> None:
        """Run a long command that writes its progress to standard error; `report` gets the part done, 0 to 1.

        AlmanacError when it fails; KeyboardInterrupt when `stop` was set meanwhile (the child is ended first).
        """
        place, settings = self._here(repository)
        said = bytearray()
        try:
            child = subprocess.Popen(
                self._command(repository, *place, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=self.environment(safe_folder(repository), settings),
            )
        except OSError as error:
            raise AlmanacError("git_failed", command=_verb(arguments), reason=str(error)) from error
        with child, _ended_by(stop, child):
            assert child.stderr is not None
            while piece := os.read(child.stderr.fileno(), 4096):
                said = (said + piece)[-4000:]
                found = _PERCENT.findall(piece)
                if found:
                    report(min(int(found[-1]), 100) / 100)
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        if child.returncode != 0:
            raise AlmanacError("git_failed", command=_verb(arguments), reason=_last_line(bytes(said)))

    def stream(self, repository: Path, out: IO[bytes], *arguments: str) -> None:
        """As `read`, with standard output going to the open file `out`: for objects that do not belong in memory."""
        folder = repository_folder(repository)
        command = self._command(folder, f"--git-dir={folder}", "-c", "core.bare=true", *arguments)
        done = subprocess.run(
            command,
            stdout=out,
            stderr=subprocess.PIPE,
            env=self.environment(safe_folder(folder)),
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            raise AlmanacError("git_failed", command=_verb(arguments), reason=_last_line(done.stderr))

    def version(self) -> str:
        """The program's version, such as 2.39.5."""
        return self.run(Path("/"), "version").removeprefix("git version").strip()

    def _here(self, repository: Path) -> tuple[list[str], dict[str, str]]:
        """Options that hold git to `repository`, and settings against the programs that its own settings name."""
        if not (repository / ".git").exists():
            # Without being told git looks for a bare one, and asks whose it is under another name than a work tree's.
            is_bare = (repository / "objects").is_dir() and (repository / "HEAD").is_file()
            return ([f"--git-dir={repository}"] if is_bare else []), {}
        folder = repository_folder(repository)
        return [f"--git-dir={folder}", f"--work-tree={repository}"], self._against_programs(folder)

    def _against_programs(self, folder: Path) -> dict[str, str]:
        """Settings that take away the programs named in those of the repository `folder`."""
        listing = ("config", "--includes", "--list", "-z", "--name-only")
        command = self._command(folder, f"--git-dir={folder}", *listing)
        said = self._output(command, listing, self.environment(safe_folder(folder)))
        names = said.decode("utf-8", "replace").split("\0")
        # Section and last part come in lower case, the middle as it was written.
        return {name: "false" if name.endswith(".required") else "" for name in names if _NAMED_PROGRAM.fullmatch(name)}

    def _command(self, repository: Path, *arguments: str) -> list[str]:
        words = list(arguments)
        verb = _verb(arguments)
        if verb in _SHOWING:
            place = words.index(verb) + 1
            words[place:place] = _SHOWING[verb]
        return [self.program, *_SAFE, "-C", str(repository), *words]

    def _output(
        self,
        command: list[str],
        arguments: tuple[str, ...],
        environment: Mapping[str, str],
        timeout: float | None = TIMEOUT_S,
        stdin: bytes | None = None,
        stop: threading.Event | None = None,
    ) -> bytes:
        pipe = subprocess.PIPE
        try:
            with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as child:
                try:
                    with _ended_by(stop, child):
                        out, said = child.communicate(stdin or b"", timeout)
                except BaseException:
                    child.kill()
                    raise
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AlmanacError("git_failed", command=_verb(arguments), reason=str(error)) from error
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        if child.returncode != 0:
            raise AlmanacError("git_failed", command=_verb(arguments), reason=_last_line(said))
        return out


@contextlib.contextmanager
def _ended_by(stop: threading.Event | None, child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Within the block, `child` is asked to end as soon as `stop` is set."""
    if stop is None:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_EVERY_S):
            if stop.is_set():
                child.terminate()
                return

    watcher = threading.Thread(target=watch, name="git-stop", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def repository_folder(repository: Path) -> Path:
    """The folder that holds the repository of `repository`: its `.git`, or itself when it is bare.

    A linked work tree names its repository in a file. That name counts only where the repository in turn names this
    work tree: otherwise a file brought by a stranger could show any repository of this machine as its own.
    Raises AlmanacError then.
    """
    inner = repository / ".git"
    if not inner.is_file():
        return inner if inner.is_dir() else repository
    try:
        named = inner.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
        folder = (repository / named).resolve()
        back = Path((folder / "gitdir").read_text("utf-8", "replace").strip())
        if (folder / back).resolve() == inner.resolve():
            return folder
    except (OSError, ValueError) as error:
        raise AlmanacError("repository_elsewhere", path=str(inner)) from error
    raise AlmanacError("repository_elsewhere", path=str(inner))


def safe_folder(repository: Path) -> Path:
    """The folder that git asks about before it trusts a repository of another user: the work tree, or a bare one."""
    return repository.parent if repository.name == ".git" else repository


def enclosing(root: Path) -> tuple[Path, str] | None:
    """The work tree that holds `root`, and the path of `root` in it (`docs/`, or empty at its top); None without."""
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            inner = root.relative_to(folder).as_posix()
            return folder, "" if inner == "." else inner + "/"
    return None


def name_status(listed: str) -> list[tuple[str, str]]:
    """Status letter and path of each file in `--name-status -z`; of a rename or copy the path where the file is now."""
    fields = [field for field in listed.split("\0") if field]
    found: list[tuple[str, str]] = []
    place = 0
    while place < len(fields):
        status = fields[place][0]
        # A rename or copy names two paths, the second is the newer.
        step = 3 if status in "RC" else 2
        if place + step > len(fields):
            break
        found.append((status, fields[place + step - 1]))
        place += step
    return found


def _last_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").replace("\r", "\n").strip().split("\n")
    # `fatal:` and `error:` say why; what follows them are hints.
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (telling or lines)[-1]


def _verb(arguments: tuple[str, ...]) -> str:
    """The git command among `arguments`: the first after `--git-dir` and `-c name=value` pairs."""
    rest = [word for word in arguments if not word.startswith(("--git-dir=", "--work-tree="))]
    while rest[:1] == ["-c"]:
        rest = rest[2:]
    return rest[0] if rest else ""


def checked_reference(reference: str) -> str:
    """`reference` when it can only be a revision; AlmanacError for options, ranges and paths."""
    if not _REFERENCE.fullmatch(reference):
        raise AlmanacError("bad_reference", ExitCode.USAGE, reference=reference)
    return reference


def checked_path(path: str) -> str:
    """`path` when it names something below a tree; KnowledgeError for `..`, absolute paths and odd characters."""
    parts = path.split("/")
    if not path or ".." in parts or path.startswith(("/", "-", ":")) or "\\" in path or "\0" in path:
        raise KnowledgeError("path_outside", path=path)
    return path
