"""kb.cli.licences: what the packed file consists of."""

from __future__ import annotations

import dataclasses
import json
from argparse import Namespace
from pathlib import Path

import pytest

from kb.cli import licences
from kb.config import Config
from kb.errors import AlmanacError
from tests.conftest import CommandLine

_MATERIALS = {
    "components": [
        {"name": "numpy", "version": "2.4.6", "licenses": [{"expression": "BSD-3-Clause"}]},
        {"name": "model", "licenses": [{"license": {"name": "Terms of Use"}}]},
    ]
}


@pytest.fixture
def packed(tmp_path: Path) -> Config:
    folder = tmp_path / "licences"
    (folder / "numpy").mkdir(parents=True)
    (folder / "numpy" / "LICENSE.txt").write_text("Redistribution and use\x1b[31m are permitted\n")
    (folder / licences.MATERIALS).write_text(json.dumps(_MATERIALS))
    return dataclasses.replace(Config(home=tmp_path, knowledge=tmp_path, lang="en"), licences=folder)


def _run(config: Config, component: str | None = None, *, as_json: bool = False) -> int:
    return licences.run(Namespace(component=component, json=as_json), config)


def test_every_component_is_listed_with_its_licence(packed: Config, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(packed) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["numpy  2.4.6  BSD-3-Clause", "model         Terms of Use"]
    assert str(packed.licences) in lines[2]


def test_the_bill_of_materials_is_printed_as_it_is(packed: Config, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(packed, as_json=True) == 0
    assert json.loads(capsys.readouterr().out) == _MATERIALS


def test_a_text_is_printed_without_what_a_terminal_obeys(packed: Config, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(packed, "NumPy") == 0
    shown = capsys.readouterr().out
    assert "are permitted" in shown
    assert "\x1b" not in shown


def test_a_component_without_text_is_said(packed: Config, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(packed, "model") == 0
    assert "NOTICE" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["../numpy", "none"])
def test_an_unknown_component_is_wrong_use(packed: Config, name: str) -> None:
    with pytest.raises(AlmanacError) as caught:
        _run(packed, name)
    assert (caught.value.key, caught.value.exit_code) == ("licences_unknown", 2)


def test_a_checkout_points_to_notice(cli: CommandLine) -> None:
    done = cli("licences")
    assert done.code == 5
    assert "NOTICE" in done.err
