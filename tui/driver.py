"""Textual's driver with a reading of its own: bytes that nobody can read stop nothing, and Esc is heard at once."""

from __future__ import annotations

import codecs
import errno
import os
import select
from collections.abc import Iterator

from textual import constants
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

_BLOCK = 4096
_IDLE_S = 0.1


class Keys:
    """What typed bytes mean, by Textual's parser: a sequence that it fails at is lost, the next key is not."""

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._parser = XTermParser(debug)

    def heard(self, data: bytes) -> Iterator[Message]:
        """What `data` says after all that came before, and whether time has told an Esc from the beginning of a key."""
        for char in (*self._decode(data), ""):
            try:
                yield from self._parser.feed(char) if char else self._parser.tick()
            except Exception:  # noqa: BLE001  # a number too large, say
                self._parser = XTermParser(self._debug)


class TerminalDriver(LinuxDriver):
    """Textual's own reading ends with the first byte that is no UTF-8 (a terminal that sends GBK), and with it the
    application; and it looks only every tenth of a second whether an Esc stays alone (ESCDELAY) or begins a key."""

    def run_input_thread(self) -> None:
        """Read and pass on what is typed, until the driver stops; OSError when the terminal is gone."""
        keys = Keys(debug=self._debug)
        wait = _IDLE_S
        while not self.exit_event.is_set():
            ready, _, _ = select.select([self.fileno], [], [], wait)
            data = os.read(self.fileno, _BLOCK) if ready else b""
            if ready and not data:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            for message in keys.heard(data):
                self.process_message(message)
            wait = constants.ESCAPE_DELAY if ready else _IDLE_S
