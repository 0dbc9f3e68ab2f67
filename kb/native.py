"""Which of the llama.cpp CPU libraries this machine can really run.

A library that is built for more than the processor (or its hypervisor) allows dies with SIGILL, so the best one
is tried in a child process, then the next; what survives is remembered per machine and set of libraries.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import platform
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError

PROBE_TIMEOUT_S = 60
_PREFIX = "libggml-cpu-"


def variants(libraries: Path) -> list[Path]:
    """The CPU libraries in `libraries` that claim to fit this processor, best first (ggml_backend_score)."""
    scored: list[tuple[int, str, Path]] = []
    for path in sorted(libraries.glob(f"{_PREFIX}*.so")):
        with contextlib.suppress(OSError, AttributeError):
            score = ctypes.CDLL(str(path)).ggml_backend_score()
            if score > 0:
                scored.append((-score, path.name, path))
    return [path for _, _, path in sorted(scored)]


def variant_name(path: Path) -> str:
    """`haswell` for libggml-cpu-haswell.so."""
    return path.stem.removeprefix(_PREFIX)


def machine_id() -> str:
    """A digest of the processor's name and flags; the same on every start of one machine."""
    described = [platform.machine(), platform.processor()]
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith(("model name", "flags", "Features", "CPU part")):
                described.append(line)
                if len(described) > 4:
                    break
    return hashlib.sha256("\n".join(described).encode()).hexdigest()[:16]


def choose(libraries: Path | None, memory: Path, probe: Callable[[Path], bool]) -> Path:
    """The best variant for which `probe` (in a child process) succeeds, remembered in the file `memory`.

    Raises AlmanacError when there are no libraries or none of them runs.
    """
    if libraries is None or not libraries.is_dir():
        raise AlmanacError("native_missing", path=str(libraries or ""))
    key = f"{machine_id()}-{libraries.name}"
    remembered = _remembered(memory)
    known = libraries / f"{_PREFIX}{remembered.get(key, '')}.so"
    if key in remembered and known.is_file():
        return known
    candidates = variants(libraries)
    for path in candidates:
        if probe(path):
            with contextlib.suppress(AlmanacError):
                fsio.write_text(memory, json.dumps({**remembered, key: variant_name(path)}, indent=1))
            return path
    raise AlmanacError("native_unusable")


def _remembered(memory: Path) -> dict[str, str]:
    try:
        loaded = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in loaded.items()} if isinstance(loaded, dict) else {}


def child_probe(self_command: Sequence[str], libraries: Path) -> Callable[[Path], bool]:
    """A probe that runs this program as a child which computes with the variant; see agent_main's `_probe`."""

    def probe(path: Path) -> bool:
        try:
            done = subprocess.run(
                [*self_command, "_probe", str(libraries), str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PROBE_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0

    return probe


def compute_probe(load: Callable[[str], ctypes.CDLL], libraries: Path, variant: Path) -> int:
    """In a child process: multiply matrices of the weight types in use with `variant`. 0 when that went well.

    `load` opens a shared library. An unsupported instruction ends the process with SIGILL, which the parent sees.
    """
    base = load(str(libraries / "libggml-base.so"))
    load(str(libraries / "libggml.so"))
    cpu = load(str(variant))
    pointer, size, integer = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int

    class Parameters(ctypes.Structure):
        """struct ggml_init_params of ggml.h."""

        _fields_ = (("mem_size", size), ("mem_buffer", pointer), ("no_alloc", ctypes.c_bool))

    base.ggml_init.restype = pointer
    base.ggml_init.argtypes = [Parameters]
    base.ggml_new_tensor_2d.restype = pointer
    base.ggml_new_tensor_2d.argtypes = [pointer, integer, ctypes.c_int64, ctypes.c_int64]
    base.ggml_mul_mat.restype = base.ggml_new_graph.restype = base.ggml_get_data.restype = pointer
    base.ggml_mul_mat.argtypes = [pointer, pointer, pointer]
    base.ggml_new_graph.argtypes = base.ggml_get_data.argtypes = [pointer]
    base.ggml_nbytes.restype = size
    base.ggml_nbytes.argtypes = [pointer]
    base.ggml_build_forward_expand.argtypes = [pointer, pointer]
    cpu.ggml_graph_compute_with_ctx.argtypes = [pointer, pointer, integer]
    context = base.ggml_init(Parameters(64 * 1024 * 1024, None, False))
    if not context:
        return 1
    cpu.ggml_cpu_init()
    graph = base.ggml_new_graph(context)
    # enum ggml_type: F32 0, F16 1, Q4_0 2, Q5_0 6, Q8_0 8, Q4_K 12, Q6_K 14.
    for kind in (0, 1, 2, 6, 8, 12, 14):
        weights = base.ggml_new_tensor_2d(context, kind, 512, 32)
        inputs = base.ggml_new_tensor_2d(context, 0, 512, 8)
        for tensor in (weights, inputs):
            ctypes.memset(base.ggml_get_data(tensor), 0, base.ggml_nbytes(tensor))
        base.ggml_build_forward_expand(graph, base.ggml_mul_mat(context, weights, inputs))
    return int(cpu.ggml_graph_compute_with_ctx(context, graph, 1))
