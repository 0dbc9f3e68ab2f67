"""How updates are said in a terminal and as JSON."""

from __future__ import annotations

import dataclasses

from kb.cli.output import Output
from kb.cli.version_words import difference_json, document_line, show_numbers
from kb.plain import one_line
from kb.versions.diff import Difference
from kb.versions.update.offers import Age, Found, Kind, Offer, Outcome, Relation

_SHOWN = 12


def show_found(found: Found, output: Output) -> None:
    """Where was looked, what is offered with what it changes, what is refused and why."""
    output.tell("update_looked", places=", ".join(one_line(str(place)) for place in found.places))
    for offer in found.offers:
        output.say()
        show_offer(offer, output)
    for refused in found.refused:
        output.say()
        output.say("! " + output.text(refused.error.key, **refused.error.params))
    if not found.offers and not found.refused:
        output.tell("update_nothing")
    elif not found.newer and not found.refused:
        output.tell("update_nothing_newer")


def show_offer(offer: Offer, output: Output) -> None:
    """One offer: what and from where, who vouches for it, and the changed numbers first."""
    output.tell(
        f"update_offer_{offer.kind}", version=one_line(offer.version), file=one_line(offer.file.name),
        installed=one_line(offer.installed) or output.text("update_own"), size=f"{offer.size / 1e6:.1f}",
    )  # fmt: skip
    if offer.age is not Age.NEWER:
        output.tell("update_same" if offer.age is Age.SAME else "update_older_note")
    if offer.signer:
        output.tell("update_signed", id=offer.signer, comment=one_line(offer.comment))
    elif offer.sha256:
        output.tell("update_not_signed")
    if offer.relation is not Relation.FOLLOWS:
        output.tell("update_first" if offer.relation is Relation.FIRST else "update_unrelated_note")
    if offer.difference is not None:
        _changes(offer.difference, output)
    elif offer.kind is Kind.PROGRAM and offer.age is Age.NEWER:
        output.tell("update_knowledge_stays")


def _changes(difference: Difference, output: Output) -> None:
    counts = {kind: len(difference.of_kind(kind)) for kind in ("added", "removed", "changed", "moved")}
    output.tell("update_changes", numbers=len(difference.numbers), **counts)
    with_numbers = [change for change in difference.documents if change.numbers]
    show_numbers(with_numbers[:_SHOWN], output)
    _more(len(with_numbers), output)
    if difference.documents:
        output.say()
    for change in difference.documents[:_SHOWN]:
        output.say("  " + document_line(change))
    _more(len(difference.documents), output)


def _more(count: int, output: Output) -> None:
    if count > _SHOWN:
        output.say(f"  … {count - _SHOWN}")


def show_outcome(outcome: Outcome, output: Output) -> None:
    """What is in place now."""
    output.tell(
        f"update_done_{outcome.kind}", version=one_line(outcome.version),
        previous=one_line(outcome.previous) or output.text("update_own"),
    )  # fmt: skip
    if outcome.trial is not None:
        lost = len(outcome.trial.lost) + len(outcome.trial.unfound)
        output.tell("update_tried", asked=outcome.trial.asked, good=outcome.trial.asked - lost)


def found_json(found: Found, output: Output) -> dict[str, object]:
    """The stable schema that programs read (README, «Updates from a stick»)."""
    return {
        "schema": 1,
        "places": found.places,
        "newer": bool(found.newer),
        "offers": [_offer_json(offer) for offer in found.offers],
        "refused": [
            {"file": each.file, "reason": each.error.key, "message": output.text(each.error.key, **each.error.params)}
            for each in found.refused
        ],
    }


def _offer_json(offer: Offer) -> dict[str, object]:
    names = ("kind", "file", "sha256", "size", "version", "installed", "age", "relation", "signer", "comment")
    changed = difference_json(offer.difference) if offer.difference is not None else None
    return {**{name: getattr(offer, name) for name in names}, "difference": changed}


def outcome_json(outcome: Outcome) -> dict[str, object]:
    """What was done, for programs."""
    return dataclasses.asdict(outcome)
