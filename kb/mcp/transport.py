"""JSON-RPC messages, one a line, over two file descriptors: strict about what comes in, and nothing else goes out.

Standard output is taken away from everybody but this module (`take_output`): what Python or a native library prints
goes to standard error. Bytes are read and written as UTF-8 whatever the locale is. A line that is no message is
answered with a JSON-RPC error; one longer than MAX_LINE is skipped without being kept. A client that asks faster
than it is answered is read no further (MAX_OPEN requests).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, get_args

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from kb.mcp.sdk import Sdk
from kb.plain import visible, whole

MAX_LINE = 1_000_000
MAX_OPEN = 32
LAST_ANSWERS_S = 30.0
"""How long requests that are still being answered are waited for when the client sends no more."""
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
_LONGEST_METHOD = 100
_BLOCK = 65536


def take_output() -> tuple[int, int]:
    """Descriptors for reading requests and writing answers that only the caller knows.

    Descriptor 1 leads to standard error and descriptor 0 to nothing for the rest of the process: what a library
    keeps in its buffers is written when the process ends, and must not reach the client even then.
    """
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(2, 1)
    os.dup2(nothing, 0)
    os.close(nothing)
    return reading, writing


def lines(read: Callable[[], bytes]) -> Iterator[bytes | None]:
    """The lines that `read` gives block by block, without line ends and empty ones; None for one that is too long."""
    kept = bytearray()
    skipping = False
    while block := read():
        first, *rest = block.split(b"\n")
        kept += b"" if skipping else first
        for following in rest:
            line = bytes(kept).strip()
            if skipping or len(line) > MAX_LINE:
                yield None
            elif line:
                yield line
            kept, skipping = bytearray(following), False
        if len(kept) > MAX_LINE:
            kept, skipping = bytearray(), True
    if skipping or len(kept) > MAX_LINE:
        yield None
    elif kept.strip():
        yield bytes(kept).strip()


def refusal(line: bytes | None) -> bytes:
    """The JSON-RPC error for a line that is no message; it carries the request's id where one can be seen."""
    number: object = None
    code, why = INVALID_REQUEST, f"a message may have at most {MAX_LINE} bytes"
    if line is not None:
        try:
            value = json.loads(line)
            why = "not a JSON-RPC 2.0 message"
            if isinstance(value, dict) and isinstance(value.get("id"), (str, int)):
                number = value["id"]
        except (ValueError, RecursionError):
            code, why = PARSE_ERROR, "not JSON"
    return _error(number, code, why)


def _error(number: object, code: int, why: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": why}}).encode() + b"\n"


def methods(types: Any) -> frozenset[str]:
    """The requests that the protocol knows; those without a handler the SDK's server refuses itself."""
    requests = get_args(types.ClientRequest.model_fields["root"].annotation)
    return frozenset(name for request in requests for name in get_args(request.model_fields["method"].annotation))


class Connection:
    """One client over `reading` and `writing`. `streams` is what the SDK's server runs on."""

    def __init__(self, sdk: Sdk, reading: int, writing: int) -> None:
        self._sdk = sdk
        self._methods = methods(sdk.types)
        self._reading = reading
        self._writing = writing
        self._output = threading.Lock()
        self._open: set[object] = set()
        self._changed = anyio.Event()

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[MemoryObjectReceiveStream[Any], MemoryObjectSendStream[Any]]]:
        """Incoming and outgoing messages (`mcp.shared.message.SessionMessage`) until the client is gone."""
        incoming: tuple[MemoryObjectSendStream[Any], MemoryObjectReceiveStream[Any]]
        incoming = anyio.create_memory_object_stream(0)
        outgoing: tuple[MemoryObjectSendStream[Any], MemoryObjectReceiveStream[Any]]
        outgoing = anyio.create_memory_object_stream(0)
        loop = asyncio.get_running_loop()
        # A thread of our own: a read that never ends must not keep the process from ending.
        threading.Thread(target=self._read, args=(loop, incoming[0]), name="mcp-in", daemon=True).start()
        async with anyio.create_task_group() as group:
            group.start_soon(self._write, outgoing[1])
            yield incoming[1], outgoing[0]
            group.cancel_scope.cancel()

    def _read(self, loop: asyncio.AbstractEventLoop, stream: MemoryObjectSendStream[Any]) -> None:
        with contextlib.suppress(RuntimeError, asyncio.CancelledError, OSError, anyio.BrokenResourceError):
            for line in lines(lambda: os.read(self._reading, _BLOCK)):
                message = self._parsed(line)
                if message is None:
                    self._send(refusal(line))
                elif self._is_request(message) and message.root.method not in self._methods:
                    # The SDK would say that its parameters are wrong.
                    why = f"no such method: {visible(whole(message.root.method[:_LONGEST_METHOD]))}"
                    self._send(_error(message.root.id, METHOD_NOT_FOUND, why))
                else:
                    asyncio.run_coroutine_threadsafe(self._pass_on(message, stream), loop).result()
        with contextlib.suppress(RuntimeError, asyncio.CancelledError):
            asyncio.run_coroutine_threadsafe(self._end(stream), loop).result()

    def _parsed(self, line: bytes | None) -> Any:
        if line is None:
            return None
        try:
            return self._sdk.types.JSONRPCMessage.model_validate_json(line)
        except ValueError:
            return None

    def _is_request(self, message: Any) -> bool:
        return isinstance(message.root, self._sdk.types.JSONRPCRequest)

    async def _pass_on(self, message: Any, stream: MemoryObjectSendStream[Any]) -> None:
        """Hand a message to the session, a request only when few are open."""
        if self._is_request(message):
            while len(self._open) >= MAX_OPEN:
                await self._changed.wait()
            self._open.add(message.root.id)
        await stream.send(self._sdk.message.SessionMessage(message))

    async def _end(self, stream: MemoryObjectSendStream[Any]) -> None:
        """The client sends no more: what it asked is still answered, then the session ends."""
        with anyio.move_on_after(LAST_ANSWERS_S):
            while self._open:
                await self._changed.wait()
        await stream.aclose()

    async def _write(self, stream: MemoryObjectReceiveStream[Any]) -> None:
        types = self._sdk.types
        async for item in stream:
            root = item.message.root
            written = item.message.model_dump_json(by_alias=True, exclude_none=True).encode() + b"\n"
            # A client that reads nothing blocks this write, not the loop.
            with contextlib.suppress(OSError):
                await anyio.to_thread.run_sync(self._send, written, abandon_on_cancel=True)
            if isinstance(root, (types.JSONRPCResponse, types.JSONRPCError)):
                self._open.discard(root.id)
                self._changed.set()
                self._changed = anyio.Event()

    def _send(self, written: bytes) -> None:
        with self._output:
            view = memoryview(written)
            while view:
                view = view[os.write(self._writing, view) :]
