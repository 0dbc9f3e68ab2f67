"""`almanac mcp DOMAIN`: one server over standard input and output, until the client is gone.

To add a domain: a module with `open_tools(arguments, config) -> Toolbox`, and a line in SERVERS.
"""

from __future__ import annotations

import argparse
import importlib
import json
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from kb import __version__
from kb.config import Config
from kb.errors import AlmanacError, ExitCode
from kb.mcp.sdk import Sdk, load
from kb.mcp.tool import Arguments, Result, Tool, Toolbox
from kb.plain import visible, whole
from kb.texts import text

_log = logging.getLogger(__name__)

SERVERS: Mapping[str, str] = MappingProxyType({
    "kb": "kb.mcp.knowledge",
    "memory": "kb.mcp.memory",
    "versions": "kb.mcp.versions",
    "db": "kb.mcp.database",
    "log": "kb.mcp.logs",
    "req": "kb.mcp.requirements",
})  # fmt: skip
"""The module of each domain."""
_AT_ONCE = 4
"""How many tools work at the same time."""
_LOOK_S = 0.5
_LONGEST_WHY = 300


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Serve the domain that the command line names. AlmanacError before the first message when it cannot."""
    module = importlib.import_module(SERVERS[arguments.server])
    toolbox: Toolbox = module.open_tools(arguments, config)
    try:
        sdk = load()
        # Here, because importing it takes as long as all of Almanac: other verbs never need it.
        import anyio

        from kb.mcp.transport import take_output

        anyio.run(_serve, sdk, toolbox, config, *take_output())
    finally:
        toolbox.close()
    return ExitCode.OK


async def _serve(sdk: Sdk, toolbox: Toolbox, config: Config, reading: int, writing: int) -> None:
    import anyio

    from kb.mcp.transport import Connection

    server = build(sdk, toolbox, config)
    async with anyio.create_task_group() as group:

        async def end_when_told() -> None:
            while not config.stop.is_set():
                await anyio.sleep(_LOOK_S)
            group.cancel_scope.cancel()

        group.start_soon(end_when_told)
        async with Connection(sdk, reading, writing).streams() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        group.cancel_scope.cancel()


def build(sdk: Sdk, toolbox: Toolbox, config: Config) -> Any:
    """The SDK's server for `toolbox`."""
    import anyio

    types = sdk.types
    server = sdk.server.Server(
        f"almanac-{toolbox.domain}", version=__version__, instructions=text(config.lang, f"mcp_{toolbox.domain}_about")
    )
    tools = {tool.name: tool for tool in toolbox.tools}
    checks = {name: sdk.validator(tool.parameters) for name, tool in tools.items()}
    listed = [_described(types, tool, config) for tool in toolbox.tools]
    room = anyio.CapacityLimiter(_AT_ONCE)

    async def call(request: Any) -> Any:
        name, given = request.params.name, request.params.arguments or {}
        tool = tools.get(name)
        if tool is None:
            unknown = text(config.lang, "mcp_no_tool", name=name[:100], known=", ".join(tools))
            raise sdk.exceptions.McpError(types.ErrorData(code=types.INVALID_PARAMS, message=visible(unknown)))
        wrong = next(iter(checks[name].iter_errors(given)), None)
        if wrong is not None:
            where = "/".join(str(part) for part in wrong.absolute_path) or name
            why = wrong.message if len(wrong.message) <= _LONGEST_WHY else f"{wrong.validator}: {wrong.validator_value}"
            return _failed(types, "mcp_bad_arguments", text(config.lang, "mcp_bad_arguments", where=where, why=why))
        return await anyio.to_thread.run_sync(
            lambda: _answer(types, tool, given, config), limiter=room, abandon_on_cancel=True
        )

    async def list_tools(_: Any) -> Any:
        return types.ServerResult(types.ListToolsResult(tools=listed))

    server.request_handlers[types.ListToolsRequest] = list_tools
    server.request_handlers[types.CallToolRequest] = call
    return server


def _described(types: Any, tool: Tool, config: Config) -> Any:
    title = text(config.lang, f"mcp_{tool.name}_title")
    return types.Tool(
        name=tool.name,
        title=title,
        description=text(config.lang, f"mcp_{tool.name}"),
        inputSchema=tool.parameters,
        outputSchema=tool.result,
        annotations=types.ToolAnnotations(
            title=title,
            readOnlyHint=tool.reads_only,
            destructiveHint=False,
            idempotentHint=tool.reads_only or tool.repeatable,
            openWorldHint=False,
        ),
    )


def _answer(types: Any, tool: Tool, given: Arguments, config: Config) -> Any:
    """What the tool says, or why it cannot: an error of the tool, which the agent reads and may correct."""
    try:
        found: Result = plain(tool.run(given))
    except AlmanacError as error:
        return _failed(types, error.key, text(config.lang, error.key, **error.params))
    except Exception as error:  # noqa: BLE001  # the edge: an agent gets a sentence, the log the rest
        _log.exception("%s failed", tool.name)
        return _failed(types, "mcp_failed", text(config.lang, "mcp_failed", tool=tool.name, kind=type(error).__name__))
    said = types.TextContent(type="text", text=json.dumps(found, ensure_ascii=False))
    return types.ServerResult(types.CallToolResult(content=[said], structuredContent=found))


def _failed(types: Any, key: str, message: str) -> Any:
    shown = visible(whole(message))
    said = types.TextContent(type="text", text=shown)
    failure = {"error": key, "message": shown}
    return types.ServerResult(types.CallToolResult(content=[said], structuredContent=failure, isError=True))


def plain(value: Any) -> Any:
    """`value` with every text made safe to show: no control characters, no half surrogates."""
    if isinstance(value, str):
        return visible(whole(value))
    if isinstance(value, Mapping):
        return {plain(str(key)): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value
