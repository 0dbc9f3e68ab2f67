"""`almanac licences`: what this file consists of, under which licences, and their texts."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError, ExitCode

MATERIALS = "sbom.cdx.json"


def run(arguments: argparse.Namespace, config: Config) -> int:
    """List the components, print the licence texts of one, or the bill of materials as it is (--json)."""
    output = Output(config)
    folder = config.licences
    if folder is None or not (folder / MATERIALS).is_file():
        raise AlmanacError("licences_packed_only")
    materials = json.loads((folder / MATERIALS).read_text("utf-8"))
    components = materials["components"]
    if arguments.component:
        return _texts(folder, arguments.component, [str(entry["name"]) for entry in components], output)
    if arguments.json:
        output.json(materials)
        return ExitCode.OK
    rows = [(str(entry["name"]), str(entry.get("version", "")), _licence(entry)) for entry in components]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, version, licence in rows:
        output.say(f"{name.ljust(widths[0])}  {version.ljust(widths[1])}  {licence}")
    output.tell("licences_texts", folder=folder)
    return ExitCode.OK


def _licence(entry: dict[str, Any]) -> str:
    stated = entry["licenses"][0]
    return str(stated.get("expression") or stated["license"].get("name", ""))


def _texts(folder: Path, wanted: str, names: list[str], output: Output) -> int:
    name = next((name for name in names if name.lower() == wanted.lower()), None)
    if name is None:
        raise AlmanacError("licences_unknown", ExitCode.USAGE, name=wanted)
    texts = sorted(path for path in (folder / name).rglob("*") if path.is_file()) if (folder / name).is_dir() else []
    if not texts:
        output.tell("licences_no_text", name=name)
    for path in texts:
        output.say(f"== {name}: {path.name}")
        for line in path.read_text("utf-8", "replace").splitlines():
            output.say(line)
    return ExitCode.OK
