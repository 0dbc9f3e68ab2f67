"""Tells the service manager that started the program how it is: ready, alive, ending (systemd's sd_notify protocol).

A datagram to the socket that `NOTIFY_SOCKET` names, on this machine alone. Where nothing listens, nothing happens: a
service manager that is gone must not be a reason for the program to end.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping


class Watchdog:
    """Reports to one service manager. `interval` (seconds) is how often it wants to hear; 0: it does not watch.

    Made by `find`, which gives None where no service manager listens.
    """

    def __init__(self, address: str, interval: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.interval = interval
        self._clock = clock
        self._ready = False
        self._told = 0.0

    def heartbeat(self) -> None:
        """For a timer of the loop that must not freeze: the first call says ready, later ones alive.

        It may be called more often than the service manager wants to hear; what is too early is not sent.
        """
        now = self._clock()
        if not self._ready:
            self._ready = True
            self._told = now
            self._send("READY=1\nWATCHDOG=1" if self.interval else "READY=1")
        elif self.interval and now - self._told >= self.interval:
            self._told = now
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The program ends by itself; from here on it is not watched."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        import socket

        # Never waits: a service manager that does not read must not freeze what it watches.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(message.encode(), self._address)


def find(environment: Mapping[str, str]) -> Watchdog | None:
    """The service manager that `environment` names, None without one.

    It watches when WATCHDOG_USEC is set, and WATCHDOG_PID (if set) is this process or the one that started it: a packed
    program may run as the child of its own first process. It hears twice in the time that it waits.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")) or os.name != "posix":
        return None
    meant = environment.get("WATCHDOG_PID")
    if meant and meant not in (str(os.getpid()), str(os.getppid())):
        return Watchdog(address)
    try:
        patience = int(environment.get("WATCHDOG_USEC", "0"))
    except ValueError:
        patience = 0
    return Watchdog(address, max(patience, 0) / 2e6)
