"""What this machine, or the part of it that this process may use, has to offer: memory and cores.

A container or a service unit shows the whole machine in /proc/meminfo and is killed at its own limit, so the limits of
its control groups (version 1 and 2) and of the process count too.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Device:
    """`memory_mb` that can be used now, `address_mb` of address space that may still be taken, whole `cores`.

    MB are 10^6 bytes. `memory_mb` is None where the system does not tell, `address_mb` where there is no limit.
    `memory_by` and `cores_by` say what is the tightest: `system`, or `group` (a control group).
    """

    memory_mb: int | None
    cores: int
    address_mb: int | None = None
    memory_by: str = "system"
    cores_by: str = "system"


def look(root: Path = Path("/")) -> Device:
    """This device. `root` is where /proc and /sys lie; a few small files are read, none is needed."""
    system = _system_memory(root)
    groups = [free for free in _group_memory(root) if free is not None]
    tightest = min((free for free in (system, *groups) if free is not None), default=None)
    cores = _affinity()
    quotas = list(_group_cores(root))
    granted = max(1, int(min([float(cores), *quotas])))
    return Device(
        memory_mb=None if tightest is None else max(0, tightest) // MB,
        cores=granted,
        address_mb=_address_space(root),
        memory_by="group" if groups and tightest != system else "system",
        cores_by="group" if granted < cores else "system",
    )


def _system_memory(root: Path) -> int | None:
    """Bytes that can be used without swapping; without /proc, all that the machine has."""
    for line in _text(root / "proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    with contextlib.suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


def _affinity() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _address_space(root: Path) -> int | None:
    """MB that `ulimit -v` leaves; None without such a limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    used = _numbers(root / "proc/self/statm")[:1]
    return max(0, limit - sum(used) * resource.getpagesize()) // MB


# ---------------------------------------------------------------- control groups


def _group_memory(root: Path) -> Iterator[int | None]:
    """Bytes that each control group above this process still gives; None for one without a limit."""
    for folder in _groups(root, ""):
        limits = [*_numbers(folder / "memory.max"), *_numbers(folder / "memory.high")]
        used = _numbers(folder / "memory.current")
        yield min(limits) - sum(used[:1]) + _reclaimable(folder, "") if limits else None
    for folder in _groups(root, "memory"):
        limits = [limit for limit in _numbers(folder / "memory.limit_in_bytes") if limit < 1 << 60]  # else: none
        used = _numbers(folder / "memory.usage_in_bytes")
        yield min(limits) - sum(used[:1]) + _reclaimable(folder, "total_") if limits else None


def _reclaimable(folder: Path, prefix: str) -> int:
    """Bytes of file pages that the group is charged for and that the kernel takes back when they are needed."""
    wanted = {f"{prefix}active_file", f"{prefix}inactive_file"}
    pairs = (line.split() for line in _text(folder / "memory.stat").splitlines())
    return sum(int(pair[1]) for pair in pairs if len(pair) == 2 and pair[0] in wanted)


def _group_cores(root: Path) -> Iterator[float]:
    """Cores' worth of time that each control group above this process allows."""
    for folder in _groups(root, ""):
        granted = _numbers(folder / "cpu.max")
        if len(granted) == 2 and granted[1]:
            yield granted[0] / granted[1]
    for folder in _groups(root, "cpu"):
        quota, period = _numbers(folder / "cpu.cfs_quota_us"), _numbers(folder / "cpu.cfs_period_us")
        if quota and period and quota[0] > 0 and period[0] > 0:
            yield quota[0] / period[0]


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The control group of this process that `controller` lies in ("" for version 2), then those above it."""
    base = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if controller not in names.split(",") or ".." in path:
            continue
        # Version 2 is the whole mount, or `unified` in it; a controller of version 1 has a folder of its names.
        for mount in (base / names, base / controller) if controller else (base, base / "unified"):
            if not mount.is_dir():
                continue
            place = PurePosixPath(path.lstrip("/"))
            yield from (mount / folder for folder in (place, *place.parents))
            break


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _numbers(path: Path) -> list[int]:
    """The whole numbers of a file's first line; none where a word is not a number (`max`)."""
    words = _text(path).split("\n", 1)[0].split()
    return [int(word) for word in words] if all(word.lstrip("-").isdecimal() for word in words) else []
