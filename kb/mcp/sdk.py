"""The part of the MCP SDK that a server over standard input and output needs, imported in half the time.

The packages' own `__init__` modules import clients and web servers (httpx, starlette, uvicorn: half a second, and a
network stack in an executable that never opens a connection). So the packages are made here without them, as
`kb.search.engine` does for llama_cpp. Of httpx the session uses one status number, which stands here instead.
Where somebody imported the whole SDK before, that is used.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

REQUEST_TIMEOUT = 408
"""RFC 9110, section 15.5.9; what `mcp.shared.session` takes from httpx."""


@dataclass(frozen=True, slots=True)
class Sdk:
    """The modules: protocol types, the low-level server, exceptions, the envelope of a message; and the class that
    compares arguments with a schema."""

    types: Any
    server: Any
    exceptions: Any
    message: Any
    validator: Any


@cache
def load() -> Sdk:
    """Import the SDK, once a process."""
    if "mcp" not in sys.modules:
        _bare_packages()
    part = importlib.import_module
    return Sdk(
        part("mcp.types"),
        part("mcp.server.lowlevel.server"),
        part("mcp.shared.exceptions"),
        part("mcp.shared.message"),
        part("jsonschema").Draft202012Validator,
    )


def _bare_packages() -> None:
    """The packages `mcp` and `mcp.server` without what their `__init__` imports."""
    found = importlib.util.find_spec("mcp")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("mcp")
    for name in ("mcp", "mcp.server"):
        package = types.ModuleType(name)
        inner = name.split(".")[1:]
        package.__path__ = [str(Path(place, *inner)) for place in found.submodule_search_locations]
        sys.modules[name] = package
    if "httpx" not in sys.modules:
        stand_in = types.ModuleType("httpx")
        stand_in.codes = types.SimpleNamespace(REQUEST_TIMEOUT=REQUEST_TIMEOUT)  # type: ignore[attr-defined]
        sys.modules["httpx"] = stand_in
    setattr(sys.modules["mcp"], "types", importlib.import_module("mcp.types"))  # noqa: B010  # `import mcp.types as`
