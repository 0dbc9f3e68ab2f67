"""For which machine the executable is built: this one, or another one whose Debian root lies in a folder.

Building for another processor (scripts/build_arm64.sh) differs in four things alone: where programs of the target are
run (inside its root), where its Python packages lie, which objcopy knows its files, and which git is taken along.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import common
import sbom

IN_ROOT = Path(__file__).resolve().parent / "in_root.sh"
# Where Debian keeps the shared libraries of an architecture, below its root.
_LIBRARY_FOLDERS = ("lib/{arch}-linux-gnu", "usr/lib/{arch}-linux-gnu", "lib", "usr/lib")
_NEEDED = re.compile(r"\(NEEDED\)\s+Shared library: \[(?P<name>[^\]]+)\]")


@dataclass(frozen=True, slots=True)
class Target:
    """A machine to build for. `root` and `site` are None for the building machine itself.

    `root` is a Debian root folder of that architecture, `site` the folder with its Python packages.
    """

    arch: str
    root: Path | None = None
    site: Path | None = None

    def tool(self, name: str) -> str:
        """The binutils program `name` that knows the target's files."""
        return name if self.root is None else f"{self.arch}-linux-gnu-{name}"

    @property
    def compiler(self) -> str:
        """The C compiler that makes programs for the target."""
        return "cc" if self.root is None else f"{self.arch}-linux-gnu-gcc"

    def static_libc(self) -> Path:
        """The C library that the launcher is linked with, a file of the building machine."""
        return Path(common.run([self.compiler, "-print-file-name=libc.a"]).strip())

    def python(self, *words: str, folders: tuple[Path, ...] = (), environment: dict[str, str] | None = None) -> None:
        """Run the target's Python with `words` and the extra `environment`; `folders` are seen there as they are here.

        CalledProcessError when it fails.
        """
        extra = environment or {}
        if self.root is None:
            subprocess.run([sys.executable, *words], check=True, cwd=folders[0], env={**os.environ, **extra})
            return
        seen = [*folders, *([self.site] if self.site else [])]
        binds = [word for folder in seen for word in ("--bind", str(folder))]
        settings = [f"{name}={value}" for name, value in {**extra, "PYTHONPATH": str(self.site)}.items()]
        inside = ["env", "-C", str(folders[0]), *settings, "python3", *words]
        subprocess.run(["bash", str(IN_ROOT), str(self.root), *binds, "--", *inside], check=True)

    def git(self) -> Path:
        """The target's git program. ScriptError when its root has none."""
        if self.root is None:
            return Path(shutil.which("git") or "git").resolve()
        program = self.root / "usr" / "bin" / "git"
        if not program.is_file():
            raise common.ScriptError(f"{program} is missing: the root is not complete")
        return program

    def system_paths(self, runtime: Path) -> list[Path]:
        """Where the target keeps the shared libraries that PyInstaller copied into the folder `runtime`."""
        if self.root is None:
            return sbom.system_paths(runtime)
        names = [path.name for path in sorted((runtime / "_internal").glob("lib*.so*")) if not path.is_symlink()]
        # A library that a Python package brought along is not found.
        found = [self._find(name) for name in names if not name.startswith("libpython")]
        return [path for path in found if path is not None]

    def linked(self, program: Path, system: tuple[str, ...]) -> list[tuple[str, Path]]:
        """The shared libraries that `program` needs, and those that they need, as (name, path), by name.

        Names that begin like one of `system` are left out: every Linux has them. ScriptError when one is not found.
        """
        found: dict[str, Path] = {}
        waiting = [program]
        while waiting:
            listing = common.run([self.tool("readelf"), "-d", waiting.pop()])
            for name in (match["name"] for match in _NEEDED.finditer(listing)):
                if name not in found and not name.startswith(system):
                    found[name] = self._library(name)
                    waiting.append(found[name])
        return sorted(found.items())

    def _library(self, name: str) -> Path:
        if (path := self._find(name)) is None:
            raise common.ScriptError(f"{name} was not found in {self.root or '/'}")
        return path

    def _find(self, name: str) -> Path | None:
        for folder in _LIBRARY_FOLDERS:
            path = (self.root or Path("/")) / folder.format(arch=self.arch) / name
            if path.exists():
                return path.resolve()
        return None
