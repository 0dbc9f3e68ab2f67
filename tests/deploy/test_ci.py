"""deploy/ci: the workflow that nobody has run at least names what exists."""

from __future__ import annotations

import re

from ruamel.yaml import YAML

from kb.cli.parser import parse
from tests.helpers import PROJECT

FOLDER = PROJECT / "deploy" / "ci"


def test_the_workflow_is_marked_and_names_what_exists() -> None:
    text = (FOLDER / "windows-macos.yml").read_text("utf-8")
    assert text.startswith("# NOT RUN YET")
    steps = YAML(typ="safe").load(text)["jobs"]["source"]["steps"]
    commands = "\n".join(step.get("run", "") for step in steps)
    assert (PROJECT / re.findall(r"-r (\S+)", commands)[0]).is_file()
    asked = re.findall(r"agent_main\.py (.*?)(?: \| .*)?$", commands, re.MULTILINE)
    assert len(asked) == 3
    for line in asked[1:]:
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)]
        assert parse(words, "en").knowledge == "docs"


def test_the_instructions_say_that_they_were_not_tried() -> None:
    assert "Nothing on this page has been tried" in (FOLDER / "README.md").read_text("utf-8")
