"""Build dist/almanac: one file with PyInstaller's runtime, models, knowledge and native programs inside.

File layout (see kb/paths.py): launcher, padding, parts on 4096-byte boundaries, directory block.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import build_launcher  # noqa: E402
import build_llama  # noqa: E402
import build_target  # noqa: E402
import common  # noqa: E402
import fetch_dictionary  # noqa: E402
import fetch_models  # noqa: E402
import knowledge_parts  # noqa: E402
import sbom  # noqa: E402

from kb import __version__, native  # noqa: E402
from kb.paths import BLOCK, FACTS, RUNTIME, Part, directory_block, self_command  # noqa: E402

# What each part may weigh, in MB: a file that grows unseen is found by the build (CI builds it too).
BUDGET_MB = {
    "launcher": 1, "answer": 260, "embedder": 80, "dictionary": 20, "knowledge": 10, "native": 40, RUNTIME: 145,
    "total": 520,
}  # fmt: skip
# Libraries of the C runtime that every Linux has; anything else goes along.
_SYSTEM_LIBRARIES = ("libc.so", "libm.so", "libpthread.so", "ld-linux", "linux-vdso", "librt.so", "libdl.so")


def main() -> int:
    """Command line: --model, --embedder, --cache, --output, --variants; --root and --site for another processor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="another answer model (GGUF)")
    parser.add_argument("--embedder", type=Path, help="another embedder (GGUF)")
    parser.add_argument("--variants", default="all", choices=("all", "host"))
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument("--output", type=Path, default=PROJECT / "dist" / "almanac")
    parser.add_argument("--arch", default=build_llama.host_arch(), choices=tuple(build_llama.VARIANTS))
    parser.add_argument("--root", type=Path, help="with --arch: Debian root of that processor (scripts/build_arm64.sh)")
    parser.add_argument("--site", type=Path, help="with --arch: its Python packages")
    options = parser.parse_args()
    if options.arch != build_llama.host_arch() and not (options.root and options.site):
        parser.error("another --arch needs --root and --site")
    target = build_target.Target(options.arch, options.root, options.site)
    common.need_tools(["git", target.tool("objcopy"), target.tool("readelf"), target.compiler])
    cache = common.cache_root(options.cache)
    work = PROJECT / "build" / ("binary" if target.root is None else f"binary-{target.arch}")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    libraries = build_llama.build(cache, options.variants, target.arch)
    models = fetch_models.fetch(cache, options.model, options.embedder)
    dictionary = fetch_dictionary.fetch(cache)
    # Vectors are made here, whatever the target is: index and vectors are little-endian files on every processor.
    engine = libraries if target.root is None else build_llama.build(cache)
    variant = native.choose(engine, work / "native.json", native.child_probe(self_command(), engine))
    knowledge_parts.load_engine(engine, variant)
    embedder_sha256 = common.sha256_file(models.embedder)
    knowledge = work / "knowledge"
    knowledge.mkdir()
    stamp = knowledge_parts.stage(PROJECT, knowledge, models.embedder, embedder_sha256, cache / "knowledge-index", _say)
    commit, _, time = _output("git", "-C", str(PROJECT), "log", "-1", "--format=%H %ct").partition(" ")
    epoch = int(time)
    runtime = _pyinstaller(work, epoch, target)
    native_folder = work / "native"
    _stage_native(native_folder, libraries, (models.answer, models.embedder, dictionary), target)
    words = sbom.data(dictionary, fetch_dictionary.TITLE, fetch_dictionary.LICENCE)
    sbom.write(native_folder / "licences", [*_components(runtime, libraries, models, target), words], commit)
    parts = {
        FACTS: _facts(work / "facts.json", epoch),
        "answer": models.answer,
        "embedder": models.embedder,
        "dictionary": dictionary,
        "knowledge": _tar(knowledge, work / "knowledge.tar", None),
        "native": _tar(native_folder, work / "native.tar", epoch),
        RUNTIME: work / "runtime.bin",
    }
    index_size = build_launcher.pack_runtime(runtime, parts[RUNTIME])
    launcher = build_launcher.compile_launcher(work / "launcher", target.compiler)
    sizes = assemble(launcher, parts, index_size, options.output)
    for name, size in sizes.items():
        print(f"{name:12} {size / 1e6:8.1f} MB")
    print(f"knowledge {stamp['tag']} {stamp['commit'][:10]}")
    print(f"{options.output} {common.sha256_file(options.output)}")
    too_large = over_budget(sizes, own_models=bool(options.model or options.embedder))
    for line in too_large:
        print(line, file=sys.stderr)
    return 1 if too_large else 0


def over_budget(sizes: dict[str, int], *, own_models: bool) -> list[str]:
    """A line for each part that is larger than it may be; a builder's own models are his affair."""
    models = ("answer", "embedder", "total") if own_models else ()
    return [
        f"{part} is {sizes[part] / 1e6:.1f} MB, more than its budget of {limit} MB (scripts/build_binary.py)"
        for part, limit in BUDGET_MB.items()
        if part not in models and sizes.get(part, 0) > limit * 1e6
    ]


def _components(
    runtime: Path, libraries: Path, models: fetch_models.ModelSet, target: build_target.Target
) -> list[sbom.Component]:
    """All that the executable carries and did not come from this repository."""
    files = [*target.system_paths(runtime), target.git()]
    files += [path for _, path in target.linked(target.git(), _SYSTEM_LIBRARIES)]
    return [
        sbom.python_itself(target.root),
        *sbom.python_packages(runtime),
        sbom.llama_cpp(libraries),
        *sbom.system_libraries(files, target.root),
        *sbom.system_libraries([target.static_libc()]),  # in the launcher
        sbom.model(
            models.answer, models.answer.stem, "Gemma Terms of Use" if "gemma" in models.answer.name else "not stated"
        ),
        sbom.model(models.embedder, models.embedder.stem, "MIT" if "e5" in models.embedder.name else "not stated"),
    ]


def _say(phase: str, done: int, total: int) -> None:
    if total and (done == total or done % 64 == 0):
        print(f"{phase} {done}/{total}", flush=True)


def _facts(target: Path, epoch: int) -> Path:
    """What the program says of itself without being started: an update is compared by it."""
    built = datetime.datetime.fromtimestamp(epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    target.write_text(json.dumps({"version": __version__, "built": built}), "utf-8")
    return target


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _stage_native(folder: Path, libraries: Path, parts: Sequence[Path], target: build_target.Target) -> None:
    """llama.cpp's libraries, a git of our own with what it links to, and the licences of all that is inside; those of
    the fetched `parts` lie beside them."""
    shutil.copytree(libraries, folder / "llama")
    git = folder / "git"
    (git / "bin").mkdir(parents=True)
    (git / "lib").mkdir()
    program = target.git()
    shutil.copy2(program, git / "bin" / "git")
    for name, path in target.linked(program, _SYSTEM_LIBRARIES):
        shutil.copy2(path, git / "lib" / name)
    (git / "templates").mkdir()
    licences = folder / "licences"
    licences.mkdir()
    for name in ("LICENSE", "NOTICE"):
        shutil.copy2(PROJECT / name, licences / name)
    for part in parts:
        extra = part.parent / "licences"
        if extra.is_dir():
            shutil.copytree(extra, licences / part.stem)


def _tar(folder: Path, target: Path, epoch: int | None) -> Path:
    """`folder` as a tar that depends on its content alone; `epoch` replaces the files' times."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        if epoch is not None or member.isdir():
            member.mtime = epoch or 0
        member.mtime = int(member.mtime)
        return member

    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            archive.add(path, path.relative_to(folder).as_posix(), recursive=False, filter=plain)
    return target


def _pyinstaller(work: Path, epoch: int, target: build_target.Target) -> Path:
    """Run PyInstaller with the target's Python; returns the folder it makes."""
    target.python(
        "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", str(work / "dist"),
        "--workpath", str(work / "pyinstaller"), str(PROJECT / "build.spec"),
        folders=(PROJECT,), environment={"SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "1"},
    )  # fmt: skip
    return work / "dist" / "almanac"


def assemble(launcher: Path, parts: dict[str, Path], index_size: int, output: Path) -> dict[str, int]:
    """Write the executable; `index_size` is that of the runtime part. Returns the size of each part in bytes."""
    output.parent.mkdir(parents=True, exist_ok=True)
    temporary = output.with_name(output.name + ".part")
    sizes = {"launcher": launcher.stat().st_size}
    entries: list[Part] = []
    with temporary.open("wb") as file:
        _append(file, launcher)
        for kind, path in parts.items():
            file.write(b"\0" * (-file.tell() % BLOCK))
            offset = file.tell()
            digest = _append(file, path)
            entries.append(Part(path.name, kind, offset, path.stat().st_size, digest))
            sizes[kind] = path.stat().st_size
        file.write(b"\0" * (-file.tell() % BLOCK))
        file.write(directory_block(entries, index_size))
        sizes["total"] = file.tell()
    temporary.chmod(0o755)
    temporary.replace(output)
    return sizes


def _append(file: IO[bytes], path: Path) -> str:
    """Copy `path` to the end of `file`; returns its SHA-256."""
    digest = hashlib.sha256()
    with path.open("rb") as source:
        while block := source.read(1 << 20):
            digest.update(block)
            file.write(block)
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
