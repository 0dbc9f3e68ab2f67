"""The git program: our own when the executable carries one, run in a clean environment.

`LD_LIBRARY_PATH` as PyInstaller sets it and every `GIT_*` variable are taken away, hooks and settings of foreign
repositories do not run, and names from outside never reach git as options.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from kb.errors import AlmanacError, KnowledgeError

_REFERENCE = re.compile(r"^(?!-)(?!.*\.\.)(?!.*@\{)[\w./+-]{1,200}")
TIMEOUT_S = 120
# Nothing that a repository carries may run a program (gitsecurity: "hooks, fsmonitor, filters, ssh, pager").
_SAFE = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.pager=cat",
    "-c", "core.quotePath=false", "-c", "core.fsync=all", "-c", "protocol.allow=never",
    "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "log.showSignature=false",
    "-c", "core.sshCommand=false", "-c", "credential.helper=", "-c", "diff.external=",
)  # fmt: skip


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

    def environment(self, safe_folder: Path | None) -> dict[str, str]:
        """The child's environment: nothing inherited but what finding temporary folders needs."""
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
        }
        if safe_folder is not None:
            # A FAT stick shows every file as another user's; trust this one folder, not all.
            clean |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": str(safe_folder),
            }
        if self.folder is not None:
            clean["GIT_EXEC_PATH"] = str(self.folder / "bin")
            clean["GIT_TEMPLATE_DIR"] = str(self.folder / "templates")
            clean["LD_LIBRARY_PATH"] = str(self.folder / "lib")
        return clean

    def read(self, repository: Path, *arguments: str) -> str:
        """As `run`, for commands that only read: without a work tree, so no attribute or filter of it counts."""
        inner = repository / ".git"
        if inner.is_file():
            # A linked work tree or submodule names its repository in a file.
            named = inner.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
            inner = (repository / named).resolve()
        folder = inner if inner.is_dir() else repository
        # Started inside the repository's own folder: attributes of the folder that git starts in would count too.
        return self.run(folder, f"--git-dir={folder}", "-c", "core.bare=true", *arguments)

    def read_bytes(self, repository: Path, *arguments: str) -> bytes:
        """As `run`, the output as bytes: what files really hold."""
        return self._output(repository, arguments, TIMEOUT_S, None)

    def run(self, repository: Path, *arguments: str, timeout: float = TIMEOUT_S, stdin: bytes | None = None) -> str:
        """Run git in `repository`, with `stdin` to read; its output as text. AlmanacError when it fails."""
        return self._output(repository, arguments, timeout, stdin).decode("utf-8", "replace")

    def _output(self, repository: Path, arguments: tuple[str, ...], timeout: float, stdin: bytes | None) -> bytes:
        command = [self.program, *_SAFE, "-C", str(repository), *arguments]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                timeout=timeout,
                env=self.environment(repository.parent if repository.name == ".git" else repository),
                input=stdin or b"",
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AlmanacError("git_failed", command=_verb(arguments), reason=str(error)) from error
        if done.returncode != 0:
            reason = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
            raise AlmanacError("git_failed", command=_verb(arguments), reason=reason)
        return done.stdout

    def version(self) -> str:
        """The program's version, such as 2.39.5."""
        return self.run(Path("/"), "version").removeprefix("git version").strip()


def _verb(arguments: tuple[str, ...]) -> str:
    """The git command among `arguments`: the first after `--git-dir` and `-c name=value` pairs."""
    rest = [word for word in arguments if not word.startswith("--git-dir=")]
    while rest[:1] == ["-c"]:
        rest = rest[2:]
    return rest[0] if rest else ""


def checked_reference(reference: str) -> str:
    """`reference` when it can only be a revision; AlmanacError for options, ranges and paths."""
    if not _REFERENCE.fullmatch(reference):
        raise AlmanacError("bad_reference", reference=reference)
    return reference


def checked_path(path: str) -> str:
    """`path` when it names something below a tree; KnowledgeError for `..`, absolute paths and odd characters."""
    parts = path.split("/")
    if not path or ".." in parts or path.startswith(("/", "-", ":")) or "\\" in path or "\0" in path:
        raise KnowledgeError("path_outside", path=path)
    return path
