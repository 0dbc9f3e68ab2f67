"""The contract for any knowledge repository, as pre-commit and CI call it: file names in, findings and exit code out.

Exit codes: 0 nothing wrong, 1 findings that are errors, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import locale
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kb.cli.check import finding_line
from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError
from kb.texts import Lang, language_of_locale, text
from kb.tree.contract.checking import check_front_matter, check_ids, check_links, in_order
from kb.tree.contract.files import DiskFiles, Files, is_checked
from kb.tree.contract.findings import Finding, Severity
from kb.tree.contract.naming import check_place
from kb.tree.contract.roots import select
from kb.tree.walk import resolve_root

_Rules = Callable[[Files, Sequence[str]], list[Finding]]


def front_matter(arguments: Sequence[str] | None = None) -> int:
    """Check names, encoding and front matter of the documents named in `arguments` (default: the command line)."""
    return _main(arguments, "validate_front_matter", _front_matter)


def image_paths(arguments: Sequence[str] | None = None) -> int:
    """Check the images and links of the documents named in `arguments` (default: the command line)."""
    return _main(arguments, "validate_image_paths", _image_paths)


def _front_matter(files: Files, paths: Sequence[str]) -> list[Finding]:
    today = datetime.date.today()
    found = check_ids(files, paths)
    for path in paths:
        found += [*check_place(path), *check_front_matter(path, files.read(path), today)]
    return found


def _image_paths(files: Files, paths: Sequence[str]) -> list[Finding]:
    return [finding for path in paths for finding in check_links(path, files.read(path), files)]


def _main(arguments: Sequence[str] | None, name: str, rules: _Rules) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    lang = _language(words)
    found = _parser(name, lang).parse_args(words)
    output = Output(Config(home=Path(), knowledge=Path(), lang=lang))
    try:
        return _check(found.files, found.root, rules, output)
    except AlmanacError as error:
        output.tell(error.key, **error.params)
        return 2


def _language(words: Sequence[str]) -> Lang:
    """--lang, needed for the help itself, else the locale."""
    named = [second for first, second in itertools.pairwise(words) if first == "--lang"]
    named += [word.partition("=")[2] for word in words if word.startswith("--lang=")]
    if named and named[-1] in ("zh", "en"):
        return "zh" if named[-1] == "zh" else "en"
    return language_of_locale(locale.getlocale()[0])


def _parser(name: str, lang: Lang) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(name, description=text(lang, "validate_description"))
    parser.add_argument("files", nargs="*", metavar="FILE", help=text(lang, "validate_files"))
    parser.add_argument("--root", metavar="DIR", help=text(lang, "validate_root"))
    parser.add_argument("--lang", choices=("zh", "en"), help=text(lang, "cli_lang"))
    return parser


def _check(names: Sequence[str], root: str | None, rules: _Rules, output: Output) -> int:
    broken = False
    for tree, paths in select(resolve_root(root) if root else None, names).items():
        files = DiskFiles(tree)
        chosen = files.documents() if paths is None else [path for path in paths if is_checked(path)]
        findings = rules(files, chosen)
        prefix = f"{os.path.relpath(tree)}/".removeprefix("./")
        for finding in in_order(findings):
            output.say(finding_line(finding, output, prefix))
        broken |= any(finding.severity is Severity.ERROR for finding in findings)
    return 1 if broken else 0
