"""`almanac completion`: the shell's completion script, made from the parser itself."""

from __future__ import annotations

import argparse

from kb.cli.output import Output
from kb.cli.parser import VERBS, build
from kb.config import Config
from kb.errors import ExitCode

_BASH = """_almanac() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" verb="${{COMP_WORDS[1]}}"
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{verbs} {options}" -- "$word")); return; fi
  case "$verb" in
{cases}
    *) COMPREPLY=($(compgen -f -- "$word"));;
  esac
}}
complete -o default -F _almanac almanac
"""


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Print the script for bash, zsh or fish."""
    output = Output(config)
    options = {verb: _words(verb) for verb in VERBS}
    if arguments.shell == "fish":
        for verb in VERBS:
            output.say(f"complete -c almanac -n __fish_use_subcommand -a {verb}")
            for option in options[verb]:
                word = f"-l {option[2:]}" if option.startswith("--") else f"-a {option}"
                output.say(f"complete -c almanac -n '__fish_seen_subcommand_from {verb}' {word}")
        return ExitCode.OK
    cases = "\n".join(
        f'    {verb}) COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word"));;' for verb, words in options.items()
    )
    if arguments.shell == "zsh":
        output.say("autoload -U +X bashcompinit && bashcompinit")
    output.say(_BASH.format(verbs=" ".join(VERBS), options="--help --version", cases=cases).rstrip("\n"))
    return ExitCode.OK


def _words(verb: str) -> list[str]:
    """What may follow `verb`: its options and the names of its actions."""
    parser = build("en")
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            entries = action.choices[verb]._actions
            options = {option for entry in entries for option in entry.option_strings if option.startswith("--")}
            return sorted(options | {name for entry in entries if not entry.option_strings for name in _names(entry)})
    return []


def _names(action: argparse.Action) -> list[str]:
    """The words that may stand in the place of `action`, such as `list` and `show`."""
    return [str(name) for name in action.choices or ()]
