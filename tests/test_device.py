"""kb.device: memory and cores that this process may use, from /proc and the control groups of both versions."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from kb.device import Device, look

MEMINFO = "MemTotal:        2000000 kB\nMemFree:          100000 kB\nMemAvailable:    1500000 kB\n"


@pytest.fixture(autouse=True)
def _four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(4)))


def _system(root: Path, files: dict[str, str]) -> Path:
    for name, text in {"proc/meminfo": MEMINFO, "proc/self/statm": "1000 10 10 10 0 10 0\n", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_without_limits_the_system_counts(tmp_path: Path) -> None:
    assert look(_system(tmp_path, {})) == Device(memory_mb=1536, cores=4)


def test_version_2_the_tightest_group_above_counts(tmp_path: Path) -> None:
    top = "sys/fs/cgroup"
    found = look(
        _system(
            tmp_path,
            {
                "proc/self/cgroup": "0::/farm.slice/almanac.service\n",
                f"{top}/farm.slice/almanac.service/memory.max": "max\n",
                f"{top}/farm.slice/almanac.service/memory.current": "900000000\n",
                f"{top}/farm.slice/almanac.service/cpu.max": "max 100000\n",
                f"{top}/farm.slice/memory.max": "800000000\n",
                f"{top}/farm.slice/memory.high": "700000000\n",
                f"{top}/farm.slice/memory.current": "300000000\n",
                f"{top}/farm.slice/memory.stat": "anon 1\ninactive_file 50000000\nactive_file 30000000\nslab 5\n",
                f"{top}/farm.slice/cpu.max": "250000 100000\n",
            },
        )
    )
    assert found == Device(memory_mb=480, cores=2, memory_by="group", cores_by="group")


def test_version_1_has_a_folder_for_each_controller(tmp_path: Path) -> None:
    top = "sys/fs/cgroup"
    found = look(
        _system(
            tmp_path,
            {
                "proc/self/cgroup": "5:cpu,cpuacct:/box\n4:memory:/box\n1:name=systemd:/box\n",
                f"{top}/memory/box/memory.limit_in_bytes": "500000000\n",
                f"{top}/memory/box/memory.usage_in_bytes": "100000000\n",
                f"{top}/memory/box/memory.stat": "inactive_file 1\ntotal_inactive_file 20000000\n",
                f"{top}/memory/memory.limit_in_bytes": "9223372036854771712\n",
                f"{top}/cpu,cpuacct/box/cpu.cfs_quota_us": "50000\n",
                f"{top}/cpu,cpuacct/box/cpu.cfs_period_us": "100000\n",
                f"{top}/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
                f"{top}/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            },
        )
    )
    assert found == Device(memory_mb=420, cores=1, memory_by="group", cores_by="group")


def test_a_group_with_more_than_the_system_has_does_not_count(tmp_path: Path) -> None:
    files = {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "8000000000\n"}
    assert look(_system(tmp_path, files)).memory_by == "system"


def test_a_group_that_is_over_its_limit_leaves_nothing(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/a\n",
        "sys/fs/cgroup/a/memory.max": "100\n",
        "sys/fs/cgroup/a/memory.current": "5000\n",
    }
    assert look(_system(tmp_path, files)).memory_mb == 0


@pytest.mark.parametrize("text", ["", "0::/../../etc\n", "nonsense", "0::/gone\n"])
def test_unreadable_groups_are_passed_over(tmp_path: Path, text: str) -> None:
    assert look(_system(tmp_path, {"proc/self/cgroup": text, "etc/memory.max": "1\n"})).memory_mb == 1536


def test_a_limit_of_address_space_is_what_is_left_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (500_000_000, 600_000_000))
    page = resource.getpagesize()
    assert look(_system(tmp_path, {})).address_mb == (500_000_000 - 1000 * page) // 1_000_000


def test_without_proc_the_machine_is_still_described(tmp_path: Path) -> None:
    found = look(tmp_path)
    assert found.memory_mb is not None and found.memory_mb > 0 and found.cores == 4


def test_this_very_machine_tells() -> None:
    found = look()
    assert found.memory_mb is not None and found.memory_mb > 0
