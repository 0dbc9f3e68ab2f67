"""kb.cli.grammar.verb: what a verb declares reaches its parser, and its runner exists."""

from __future__ import annotations

import importlib
from argparse import ArgumentParser

import pytest

from kb.cli.grammar.verb import Verb, json_flag, no_arguments, top_option
from kb.cli.parser import ROOMS, VERBS


@pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)
def test_the_runner_of_every_verb_can_be_called(verb: Verb) -> None:
    module, _, function = verb.runner.partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_no_two_rooms_declare_the_same_verb() -> None:
    assert len(VERBS) == sum(map(len, ROOMS.values()))


def test_shared_options() -> None:
    parser = ArgumentParser()
    no_arguments(parser, str)
    assert vars(parser.parse_args([])) == {}
    json_flag(parser, str)
    top_option(parser, str, 7)
    assert vars(parser.parse_args([])) == {"json": False, "top": 7}
    assert vars(parser.parse_args(["--json", "-n", "2"])) == {"json": True, "top": 2}
