"""An answer as a person reads it in a terminal: the words, what warns, where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kb.answer.answer import Answer, Evidence, Limit, Way
from kb.cli.output import Output
from kb.plain import one_line


def show(answer: Answer, output: Output) -> None:
    """Print `answer`, or that the documents do not say."""
    if answer.resolved != answer.question:
        output.tell("resolved_as", question=one_line(answer.resolved))
    for line in _refusal(answer, output) if answer.refused else _answer(answer, output):
        output.say(line)


def sources(evidence: Sequence[Evidence], output: Output) -> Iterator[str]:
    """Where each of `evidence` stands, by its number from 1; pieces below one heading together: document and heading,
    place, then version, validity and the first reference."""
    below: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, item in enumerate(evidence):
        below.setdefault((item.path, item.trail), []).append(place)
    for places in below.values():
        first = evidence[places[0]]
        numbers = " ".join(f"[{place + 1}]" for place in places)
        yield f"{numbers} {' › '.join(one_line(name) for name in (first.title, *first.trail))}"
        yield f"    {_place(first.path, (evidence[place].lines[0] for place in places))}"
        about = (
            one_line(first.version),
            output.text("valid_to", date=first.valid_to) if first.valid_to else "",
            *(one_line(reference) for reference in first.references[:1]),
        )
        if any(about):
            yield f"    {' · '.join(filter(None, about))}"


def _refusal(answer: Answer, output: Output) -> Iterator[str]:
    yield output.text("no_answer")
    yield output.text("looked_for", words=" ".join(one_line(word) for word in answer.looked_for))
    if answer.nearest:
        yield output.text("nearest")
    for near in answer.nearest:
        yield f"  - {one_line(near.title)}  ({near.path})"


def _answer(answer: Answer, output: Output) -> Iterator[str]:
    yield answer.text
    limits = _unsaid(answer)
    # Documents that only limit what is said are numbered after the evidence.
    numbers = {path: number for number, path in enumerate(_paths(limits), start=len(answer.evidence) + 1)}
    for warning in answer.warnings:
        yield f"! {one_line(warning.plain)}"
    for limit in limits:
        about = "" if limit.about in limit.text else f"{one_line(limit.about)}: "
        yield f"! {about}{one_line(limit.text)} [{numbers[limit.path]}]"
    if answer.way in (Way.SELECT, Way.COMPOSE):
        yield ""
        for quoted in dict.fromkeys(one_line(answer.evidence[place].plain) for place in answer.cited):
            yield f"“{quoted}”"
    yield ""
    if answer.conflicts:
        yield output.text("conflict")
        for item in answer.conflicts:
            yield f"  - {item.date_updated}  {one_line(item.plain)}  [{one_line(item.title)}]"
        yield ""
    yield from sources(answer.evidence, output)
    for path, number in numbers.items():
        yield f"[{number}] {_place(path, (limit.lines[0] for limit in limits if limit.path == path))}"
    yield ""
    if answer.replaced:
        yield output.text("sentences_replaced", count=answer.replaced)
    version = answer.knowledge_version.label or output.text("version_unknown")
    yield " · ".join(
        (output.text(f"way_{answer.way.value}"), output.text("knowledge_line", version=version), answer.id)
    )


def _unsaid(answer: Answer) -> list[Limit]:
    """The limits of `answer` that no warning says already, those of one document together."""
    said = "".join("".join(warning.plain.split()) for warning in answer.warnings)
    found = {(limit.about, limit.text): limit for limit in answer.limits if "".join(limit.text.split()) not in said}
    paths = _paths(found.values())
    return sorted(found.values(), key=lambda limit: paths.index(limit.path))


def _paths(limits: Iterable[Limit]) -> list[str]:
    return list(dict.fromkeys(limit.path for limit in limits))


def _place(path: str, lines: Iterable[int]) -> str:
    """`path` with the lines, once each: ready for an editor that goes to the first."""
    return f"{path}:{', '.join(dict.fromkeys(map(str, lines)))}"
