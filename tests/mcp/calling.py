"""Calling a tool as the server does: what goes in and comes out fits the schemas."""

from __future__ import annotations

from kb.mcp.sdk import load
from kb.mcp.tool import Result, Toolbox
from kb.texts import CATALOGS


def call(toolbox: Toolbox, name: str, /, **arguments: object) -> Result:
    """Call the tool `name`."""
    tool = next(tool for tool in toolbox.tools if tool.name == name)
    load().validator(tool.parameters).validate(arguments)
    found = tool.run(arguments)
    load().validator(tool.result).validate(found)
    return found


def fits(toolbox: Toolbox, name: str, /, **arguments: object) -> bool:
    """Whether the arguments fit the tool's schema."""
    tool = next(tool for tool in toolbox.tools if tool.name == name)
    return bool(load().validator(tool.parameters).is_valid(arguments))


def check_tools(toolbox: Toolbox, names: tuple[str, ...]) -> None:
    """The tools are these, few, with schemas and texts."""
    assert tuple(tool.name for tool in toolbox.tools) == names
    assert len(names) <= 20
    assert f"mcp_{toolbox.domain}_about" in CATALOGS["en"]
    for tool in toolbox.tools:
        assert {f"mcp_{tool.name}", f"mcp_{tool.name}_title"} <= CATALOGS["en"].keys()
        load().validator.check_schema(tool.parameters)
        load().validator.check_schema(tool.result)
        for name, argument in tool.parameters["properties"].items():
            assert argument.get("description"), f"{tool.name}: {name} is not explained"
            bounds = {"maxLength", "pattern", "maximum", "maxItems", "enum"}
            assert argument.get("type") == "boolean" or bounds & argument.keys(), f"{tool.name}: {name} has no bound"
