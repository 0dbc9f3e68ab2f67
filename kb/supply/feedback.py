"""What people and agents think of cards, documents and answers: rows of the ledger, like everything that happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kb.errors import AlmanacError, ExitCode
from kb.supply.adoption import Judgement
from kb.supply.adoption import judge as judge_by_rules
from kb.supply.card import Card
from kb.supply.chain import Entry, Kind, Row
from kb.supply.ledger import Ledger
from kb.versions.history import KnowledgeVersion

LIKE, DISLIKE = 1, -1
Judge = Callable[[Card, str], Judgement]
"""Compares a card with what was written: `adoption.judge`, or `adoption_meaning.Meaning.judge`."""
_NOWHERE = KnowledgeVersion()


def record_feedback(
    ledger: Ledger,
    items: Sequence[str],
    liked: bool,
    *,
    note: str = "",
    task: str = "",
    agent: str = "",
    version: KnowledgeVersion = _NOWHERE,
) -> list[int]:
    """Write down that `items` (ids of cards or paths of documents) were liked or not; the row numbers.

    `task` is the task or answer that they were used in, `note` what was said about it, `version` the knowledge that
    was used. Nothing is written for no items. AlmanacError when the ledger cannot be written.
    """
    return ledger.append(
        [
            Entry(Kind.FEEDBACK, task, agent, item, feedback=LIKE if liked else DISLIKE, note=note).of(version)
            for item in dict.fromkeys(items)
        ]
    )


def judge_task(
    ledger: Ledger, cards: Sequence[Card], task: str, written: str, judge: Judge = judge_by_rules
) -> list[tuple[Row, Judgement]]:
    """Compare what `task` produced with every card it was given; a verdict a card is written into the ledger.

    A card that is not there any more is judged unrelated. Judging again adds verdicts; the last one counts.
    AlmanacError for a task that the ledger does not know.
    """
    rows = ledger.rows(kind=Kind.INJECTION, task=task)
    if not rows:
        raise AlmanacError("ledger_no_task", ExitCode.USAGE, task=task)
    known = {card.id: card for card in cards}
    # A task that was prepared twice was given the same card twice: the last one is what it worked with.
    latest = {row.entry.card: row for row in rows}
    found = [(row, judge(known[card], written) if card in known else Judgement(None)) for card, row in latest.items()]
    ledger.append([_verdict(row, judgement) for row, judgement in found])
    return found


def _verdict(row: Row, judgement: Judgement) -> Entry:
    given = row.entry
    note = "\n".join(
        f"{proof.relation} {proof.start}-{proof.end}: {proof.text} | {proof.statement}" for proof in judgement.proofs
    )
    return Entry(
        Kind.VERDICT, given.task, given.agent, given.card, given.card_version, given.tag, given.manifest, given.commit,
        adopted=judgement.adopted, refers=row.number, note=note,
    )  # fmt: skip
