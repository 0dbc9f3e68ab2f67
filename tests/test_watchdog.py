"""kb.watchdog: what a service manager hears, and that a frozen interface falls silent."""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kb import watchdog
from tests.helpers import PROJECT, wait_for


@dataclass
class Manager:
    """Stands for the service manager: a socket that collects what the program says."""

    address: str
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + self.address[1:] if self.address.startswith("@") else self.address)

    def hear(self, patience: float) -> bool:
        """Wait for the next message; False when none came for `patience` seconds."""
        self.socket.settimeout(patience)
        try:
            self.said.append(self.socket.recv(4096).decode())
        except TimeoutError:
            return False
        return True

    def hear_all(self) -> list[str]:
        """What lies there now."""
        self.socket.setblocking(False)
        try:
            while True:
                self.said.append(self.socket.recv(4096).decode())
        except BlockingIOError:
            return self.said


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    """A socket of the test's own, as a path and as an abstract name."""
    address = f"@almanac-{os.getpid()}-{tmp_path.name}" if request.param == "abstract" else str(tmp_path / "s")
    made = Manager(address)
    yield made
    made.socket.close()


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_ready_then_alive_then_stopping(manager: Manager) -> None:
    clock = Clock()
    watched = watchdog.Watchdog(manager.address, 5.0, clock)
    watched.heartbeat()
    assert manager.hear_all() == ["READY=1\nWATCHDOG=1"]
    for clock.now in (1.0, 4.9):
        watched.heartbeat()
    assert len(manager.hear_all()) == 1, "not more often than it wants to hear"
    for clock.now in (5.0, 6.0, 10.0, 30.0):
        watched.heartbeat()
    assert manager.hear_all()[1:] == ["WATCHDOG=1"] * 3
    watched.stopping()
    assert manager.hear_all()[-1] == "STOPPING=1"


def test_without_a_watchdog_only_ready_is_said(manager: Manager) -> None:
    watched = watchdog.find({"NOTIFY_SOCKET": manager.address})
    assert watched is not None
    for _ in range(5):
        watched.heartbeat()
    assert manager.hear_all() == ["READY=1"]


def test_a_service_manager_that_is_gone_or_full_changes_nothing(tmp_path: Path) -> None:
    watchdog.Watchdog(str(tmp_path / "none")).heartbeat()
    manager = Manager(str(tmp_path / "s"))
    clock = Clock()
    watched = watchdog.Watchdog(manager.address, 1.0, clock)
    for clock.now in range(2000):  # more than a socket holds that nobody reads
        watched.heartbeat()
    assert 1 <= len(manager.hear_all()) < 2000
    manager.socket.close()
    watched.stopping()


@pytest.mark.parametrize(
    ("environment", "interval"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getppid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1000000000"}, 0.0),
        ({"WATCHDOG_USEC": "soon"}, 0.0),
        ({"WATCHDOG_USEC": "-5"}, 0.0),
        ({}, 0.0),
    ],
)
def test_how_often_it_wants_to_hear(environment: dict[str, str], interval: float) -> None:
    found = watchdog.find({"NOTIFY_SOCKET": "/run/s", **environment})
    assert found is not None
    assert found.interval == interval


@pytest.mark.parametrize("address", ["", "relative", "tcp:1.2.3.4:5", "vsock:2:1"])
def test_nobody_listens(address: str) -> None:
    assert watchdog.find({"NOTIFY_SOCKET": address}) is None
    assert watchdog.find({}) is None


# -- the interface, as a process on a pseudo-terminal ---------------------------------------------------------------

# The whole program; where `freeze` appears in the first argument's folder, its loop stands still from inside.
_FREEZING = """
import pathlib, sys, threading
import agent_main
from tui.app import AlmanacApp
freeze, release = pathlib.Path(sys.argv[1], "freeze"), threading.Event()
AlmanacApp._watch_engine = lambda self: freeze.exists() and release.wait()  # a timer of the loop
sys.exit(agent_main.main(sys.argv[2:]))
"""
_PATIENCE_S = 5.0


class Service:
    """The program as a service manager keeps it: silent for too long, it is killed, and started again when it ended."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.folder = folder
        self.manager = Manager(str(folder / "notify"))
        self.command = [sys.executable, "-c", _FREEZING, str(folder), "--knowledge", str(tree), "--no-model"]
        self.starts = 0
        self.child: subprocess.Popen[bytes] | None = None
        self.terminal = -1

    def start(self) -> None:
        """Start the program on a terminal of its own."""
        self.stop()
        self.terminal, inner = pty.openpty()
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": self.manager.address,
            "WATCHDOG_USEC": str(int(_PATIENCE_S * 1e6)),
            "TERM": "xterm",
            "PYTHONPATH": str(PROJECT),
        }
        self.child = subprocess.Popen(
            self.command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)
        threading.Thread(target=_drain, args=(self.terminal,), daemon=True).start()
        self.starts += 1

    def supervise(self, enough: int) -> bool:
        """Hear `enough` messages; False when it fell silent and was killed. For the first, a start has more time."""
        assert self.child is not None
        for _ in range(enough):
            if not self.manager.hear(_PATIENCE_S if self.manager.said else 60.0):
                os.killpg(self.child.pid, signal.SIGABRT)
                os.killpg(self.child.pid, signal.SIGCONT)  # as systemd does: a stopped process hears nothing else
                self.child.wait(20)
                return False
        return True

    def stop(self) -> None:
        """Kill what runs."""
        if self.child is not None:
            if self.child.poll() is None:
                os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait(20)
            os.close(self.terminal)
            self.child = None


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


@pytest.fixture
def service(tree: Path, tmp_path: Path) -> Iterator[Service]:
    """Not started yet."""
    made = Service(tree, tmp_path)
    yield made
    made.stop()
    made.manager.socket.close()


@pytest.mark.slow
def test_a_healthy_interface_is_heard_and_says_when_it_ends(service: Service) -> None:
    service.start()
    assert service.supervise(3)
    assert service.manager.said == ["READY=1\nWATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
    os.write(service.terminal, b"\x11")
    assert service.child is not None
    assert service.child.wait(20) == 0
    assert service.manager.hear_all()[-1] == "STOPPING=1"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["loop", "stopped"])
def test_a_frozen_interface_falls_silent_and_is_started_again(service: Service, how: str) -> None:
    service.start()
    assert service.supervise(2)
    assert service.child is not None
    if how == "loop":
        (service.folder / "freeze").touch()
    else:
        os.kill(service.child.pid, signal.SIGSTOP)
    # What was on its way when it froze may still be heard.
    assert not service.supervise(3), "silence is noticed"
    wait_for(lambda: service.child is not None and service.child.poll() == -signal.SIGABRT, "killed")
    (service.folder / "freeze").unlink(missing_ok=True)
    service.manager.said.clear()
    service.start()
    assert service.supervise(2)
    assert service.manager.said[0].startswith("READY=1")
    assert service.starts == 2
