"""Servers to talk to: line by line in this process, and with the SDK's own client as a process."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp  # the whole SDK, before kb.mcp.sdk would make bare packages of it
import pytest
from mcp.client.stdio import StdioServerParameters, stdio_client

from kb.config import Config
from kb.mcp import serve
from kb.mcp.sdk import load
from kb.mcp.tool import Toolbox
from tests.helpers import PROJECT

HELLO = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Lines:
    """Speaks JSON-RPC with a server in a thread of this process."""

    def __init__(self, toolbox: Toolbox, config: Config) -> None:
        there, self._ask = os.pipe()
        self._hear, back = os.pipe()
        self.config = config
        self._rest = b""
        self._sides = (there, back)
        self._thread = threading.Thread(
            target=lambda: anyio.run(serve._serve, load(), toolbox, config, there, back), daemon=True
        )
        self._thread.start()

    def send(self, message: dict[str, Any] | bytes) -> None:
        """Send a message, or bytes as they are."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        view = memoryview(data)
        while view:
            view = view[os.write(self._ask, view) :]

    def receive(self) -> dict[str, Any]:
        """The next message."""
        while b"\n" not in self._rest:
            block = os.read(self._hear, 65536)
            assert block, "the server closed its output"
            self._rest += block
        line, self._rest = self._rest.split(b"\n", 1)
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    def request(self, number: int, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return the next message."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.receive()

    def greet(self) -> dict[str, Any]:
        """Begin the session; what the server says of itself."""
        self.send(HELLO)
        found = self.receive()
        self.send(READY)
        return found

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        answer = self.request(7, "tools/call", name=name, arguments=arguments)
        found = answer["result"]
        assert isinstance(found, dict)
        return found

    def hang_up(self) -> None:
        """Close both ends and wait until the server has ended."""
        if self._ask >= 0:
            os.close(self._ask)
            self._ask = -1
            self._thread.join(timeout=20)
            assert not self._thread.is_alive(), "the server did not end with its client"
            os.close(self._hear)
            for side in self._sides:
                os.close(side)


@pytest.fixture
def config(tree: Path, own_home: Path) -> Config:
    """A configuration over the small tree, without models."""
    return Config(home=own_home / "almanac", knowledge=tree, lang="en")


@pytest.fixture
def talk(config: Config) -> Iterator[Callable[[Toolbox], Lines]]:
    """Starts servers that end with the test."""
    started: list[Lines] = []

    def start(toolbox: Toolbox, lang: str = "en") -> Lines:
        made = Lines(toolbox, dataclasses.replace(config, lang="zh" if lang == "zh" else "en"))
        started.append(made)
        return made

    yield start
    for lines in started:
        lines.hang_up()


Connect = Callable[..., AbstractAsyncContextManager[mcp.ClientSession]]


@pytest.fixture
def connect(config: Config, program_source: Path) -> Connect:
    """Starts `almanac mcp ...` as a process and connects the SDK's client to it."""
    import sys

    @asynccontextmanager
    async def session(*arguments: str, env: dict[str, str] | None = None) -> AsyncIterator[mcp.ClientSession]:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=[
                str(program_source), "mcp", *arguments,
                "--knowledge", str(config.knowledge), "--home", str(config.home),
            ],
            env={"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
            cwd=str(PROJECT.parent),
        )  # fmt: skip
        async with stdio_client(parameters) as (reading, writing), mcp.ClientSession(reading, writing) as client:
            await client.initialize()
            yield client

    return session
