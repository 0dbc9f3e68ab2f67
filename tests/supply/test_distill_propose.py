"""kb.supply.distill_propose: an event becomes a proposal of a new card, or of a change."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from kb.supply.card import CardStatus
from kb.supply.distill_propose import AUTHOR, Distiller
from kb.supply.duplicates import Duplicates
from kb.supply.events import Event, parse_event
from kb.supply.proposals import Proposals
from kb.supply.roster import FILE_NAME, default_roster, load_roster
from kb.supply.store import read_cards
from kb.versions.git import Git
from kb.versions.plumbing import Repository
from tests.helpers import commit_all, git, has_git, write
from tests.supply.card_helpers import ROSTER, card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
NOW = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC)


def event(identifier: str, **values: object) -> Event:
    return parse_event(json.dumps({"id": identifier, "kind": "incident", **values}, ensure_ascii=False))


NEW = event(
    "i-1",
    title="管路爆裂",
    request="停泵时弯头爆裂。",
    comments=["水锤导致，停泵先关出水阀 30 s 再断电。"],
    area="machinery",
)
AGAIN = event(
    "i-2",
    title="又报 E-07",
    request="3 号泵停机。",
    comments=["E-07 停机先清理滤网并降低吸程，不得人工复位，每次等 10 分钟。"],
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository(tmp_path / "knowledge", **{"pump-e07-reset": card_text(status="archived")})
    write(root, FILE_NAME, ROSTER)
    commit_all(root, "roster")
    return root


@pytest.fixture
def distiller(root: Path) -> Distiller:
    known = Duplicates(read_cards(root).cards)
    return Distiller(
        Repository.open(root, Git.find(None)), known, load_roster(root) or default_roster(), "zh", clock=lambda: NOW
    )


def test_a_new_card_is_proposed_and_can_be_accepted(root: Path, distiller: Distiller) -> None:
    (outcome,) = distiller.propose([NEW])
    proposal = outcome.proposal
    assert proposal is not None
    assert (proposal.author, proposal.origin, proposal.updates) == (AUTHOR, "incident i-1", "")
    assert "SHOULD_SAVE yes" in git(root, "log", "-1", "--format=%B", f"proposal/{proposal.name}")
    Proposals(distiller.repository).accept(proposal.name, "irrigation-desk", NOW)
    card = read_cards(root).get(proposal.name)
    assert card is not None
    assert (card.area, card.conclusion) == ("machinery", "水锤导致，停泵先关出水阀 30 s 再断电")
    assert card.status is CardStatus.DRAFT, "the owner is still open"


def test_what_a_card_says_already_becomes_its_change(root: Path, distiller: Distiller) -> None:
    (outcome,) = distiller.propose([AGAIN])
    assert outcome.match is not None
    assert outcome.match.same
    assert outcome.proposal is not None
    assert (outcome.proposal.updates, outcome.proposal.reviewer) == ("pump-e07-reset", "machinery-desk")
    Proposals(distiller.repository).accept(outcome.proposal.name, "x", NOW)
    card = read_cards(root).get("pump-e07-reset")
    assert card is not None
    assert (card.status, card.valid_until) == (CardStatus.ACTIVE, datetime.date(2027, 2, 28))
    assert card.evidence.links[-1] == "event:i-2"
    assert card.evidence.incident == "3 号泵停机"
    assert "10 分钟" in card.conclusion
    assert "# tried in the field" in (root / card.path).read_text("utf-8")


def test_twice_is_once_and_rejected_is_not_again(distiller: Distiller) -> None:
    first = distiller.propose([NEW])[0].proposal
    assert first == distiller.propose([NEW])[0].proposal
    assert first is not None
    Proposals(distiller.repository).reject(first.name, "no", "x")
    assert distiller.propose([NEW])[0].proposal is None


def test_dry_and_not_worth_it(root: Path, distiller: Distiller) -> None:
    outcomes = distiller.propose([NEW, event("i-3", comments=["已处理。"])], dry=True)
    assert [one.distilled.decision.save for one in outcomes] == [True, False]
    assert [one.proposal for one in outcomes] == [None, None]
    assert git(root, "branch", "--list", "proposal/*") == ""


def test_a_card_that_is_not_committed_cannot_be_changed(root: Path, distiller: Distiller) -> None:
    write(root, "cards/machinery/mine.yaml", card_text(id="mine", conclusion="停泵先关出水阀 30 s 再断电"))
    again = Distiller(
        distiller.repository, Duplicates(read_cards(root).cards), distiller.roster, "zh", clock=lambda: NOW
    )
    (outcome,) = again.propose([event("i-4", request="爆裂", comments=["停泵先关出水阀 30 s 再断电。"])])
    assert outcome.match is not None
    assert outcome.match.same
    assert outcome.proposal is None
