"""kb.answer.supply_workbench: looking and deciding over a real repository."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.answer.runtime import Runtime
from kb.answer.supply_workbench import Workbench
from kb.config import Config
from kb.errors import AlmanacError
from kb.supply.chain import Kind
from kb.supply.feedback import record_feedback
from kb.supply.inbox import AUTHOR, Queue
from kb.supply.ledger import Ledger
from kb.supply.proposals import Proposals
from kb.versions.git import Git
from kb.versions.plumbing import Repository
from tests.helpers import git
from tests.supply.card_helpers import CARD, PATH, card_text, repository

NOW = datetime.datetime(2026, 6, 1, 8, tzinfo=datetime.UTC)
pytestmark = pytest.mark.slow


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    root = repository(tmp_path / "知识", **{"pump-e07-reset": CARD})
    runtime = Runtime(Config(home=tmp_path / "home", knowledge=root, lang="zh", environment={"PATH": "/usr/bin:/bin"}))
    yield Workbench(runtime)
    runtime.close()


def _root(bench: Workbench) -> Path:
    return bench._runtime.root


def _speak_against(bench: Workbench) -> None:
    with Ledger(bench._runtime.config.home) as ledger:
        record_feedback(ledger, ["pump-e07-reset"], False, note="滤网是干净的")


def test_what_waits_can_be_renewed(bench: Workbench) -> None:
    assert bench.look(NOW).waiting == ()
    _speak_against(bench)
    (item,) = bench.look(NOW).waiting
    assert (item.queue, item.notes) == (Queue.NEGATIVE, ("滤网是干净的",))
    bench.decide("pump-e07-reset", "renew", NOW)
    assert (_root(bench) / PATH).read_text("utf-8") == CARD.replace(
        "valid_until: 2026-07-30", "valid_until: 2026-08-30"
    )
    assert bench.look(NOW).waiting == ()
    assert git(_root(bench), "status", "--porcelain") == ""
    assert git(_root(bench), "log", "-1", "--format=%an|%s").strip() == (
        f"{AUTHOR}|policy(cards): renew pump-e07-reset: decided in the inbox"
    )
    with Ledger(bench._runtime.config.home) as ledger:
        assert [row.entry.note for row in ledger.rows(kind=Kind.REVIEW)] == ["renew"]


def test_the_review_load_counts_proposals_too(bench: Workbench) -> None:
    def load() -> int:
        return next(figure.over for figure in bench.look(NOW).report.figures if figure.key == "review_load")

    assert load() == 0
    proposals = Proposals(Repository.open(_root(bench), Git.find(None)))
    proposed = proposals.propose(
        "one", {"cards/machinery/one.yaml": card_text(id="one").encode()}, "docs(cards): propose one",
        reviewer="irrigation-desk", origin="question q", author="x", now=NOW,
    )  # fmt: skip
    assert proposed is not None
    assert load() == 1
    _speak_against(bench)
    assert load() == 2
    proposals.reject("one", "no", "irrigation-desk")
    assert load() == 1


def test_archiving_and_decisions_that_do_not_fit(bench: Workbench) -> None:
    bench.decide("pump-e07-reset", "archive", NOW)
    assert "status: archived" in (_root(bench) / PATH).read_text("utf-8")
    for decision in ("archive", "renew"):
        with pytest.raises(AlmanacError) as raised:
            bench.decide("pump-e07-reset", decision, NOW)
        assert raised.value.key == "inbox_does_not_fit"
    with pytest.raises(AlmanacError):
        bench.decide("../../etc/passwd", "archive", NOW)


def test_a_card_that_somebody_is_editing_is_left_alone(bench: Workbench) -> None:
    edited = card_text(title="half written")
    (_root(bench) / PATH).write_text(edited, "utf-8")
    with pytest.raises(AlmanacError) as raised:
        bench.decide("pump-e07-reset", "archive", NOW)
    assert raised.value.key == "inbox_in_work"
    assert (_root(bench) / PATH).read_text("utf-8") == edited


def test_contributions_come_from_the_history(bench: Workbench) -> None:
    (one,) = bench.contributions()
    assert (one.added, one.changed) == (1, 0)
    bench.decide("pump-e07-reset", "archive", NOW)
    assert [(one.author, one.added, one.changed) for one in bench.contributions()] == [(one.author, 1, 0)]
