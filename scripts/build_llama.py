"""Build llama.cpp's shared libraries, one CPU backend per processor generation, from the pinned sdist.

Why not `pip install llama-cpp-python`: its own build tunes for the building machine (GGML_NATIVE) and its install step
leaves the backend variants out. Here `libllama`, `libggml`, `libggml-base` and one `libggml-cpu-<variant>` for each
processor generation are made, and the program picks a variant when it starts.

Result: `<cache>/llama/<digest>/` holding the libraries, llama.cpp's licence and `manifest.json`: `{sdist,
sdist_sha256, arch, compiler, flags, variants: [best first], files: [{name, sha256, size}], seconds}`. The digest
covers everything that the result depends on, so a second run finds it and returns at once.

    python3 scripts/build_llama.py --variants host            only what this machine can run (development)
    python3 scripts/build_llama.py --variants all             everything (what is shipped)
    python3 scripts/build_llama.py --arch aarch64             cross build on an x86 machine
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import common
import llama_source

RECIPE = 3  # raise when this script changes what comes out without a flag, variant or hash changing

LIBRARIES = ("libggml-base.so", "libggml.so", "libllama.so")

FLAGS: Mapping[str, str] = {
    "CMAKE_BUILD_TYPE": "Release",
    "BUILD_SHARED_LIBS": "ON",
    "GGML_NATIVE": "OFF",
    "GGML_BACKEND_DL": "ON",
    "GGML_CPU_ALL_VARIANTS": "ON",
    "GGML_OPENMP": "OFF",  # one thread per context needs neither; both kinds of waiting are in BENCHMARKS.md
    "LLAMA_BUILD_COMMON": "OFF",
    "LLAMA_BUILD_TESTS": "OFF",
    "LLAMA_BUILD_TOOLS": "OFF",
    "LLAMA_BUILD_EXAMPLES": "OFF",
    "LLAMA_BUILD_SERVER": "OFF",
    "LLAMA_BUILD_APP": "OFF",
    "LLAMA_OPENSSL": "OFF",
    "LLAMA_BUILD_NUMBER": "0",  # else taken from whatever Git repository the build folder happens to lie in
    "LLAMA_BUILD_COMMIT": f"{common.LLAMA_PACKAGE}-{common.LLAMA_VERSION}",
    # Plain file names, no libx.so -> libx.so.0 -> libx.so.0.1 chains: each file is copied once into the executable.
    "CMAKE_PLATFORM_NO_VERSIONED_SONAME": "ON",
    "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON",
    "CMAKE_INSTALL_RPATH": "$ORIGIN",
    "CMAKE_SHARED_LINKER_FLAGS": "-Wl,-s",
    "CMAKE_MODULE_LINKER_FLAGS": "-Wl,-s",
}


@dataclass(frozen=True)
class Variant:
    """One build of ggml's CPU backend.

    `flags` are the /proc/cpuinfo words it needs; `march` is what the compiler must know (aarch64 only: every compiler
    that builds llama.cpp at all knows the x86 ones).
    """

    name: str
    flags: tuple[str, ...] = ()
    march: str = ""


_AVX2 = ("sse4_2", "avx", "f16c", "fma", "avx2", "bmi2")
_AVX512 = (*_AVX2, "avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw")
_VNNI_BF16 = (*_AVX512, "avx512_vnni", "avx512_bf16")
_SVE = ("asimddp", "fphp", "asimdhp", "sve")

# Best first: the order of `ggml_backend_score` (ggml-cpu/arch/*/cpu-feats.cpp), 1 plus a bit for each feature: FMA 1,
# F16C 2, SSE4.2 4, BMI2 8, AVX 16, AVX2 32, AVX-VNNI 64, AVX512 128, VBMI 256, BF16 512, VNNI 1024, AMX 2048. Names
# and features: ggml/src/CMakeLists.txt, `ggml_add_cpu_backend_variant(...)`.
VARIANTS: Mapping[str, tuple[Variant, ...]] = {
    "x86_64": (
        Variant("sapphirerapids", (*_VNNI_BF16, "avx512vbmi", "amx_tile", "amx_int8")),
        Variant("zen4", (*_VNNI_BF16, "avx512vbmi")),
        Variant("cooperlake", _VNNI_BF16),
        Variant("icelake", (*_AVX512, "avx512vbmi", "avx512_vnni")),
        Variant("cascadelake", (*_AVX512, "avx512_vnni")),
        Variant("cannonlake", (*_AVX512, "avx512vbmi")),
        Variant("skylakex", _AVX512),
        Variant("alderlake", (*_AVX2, "avx_vnni")),
        Variant("haswell", _AVX2),
        Variant("piledriver", ("sse4_2", "avx", "f16c", "fma")),
        Variant("ivybridge", ("sse4_2", "avx", "f16c")),
        Variant("sandybridge", ("sse4_2", "avx")),
        Variant("sse42", ("sse4_2",)),
        Variant("x64"),
    ),
    "aarch64": (
        Variant("armv9.2_2", (*_SVE, "i8mm", "sve2", "sme"), "armv9.2-a+dotprod+fp16+sve+i8mm+sve2+sme"),
        Variant("armv9.2_1", (*_SVE, "i8mm", "sme"), "armv9.2-a+dotprod+fp16+sve+i8mm+sme"),
        Variant("armv8.6_2", (*_SVE, "i8mm", "sve2"), "armv8.6-a+dotprod+fp16+sve+i8mm+sve2"),
        Variant("armv8.6_1", (*_SVE, "i8mm"), "armv8.6-a+dotprod+fp16+sve+i8mm"),
        Variant("armv8.2_3", _SVE, "armv8.2-a+dotprod+fp16+sve"),
        Variant("armv8.2_2", ("asimddp", "fphp", "asimdhp"), "armv8.2-a+dotprod+fp16"),
        Variant("armv8.2_1", ("asimddp",), "armv8.2-a+dotprod"),
        Variant("armv8.0_1", (), "armv8-a"),
    ),
}


def host_arch() -> str:
    """This machine's architecture under the name used here."""
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)


def cpu_flags(cpuinfo: Path) -> frozenset[str]:
    """Feature words of the first processor in `cpuinfo` (x86 `flags`, ARM `Features`); none without it."""
    lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines() if cpuinfo.exists() else []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return frozenset()


def choose_variants(variants: str, arch: str, flags: frozenset[str], known: Sequence[Variant]) -> list[str]:
    """Names of the `known` variants to build, best first: `all`, or those whose needs `flags` meet (`host`).

    ScriptError if `host` is asked for while building for another architecture.
    """
    if variants == "all":
        return [variant.name for variant in known]
    if arch != host_arch():
        raise common.ScriptError(f"--variants host makes no sense for {arch} on {host_arch()}: use all")
    return [variant.name for variant in known if flags.issuperset(variant.flags)]


# ---------------------------------------------------------------- compilers


@dataclass(frozen=True)
class Compiler:
    """The two compilers of one architecture and the line that identifies them."""

    c: str
    cxx: str
    identity: str

    def knows(self, march: str) -> bool:
        """Whether `-march=<march>` is accepted (gcc 12 does not know armv9.2)."""
        command = [self.cxx, f"-march={march}", "-E", "-x", "c++", os.devnull]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def find_compiler(arch: str) -> Compiler:
    """The machine's own g++, or Debian's cross compiler for another `arch`. ScriptError if missing."""
    prefix = "" if arch == host_arch() else f"{arch}-linux-gnu-"
    c, cxx = f"{prefix}gcc", f"{prefix}g++"
    common.need_tools([c, cxx, "cmake"] + ([] if shutil.which("ninja") else ["make"]))
    identity = common.run([cxx, "--version"]).splitlines()[0]
    return Compiler(c, cxx, f"{identity} {common.run([cxx, '-dumpmachine']).strip()}")


def toolchain_file(arch: str, compiler: Compiler) -> str:
    """Text of the CMake toolchain file for a cross build: programs from here, libraries from the target."""
    lines = [
        "set(CMAKE_SYSTEM_NAME Linux)",
        f"set(CMAKE_SYSTEM_PROCESSOR {arch})",
        f"set(CMAKE_C_COMPILER {compiler.c})",
        f"set(CMAKE_CXX_COMPILER {compiler.cxx})",
        "set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)",
        *(f"set(CMAKE_FIND_ROOT_PATH_MODE_{kind} ONLY)" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")),
    ]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- build


def configure(source: Path, build_dir: Path, arch: str, compiler: Compiler) -> None:
    """Run CMake's configure step for `source` into `build_dir`."""
    build_dir.mkdir()
    command = ["cmake", "-S", str(source), "-B", str(build_dir)]
    command += ["-G", "Ninja"] if shutil.which("ninja") else ["-G", "Unix Makefiles"]
    command += [f"-D{key}={value}" for key, value in FLAGS.items()]
    # The temporary folder's name would otherwise stand in every assertion message inside the libraries.
    command += [f"-DCMAKE_{lang}_FLAGS=-ffile-prefix-map={source}=llama.cpp" for lang in ("C", "CXX")]
    if arch == host_arch():
        command += [f"-DCMAKE_C_COMPILER={compiler.c}", f"-DCMAKE_CXX_COMPILER={compiler.cxx}"]
    else:
        toolchain = build_dir / "toolchain.cmake"
        toolchain.write_text(toolchain_file(arch, compiler), encoding="utf-8")
        command.append(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
    common.run(command, env=_environment(source))


def compile_libraries(source: Path, build_dir: Path, jobs: int, progress: common.Progress, label: str) -> None:
    """Build the targets `llama` and `ggml` (which brings the CPU variants), showing how far it is."""
    percent = re.compile(r"^\[\s*(\d+)%\]")

    def on_line(line: str) -> None:
        if match := percent.match(line):
            progress.update(label, int(match[1]) / 100)

    command = ["cmake", "--build", str(build_dir), "--parallel", str(jobs), "--target", "llama", "ggml"]
    nice = ["nice", "-n", "5"] if shutil.which("nice") else []  # people go on working meanwhile
    common.run([*nice, *command], env=_environment(source), on_line=on_line)


def _environment(source: Path) -> dict[str, str]:
    """Environment for CMake: Git looks for no repository above the build folder, Ninja counts in per cent."""
    ours = {"GIT_CEILING_DIRECTORIES": str(source.parent), "NINJA_STATUS": "[%p] ", "LC_ALL": "C"}
    return {**os.environ, **ours}


def collect(source: Path, build_dir: Path, names: Sequence[str], dest: Path) -> list[dict[str, Any]]:
    """Copy libraries and licence to `dest`; return the manifest's `files`. ScriptError if one is missing."""
    for library in [*LIBRARIES, *(f"libggml-cpu-{name}.so" for name in names)]:
        if not (build_dir / "bin" / library).is_file():
            raise common.ScriptError(f"the build ended without making {library}")
        shutil.copy(build_dir / "bin" / library, dest / library)
    shutil.copy(source / "LICENSE", dest / "LICENSE.llama.cpp")
    return [
        {"name": path.name, "sha256": common.sha256_file(path), "size": path.stat().st_size}
        for path in sorted(dest.iterdir())
    ]


_PROBE = """
import ctypes, sys
folder, variant = sys.argv[1:]
ctypes.CDLL(folder + "/libllama.so")
ggml = ctypes.CDLL(folder + "/libggml.so")
ggml.ggml_backend_load.restype = ctypes.c_void_p
ggml.ggml_backend_load.argtypes = [ctypes.c_char_p]
sys.exit(0 if ggml.ggml_backend_load((folder + "/libggml-cpu-" + variant + ".so").encode()) else 3)
"""


def check_loads(folder: Path, variant: str) -> None:
    """Load the libraries and one CPU variant in a child process. ScriptError if that fails or dies."""
    command = [sys.executable, "-c", _PROBE, str(folder), variant]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise common.ScriptError(f"the built libraries do not load (exit {result.returncode}): {result.stderr}")


def is_complete(folder: Path) -> bool:
    """Whether `folder` holds every file of its manifest at its recorded size."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return all((folder / file["name"]).stat().st_size == file["size"] for file in manifest["files"])
    except (OSError, ValueError, KeyError):
        return False


def build(
    root: Path,
    variants: str = "host",
    arch: str | None = None,
    progress: common.Progress | None = None,
    jobs: int | None = None,
) -> Path:
    """Folder of the libraries for `arch` (this machine's unless told), built first if the cache lacks it.

    `variants` is `host` or `all`. ScriptError if tools are missing or the build fails; nothing is left half made.
    """
    arch = arch or host_arch()
    progress = progress or common.Progress()
    if arch not in VARIANTS:
        raise common.ScriptError(f"no CPU variants are known for {arch}: only {', '.join(VARIANTS)}")
    compiler = find_compiler(arch)
    known = [variant for variant in VARIANTS[arch] if not variant.march or compiler.knows(variant.march)]
    names = choose_variants(variants, arch, cpu_flags(Path("/proc/cpuinfo")), known)
    for choice in ([variant.name for variant in known], names):  # a full build has the host's variants too
        recipe = _recipe(arch, compiler, choice)
        final = root / "llama" / common.sha256_json(recipe)[:24]
        if is_complete(final):
            return final
    with common.locked(
        final.parent / f"{final.name}.lock", lambda: progress.update("waiting for another llama.cpp build")
    ):
        if not is_complete(final):  # else the one we waited for has made it
            _build_into(final, root, recipe, compiler, jobs or os.cpu_count() or 2, progress)
    return final


def _recipe(arch: str, compiler: Compiler, names: Sequence[str]) -> dict[str, Any]:
    """All that decides what the libraries hold."""
    return {
        "sdist": f"{common.LLAMA_PACKAGE}-{common.LLAMA_VERSION}",
        "sdist_sha256": common.LLAMA_SDIST_SHA256,
        "arch": arch,
        "compiler": compiler.identity,
        "flags": dict(FLAGS),
        "variants": list(names),
        "recipe": RECIPE,
    }


def _build_into(
    final: Path, root: Path, recipe: dict[str, Any], compiler: Compiler, jobs: int, progress: common.Progress
) -> None:
    """Unpack, configure, compile, check and place. Call it under the result's lock."""
    started = time.monotonic()
    arch, names = recipe["arch"], recipe["variants"]
    label = f"llama.cpp {arch} ({len(names)} CPU variant{'s' if len(names) != 1 else ''})"
    progress.update(f"{label}: source")
    archive = common.llama_sdist(root)
    with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
        source = llama_source.unpack(archive, work / "source")
        llama_source.change(source, names)
        progress.update(f"{label}: configuring")
        build_dir = work / "build"
        configure(source, build_dir, arch, compiler)
        compile_libraries(source, build_dir, jobs, progress, label)
        files = collect(source, build_dir, names, staging)
        if arch == host_arch():
            check_loads(staging, names[-1])  # the baseline, which every processor runs
        seconds = round(time.monotonic() - started, 1)
        common.write_json(staging / "manifest.json", {**recipe, "files": files, "seconds": seconds})
    progress.done(f"{label}: {final} ({common.minutes(started)})")


def main() -> None:
    """Command line: build, then print the folder on standard output."""
    parser = argparse.ArgumentParser(description="Build llama.cpp's shared libraries for Almanac.")
    parser.add_argument("--variants", choices=("host", "all"), help="CPU variants (default: host; all if --arch)")
    parser.add_argument("--arch", choices=tuple(VARIANTS), default=host_arch(), help="build for this architecture")
    parser.add_argument("--jobs", type=int, help="compilers at a time (default: one per processor)")
    parser.add_argument("--cache", type=Path, help="cache folder instead of ~/.cache/almanac")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the result")
    options = parser.parse_args()
    variants = options.variants or ("host" if options.arch == host_arch() else "all")
    progress = common.Progress(quiet=options.quiet)
    print(build(common.cache_root(options.cache), variants, options.arch, progress, options.jobs))


if __name__ == "__main__":
    common.guarded_main(main)
