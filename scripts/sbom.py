"""What the executable consists of: a CycloneDX 1.6 bill of materials, and the licence texts of all that is inside.

Python packages are those whose modules PyInstaller took along; shared libraries of the system are named by their Debian
package where dpkg knows them. The document holds nothing of the moment: the same input gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb import __version__  # noqa: E402

FILE_NAME = "sbom.cdx.json"
# PyInstaller's compiled program starts the runtime.
_BOOTLOADER = "pyinstaller"
_LICENCE_FILE = re.compile(r"licen[cs]e|copying|copyright|notice|authors", re.IGNORECASE)
# The classifiers of packages that state no licence expression, as SPDX identifiers.
_CLASSIFIED = {
    "MIT License": "MIT", "BSD License": "BSD-3-Clause", "Apache Software License": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0", "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Component:
    """Something inside: `kind`: a CycloneDX type; `licence`: SPDX expression or words; `texts`: licence files."""

    kind: str
    name: str
    version: str
    licence: str
    purl: str = ""
    sha256: str = ""
    texts: tuple[Path, ...] = ()


def python_packages(runtime: Path) -> list[Component]:
    """The distributions whose modules lie in PyInstaller's folder `runtime`, by name."""
    known = metadata.packages_distributions()
    names = {name for module in _modules(runtime) for name in known.get(module, ())}
    return [_package(metadata.distribution(name)) for name in sorted(names | {_BOOTLOADER}, key=str.lower)]


def _package(distribution: metadata.Distribution) -> Component:
    texts = tuple(
        sorted(
            path
            for file in distribution.files or ()
            if _LICENCE_FILE.search(str(file)) and (path := Path(str(file.locate()))).suffix != ".py" and path.is_file()
        )
    )
    purl = _purl("pypi", distribution.name.lower().replace("_", "-"), distribution.version)
    return Component("library", distribution.name, distribution.version, _licence(distribution), purl, texts=texts)


def _modules(runtime: Path) -> set[str]:
    """Names of top-level modules and packages in a PyInstaller folder: in its archive, and beside it."""
    from PyInstaller.archive.readers import CArchiveReader

    archive = CArchiveReader(str(runtime / "almanac")).open_embedded_archive("PYZ.pyz")
    inside = {name.partition(".")[0] for name in archive.toc}
    beside = {path.name.partition(".")[0] for path in (runtime / "_internal").iterdir()}
    dynamic = {path.name.partition(".")[0] for path in (runtime / "_internal").glob("python*/lib-dynload/*")}
    return (inside | beside) - dynamic


def _licence(distribution: metadata.Distribution) -> str:
    described = distribution.metadata
    if expression := described.get_all("License-Expression"):
        return str(expression[0])
    names = [value.rpartition(" :: ")[2] for value in described.get_all("Classifier") or () if "License ::" in value]
    spdx = sorted({_CLASSIFIED[name] for name in names if name in _CLASSIFIED})
    if spdx:
        return " AND ".join(spdx)
    words = " ".join(described.get_all("License") or ()).strip() or "see licence text"
    return words.splitlines()[0][:80]


def system_libraries(files: Iterable[Path], root: Path | None = None) -> list[Component]:
    """The Debian packages that own `files`, else the files themselves, by name.

    `root` is the Debian root folder that they lie in, None for this system's.
    """
    found: dict[str, Component] = {}
    for file in files:
        package = _owner(file, root)
        if not package:
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            found[file.name] = Component("library", file.name, "", "see NOTICE", sha256=digest)
            continue
        version = _version(package, root)
        text = (root or Path("/")) / "usr/share/doc" / package.partition(":")[0] / "copyright"
        purl = _purl("deb/debian", package.partition(":")[0], version)
        texts = (text.resolve(),) if text.is_file() else ()
        found[package] = Component("library", package.partition(":")[0], version, "see licence text", purl, texts=texts)
    return [found[name] for name in sorted(found)]


def system_paths(runtime: Path) -> list[Path]:
    """Where the system keeps the shared libraries that PyInstaller copied into the folder `runtime`."""
    listed = _output("/sbin/ldconfig", "--print-cache")
    known = {line.split()[0]: line.rpartition(" => ")[2] for line in listed.splitlines() if " => " in line}
    names = [path.name for path in sorted((runtime / "_internal").glob("lib*.so*")) if not path.is_symlink()]
    return [Path(known[name]) for name in names if name in known and not name.startswith("libpython")]


def _purl(kind: str, name: str, version: str) -> str:
    """A package URL: in its version only colons stand as they are."""
    return f"pkg:{kind}/{name}@{quote(version, safe=':')}"


def _database(root: Path | None) -> list[str]:
    """The words that make dpkg-query ask the database of `root`."""
    return [] if root is None else [f"--admindir={root / 'var/lib/dpkg'}"]


def _version(package: str, root: Path | None) -> str:
    return _output("dpkg-query", *_database(root), "--show", "--showformat=${Version}", package)


def _owner(file: Path, root: Path | None) -> str:
    if shutil.which("dpkg-query") is None:
        return ""
    if root is not None and file.is_relative_to(root):
        file = Path("/") / file.relative_to(root)
    real = file if root is not None else file.resolve()
    for path in (file, real, Path(str(real).removeprefix("/usr"))):
        if (line := _output("dpkg-query", *_database(root), "--search", str(path))) and ":" in line:
            return line.rpartition(": ")[0].partition(",")[0]
    return ""


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def python_itself(root: Path | None = None) -> Component:
    """The interpreter; `root`: the Debian root folder that it lies in, None for the one that runs this."""
    if root is not None:
        return replace(system_libraries([root / "usr/bin/python3.11"], root)[0], kind="platform")
    version = platform.python_version()
    texts = tuple(path for path in (Path(sys.base_prefix, "lib", f"python{version.rpartition('.')[0]}", "LICENSE.txt"),)
                  if path.is_file())  # fmt: skip
    return Component("platform", "python", version, "PSF-2.0", _purl("generic", "python", version), texts=texts)


def model(path: Path, name: str, licence: str) -> Component:
    """A GGUF model."""
    return _file("machine-learning-model", path, name, licence)


def data(path: Path, name: str, licence: str) -> Component:
    """A file of data."""
    return _file("data", path, name, licence)


def _file(kind: str, path: Path, name: str, licence: str) -> Component:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Component(kind, name, "", licence, sha256=digest)


def llama_cpp(libraries: Path) -> Component:
    """llama.cpp as scripts/build_llama.py built it into the folder `libraries`."""
    source = json.loads((libraries / "manifest.json").read_text("utf-8"))["sdist"]
    texts = (libraries / "LICENSE.llama.cpp",)
    purl = _purl("generic", "llama.cpp", source)
    return Component("library", "llama.cpp", f"vendored in {source}", "MIT", purl, texts=texts)


def document(components: Iterable[Component], commit: str) -> dict[str, Any]:
    """The bill of materials of this program, made from `commit`."""
    listed = [_described(component) for component in components]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([commit, listed], sort_keys=True))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "almanac", "version": __version__,
                                   "licenses": [{"license": {"id": "Apache-2.0"}}],
                                   "properties": [{"name": "commit", "value": commit}]}},
        "components": listed,
    }  # fmt: skip


def _described(component: Component) -> dict[str, Any]:
    # An SPDX expression is made of identifiers; anything else is only a name.
    spdx = re.fullmatch(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*", component.licence)
    stated = {"expression": component.licence} if spdx else {"license": {"name": component.licence}}
    described: dict[str, Any] = {"type": component.kind, "name": component.name, "licenses": [stated]}
    if component.version:
        described["version"] = component.version
    if component.purl:
        described["purl"] = component.purl
    if component.sha256:
        described["hashes"] = [{"alg": "SHA-256", "content": component.sha256}]
    return described


def write(folder: Path, components: list[Component], commit: str) -> None:
    """Write the bill of materials and each component's licence texts (`folder`/<name>/) into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(document(components, commit), indent=1, ensure_ascii=False, sort_keys=True)
    (folder / FILE_NAME).write_text(text + "\n", "utf-8")
    for component in components:
        for number, path in enumerate(component.texts):
            target = folder / component.name
            target.mkdir(exist_ok=True)
            clash = (target / path.name).exists()
            shutil.copyfile(path, target / (f"{number}-{path.name}" if clash else path.name))
