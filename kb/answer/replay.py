"""An answer once more: the same on the same version, or what changed since."""

from __future__ import annotations

import datetime
from dataclasses import asdict, dataclass, replace

from kb.answer.answer import Answer, MadeWith, Way
from kb.answer.answerer import Answerer
from kb.answer.journal import Kept
from kb.search.snapshot import Filter

# What an answer is, for the comparison; ids, times and durations differ always. Scores follow from how the index came
# about too (built at once or changed file by file), and nobody reads them.
_COMPARED = ("text", "refused", "way", "evidence", "warnings", "conflicts", "cited", "replaced")


@dataclass(frozen=True, slots=True)
class Replayed:
    """The kept answer, the one of now, whether they say the same, and which parts they were made with differ.

    `changed` holds names out of: tree, program, model, embedder, prompt, seed, way, budget, knowledge; index where
    another answer was found though all of these are the same.
    """

    before: Kept
    now: Answer
    same: bool
    changed: tuple[str, ...]


def replay(kept: Kept, answerer: Answerer) -> Replayed:
    """Ask the question of `kept` again, as of the same day and in the same way, and compare. Nothing is kept."""
    day = kept.answer.get("day")
    limits = Filter(on=datetime.date.fromisoformat(day) if day else None, released_only=bool(day))
    before = {**asdict(MadeWith()), **kept.answer.get("made_with", {})}
    asking = answerer.without_journal()
    asking.policy = replace(
        asking.policy,
        way=Way(before["way"]) if before["way"] else None,
        budget=before["budget"] or asking.policy.budget,
    )
    now = asking.ask(kept.answer["resolved"], limits=limits)
    now = replace(now, question=kept.question)
    fields = asdict(now)
    same = all(_plain(fields[name]) == _plain(kept.answer.get(name)) for name in _COMPARED)
    changed = [name for name, value in fields["made_with"].items() if value != before[name]]
    if fields["knowledge_version"] != kept.answer.get("knowledge_version"):
        changed.append("knowledge")
    if not same and not changed:
        changed.append("index")
    return Replayed(kept, now, same, tuple(changed))


def _plain(value: object) -> object:
    """A value as JSON gives it back, tuples as lists, and without scores."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items() if name != "score"}
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value
