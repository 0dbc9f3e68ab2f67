"""Impact: saved questions asked of two versions, and the answers that would change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError
from kb.tree.textfile import read_text

QUESTION_FILES = ("questions.yaml", "questions.jsonl")
MAX_QUESTIONS = 10_000


@dataclass(frozen=True, slots=True)
class Said:
    """What a version says to a question: `text` is empty when it refuses; `citation` is path and heading."""

    text: str
    refused: bool
    citation: str


Ask = Callable[[str], Said]


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A question that the two versions answer differently; `what` lists text, refused, citation as they differ."""

    question: str
    old: Said
    new: Said
    what: tuple[str, ...]


def find_questions(root: Path, named: Path | None) -> Path:
    """The file `named`, else questions.yaml or questions.jsonl in the knowledge root. AlmanacError for none."""
    for path in (named,) if named is not None else tuple(root / name for name in QUESTION_FILES):
        if path.is_file():
            return path
    raise AlmanacError("impact_no_questions", ExitCode.USAGE, path=named or root / QUESTION_FILES[0])


def load_questions(path: Path) -> list[str]:
    """The questions of a file, each once, in order.

    JSON Lines: objects with `question`. YAML: `questions:` with a list of texts, or of mappings with `question`.
    KnowledgeError names file and line of what cannot be read.
    """
    text = read_text(path).text
    found = _from_lines(path, text) if path.suffix == ".jsonl" else _from_yaml(path, text)
    questions = list(dict.fromkeys(question.strip() for question in found if question.strip()))
    if not questions:
        raise KnowledgeError("impact_no_questions", path=path)
    if len(questions) > MAX_QUESTIONS:
        raise KnowledgeError("impact_too_many", path=path, limit=MAX_QUESTIONS)
    return questions


def _from_lines(path: Path, text: str) -> Iterable[str]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise KnowledgeError("impact_bad_question", path=path, line=number) from error
        question = found.get("question") if isinstance(found, dict) else found
        if not isinstance(question, str):
            raise KnowledgeError("impact_bad_question", path=path, line=number)
        yield question


def _from_yaml(path: Path, text: str) -> Iterable[str]:
    try:
        found = frontmatter.parse(text)
    except FrontMatterError as error:
        raise KnowledgeError("impact_bad_question", path=path, line=max(error.line - 1, 1)) from error
    entries = found.get("questions")
    if not isinstance(entries, list):
        raise KnowledgeError("impact_bad_question", path=path, line=1)
    for entry in entries:
        question = entry.get("question") if isinstance(entry, dict) else entry
        if not isinstance(question, str):
            raise KnowledgeError("impact_bad_question", path=path, line=1)
        yield question


def ask_all(questions: Iterable[str], ask: Ask, report: Callable[[int], None] = lambda done: None) -> dict[str, Said]:
    """What one version says to each question."""
    said: dict[str, Said] = {}
    for done, question in enumerate(questions):
        report(done)
        said[question] = ask(question)
    return said


def compare(old: Mapping[str, Said], new: Mapping[str, Said]) -> list[ChangedAnswer]:
    """The questions whose answer differs, those that were answered and no longer are first."""
    found = [
        ChangedAnswer(question, before, new[question], what)
        for question, before in old.items()
        if question in new and (what := _differs(before, new[question]))
    ]
    return sorted(found, key=lambda change: (not _lost(change), "text" not in change.what))


def _lost(change: ChangedAnswer) -> bool:
    return change.new.refused and not change.old.refused


def _differs(old: Said, new: Said) -> tuple[str, ...]:
    if old.refused and new.refused:
        return ()
    names = ("refused", "text", "citation")
    return tuple(name for name in names if getattr(old, name) != getattr(new, name))
