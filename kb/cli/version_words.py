"""How differences, plans and mismatches between versions are said in a terminal and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from kb.cli.output import Output
from kb.plain import one_line
from kb.versions.diff import Difference, DocumentChange
from kb.versions.impact import ChangedAnswer
from kb.versions.manifest import DocumentEntry, Mismatch
from kb.versions.publish import Plan
from kb.versions.releases import BuiltIndex

_SHOWN = 12
_WIDTH = 200
_MARKS = {"added": "+", "removed": "-", "changed": "~", "moved": ">"}


def show_difference(difference: Difference, output: Output) -> None:
    """Numbers first, then documents with their fields and sentences, then other files."""
    if not difference:
        output.tell("diff_none", old=difference.old, new=difference.new)
        return
    counts = {f"{kind}": len(difference.of_kind(kind)) for kind in ("added", "removed", "changed", "moved")}
    output.tell("diff_counts", old=difference.old, new=difference.new, files=len(difference.files), **counts)
    show_numbers(difference.documents, output)
    for change in difference.documents:
        output.say()
        output.say(document_line(change))
        if change.old_path != change.path:
            output.say("    " + output.text("diff_moved_from", path=change.old_path))
        for field in change.fields:
            output.say(f"    {one_line(field.name)}: {_side(field.old)} → {_side(field.new)}")
        for sentence in change.sentences:
            said = sentence.new or sentence.old
            line = said.line if said is not None else 0
            if sentence.old is not None:
                output.say(f"    {line:>5} - {one_line(sentence.old.text, _WIDTH)}")
            if sentence.new is not None:
                output.say(f"    {line:>5} + {one_line(sentence.new.text, _WIDTH)}")
    if difference.files:
        output.say()
    for file in difference.files:
        output.say(f"{_MARKS[file.kind]} {file.path}")


def show_numbers(documents: Sequence[DocumentChange], output: Output) -> None:
    """The numbers that became others, each with its sentence."""
    numbers = [(change, number) for change in documents for number in change.numbers]
    if not numbers:
        return
    output.say()
    output.tell("diff_numbers", count=len(numbers))
    for change, number in numbers:
        said = number.sentence.new or number.sentence.old
        place = f"{change.path}:{said.line}" if said is not None else change.path
        output.say(f"  {_side(number.old)} → {_side(number.new)}   {place}")
        if said is not None:
            output.say(f"      {one_line(said.text, _WIDTH)}")


def document_line(change: DocumentChange) -> str:
    """`~ path  title  2.1.0 → 2.2.0`."""
    versions = change.version or change.old_version
    if change.old_version and change.version and change.old_version != change.version:
        versions = f"{one_line(change.old_version)} → {one_line(change.version)}"
    return f"{_MARKS[change.kind]} {change.path}  {one_line(change.title)}  {one_line(versions)}".rstrip()


def _side(text: str) -> str:
    return one_line(text, _WIDTH) or "∅"


def show_plan(plan: Plan, output: Output) -> None:
    """What publishing would do: what answers, what does not and why, and what each agent will see differently."""
    standing = plan.standing
    output.tell(
        "plan_head", tag=plan.snapshot.tag, env=plan.environment, agent=plan.agent or output.text("route_everybody"),
        live=plan.live or "∅",
    )  # fmt: skip
    output.tell("plan_answering", count=len(standing.answering))
    _listed("plan_drafts", standing.drafts, output, lambda entry: entry.status)
    _listed("plan_reviewing", standing.reviewing, output, lambda entry: entry.status)
    _listed("plan_expired", standing.expired, output, lambda entry: output.text("expired", date=entry.valid_to))
    _listed("plan_coming", standing.coming, output, lambda entry: output.text("not_yet_valid", date=entry.valid_from))
    if not plan.difference:
        output.tell("plan_same")
    for view in plan.agents:
        output.say()
        output.tell("plan_agent", agent=one_line(view.agent) or output.text("plan_all_agents"), count=len(view.changes))
        for change in view.changes[:_SHOWN]:
            output.say(f"  {document_line(change)}")
            for number in change.numbers[:_SHOWN]:
                output.say(f"      {_side(number.old)} → {_side(number.new)}")
        if len(view.changes) > _SHOWN:
            output.say(f"  … {len(view.changes) - _SHOWN}")


def _listed(
    key: str, entries: Sequence[DocumentEntry], output: Output, note: Callable[[DocumentEntry], object]
) -> None:
    if not entries:
        return
    output.tell(key, count=len(entries))
    for entry in entries[:_SHOWN]:
        output.say(f"  {entry.path}  {one_line(str(note(entry)))}")
    if len(entries) > _SHOWN:
        output.say(f"  … {len(entries) - _SHOWN}")


def show_built(built: BuiltIndex | None, output: Output) -> None:
    """What building took."""
    if built is None:
        output.tell("built_before")
    elif built.has_vectors:
        output.tell("built_vectors", documents=built.documents, embedded=built.embedded, chunks=built.chunks)
    else:
        output.tell("built_words", documents=built.documents)


def show_impact(changes: Sequence[ChangedAnswer], asked: int, output: Output) -> None:
    """The answers that change."""
    output.say()
    output.tell("impact_head", changed=len(changes), asked=asked)
    for change in changes:
        output.say(f"? {one_line(change.question, _WIDTH)}")
        for mark, said in (("-", change.old), ("+", change.new)):
            text = output.text("no_answer") if said.refused else one_line(said.text, _WIDTH)
            output.say(f"  {mark} {text}" + (f"  [{one_line(said.citation)}]" if said.citation else ""))


def show_mismatch(name: str, mismatch: Mismatch, output: Output) -> None:
    """The files that are not as the manifest says."""
    output.tell(
        "verify_differs", name=name, missing=len(mismatch.missing), extra=len(mismatch.extra),
        changed=len(mismatch.changed),
    )  # fmt: skip
    for mark, paths in (("-", mismatch.missing), ("+", mismatch.extra), ("~", mismatch.changed)):
        for path in paths:
            output.say(f"  {mark} {path}")


def difference_json(difference: Difference) -> dict[str, object]:
    """The stable schema that programs read (README, «Versions»)."""
    return {
        "schema": 1,
        "old": difference.old,
        "new": difference.new,
        "numbers": [{"path": change.path, **dataclasses.asdict(number)} for change, number in difference.numbers],
        "documents": [dataclasses.asdict(change) for change in difference.documents],
        "files": [dataclasses.asdict(file) for file in difference.files],
    }


def plan_json(plan: Plan) -> dict[str, object]:
    """A plan for programs."""
    standing = {
        field.name: [entry.path for entry in getattr(plan.standing, field.name)]
        for field in dataclasses.fields(plan.standing)
    }
    return {
        "tag": plan.snapshot.tag,
        "manifest": plan.snapshot.digest,
        "commit": plan.snapshot.commit,
        "env": plan.environment,
        "agent": plan.agent,
        "live": plan.live,
        "built": plan.is_built,
        "documents": standing,
        "agents": {view.agent: [change.path for change in view.changes] for view in plan.agents},
        "difference": difference_json(plan.difference),
    }
