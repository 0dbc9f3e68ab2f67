"""The source of llama.cpp: unpacked from the pinned sdist, without unwanted CPU variants, two lines changed."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Sequence
from pathlib import Path

import common

# What llama.cpp needs for the libraries alone; its models, tools, tests and docs (130 MB) stay in the archive.
_PARTS = ("CMakeLists.txt", "LICENSE", "cmake/", "ggml/", "include/", "licenses/", "src/", "vendor/")


def unpack(archive: Path, dest: Path) -> Path:
    """Extract the needed parts of the vendored llama.cpp below `dest`; return its folder."""
    top = f"llama_cpp_python-{common.LLAMA_VERSION}/vendor/llama.cpp/"
    with tarfile.open(archive, "r:gz") as tar:
        members = [m for m in tar if m.name.startswith(top) and m.name[len(top) :].startswith(_PARTS)]
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and later; the archive is hash-pinned in any case
            tar.extractall(dest, members=members, filter="data")
        else:
            tar.extractall(dest, members=members)
    return dest / top


def restrict_variants(source: Path, wanted: Sequence[str]) -> None:
    """Take the calls that add unwanted CPU variants out of ggml's CMake file.

    ggml makes its main target depend on every variant it adds and has no switch to choose some, so the calls go.
    ScriptError if a wanted variant is not among them: the sdist then is not the one this script was written for.
    """
    path = source / "ggml" / "src" / "CMakeLists.txt"
    found: set[str] = set()

    def keep(match: re.Match[str]) -> str:
        found.add(match["name"])
        return match[0] if match["name"] in wanted else ""

    call = re.compile(r"^ +ggml_add_cpu_backend_variant\((?P<name>[\w.]+)[^)\n]*\)$", re.MULTILINE)
    text = call.sub(keep, path.read_text(encoding="utf-8"))
    if missing := set(wanted) - found:
        raise common.ScriptError(f"ggml's CMake file knows no CPU variants {sorted(missing)}")
    path.write_text(text, encoding="utf-8")


def spare_logits(source: Path) -> None:
    """Do not reserve a row of logits per token for a context that only makes embeddings.

    With the embedder's 250,000 pieces that row is 1 MB, so one 512-token passage would take 0.5 GB that nothing reads.
    ScriptError if the line is not there: then the sdist is not the one meant here.
    """
    path = source / "src" / "llama-context.cpp"
    text = path.read_text(encoding="utf-8")
    changed, count = re.subn(r"(bool has_logits += )true;", r"\1!cparams.embeddings;", text, count=1)
    if not count:
        raise common.ScriptError("llama-context.cpp has no has_logits to change")
    path.write_text(changed, encoding="utf-8")


def spare_pages(source: Path) -> None:
    """Do not read a model's whole file into memory while it is mapped.

    The models lie in the executable; llama.cpp would read all of its 480 MB for 73 MB of weights, from an SD card too.
    ScriptError if the lines are not there: then the sdist is not the one meant here.
    """
    path = source / "src" / "llama-mmap.cpp"
    text = path.read_text(encoding="utf-8")
    changed, count = re.subn(r"if \(numa\) \{ prefetch = 0; \}", "(void) numa; prefetch = 0;", text, count=1)
    if not count:
        raise common.ScriptError("llama-mmap.cpp has no prefetch to change")
    path.write_text(changed, encoding="utf-8")


def change(source: Path, variants: Sequence[str]) -> None:
    """All that is changed in `source`. ScriptError when it is not the source that this was written for."""
    restrict_variants(source, variants)
    spare_logits(source)
    spare_pages(source)
