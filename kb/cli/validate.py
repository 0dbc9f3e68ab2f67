"""The contract for any knowledge repository, as pre-commit and CI call it: file names in, findings and exit code out.

Exit codes: 0 nothing wrong, 1 findings that are errors, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import datetime
import locale
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from kb.cli.check import finding_line
from kb.cli.output import Output
from kb.config import Config
from kb.errors import AlmanacError
from kb.texts import Lang, language_of_locale
from kb.tree.contract.checking import check_front_matter, check_links, in_order
from kb.tree.contract.files import DiskFiles, Files, is_knowledge
from kb.tree.contract.findings import Finding, Severity
from kb.tree.contract.naming import check_place
from kb.tree.contract.roots import select
from kb.tree.walk import resolve_root

_Rules = Callable[[str, bytes, Files], list[Finding]]


def front_matter(arguments: Sequence[str] | None = None) -> int:
    """Check names, encoding and front matter of the documents named in `arguments` (default: the command line)."""
    return _main(arguments, "validate_front_matter", _front_matter)


def image_paths(arguments: Sequence[str] | None = None) -> int:
    """Check the images and links of the documents named in `arguments` (default: the command line)."""
    return _main(arguments, "validate_image_paths", check_links)


def _front_matter(path: str, data: bytes, files: Files) -> list[Finding]:
    return [*check_place(path), *check_front_matter(path, data, datetime.date.today())]


def _main(arguments: Sequence[str] | None, name: str, rules: _Rules) -> int:
    found = _parser(name).parse_args(arguments)
    lang: Lang = found.lang or language_of_locale(locale.getlocale()[0])
    output = Output(Config(home=Path(), knowledge=Path(), lang=lang))
    try:
        return _check(found.files, found.root, rules, output)
    except AlmanacError as error:
        output.tell(error.key, **error.params)
        return 2


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(name, description="Checks documents of a knowledge tree; see `almanac check`.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="documents or folders (default: the whole tree)")
    parser.add_argument("--root", metavar="DIR", help="top of the knowledge tree (default: found from each file)")
    parser.add_argument("--lang", choices=("zh", "en"), help="language of messages (default: the locale)")
    return parser


def _check(names: Sequence[str], root: str | None, rules: _Rules, output: Output) -> int:
    broken = False
    for tree, paths in select(resolve_root(root) if root else None, names).items():
        files = DiskFiles(tree)
        chosen = files.documents() if paths is None else [path for path in paths if _is_document(path)]
        findings = [finding for path in chosen for finding in rules(path, files.read(path), files)]
        prefix = f"{os.path.relpath(tree)}/".removeprefix("./")
        for finding in in_order(findings):
            output.say(finding_line(finding, output, prefix))
        broken |= any(finding.severity is Severity.ERROR for finding in findings)
    return 1 if broken else 0


def _is_document(path: str) -> bool:
    return path.lower().endswith((".md", ".markdown")) and is_knowledge(path)
