"""kb.supply.proposals: branches that wait for a reviewer; the work tree is touched by accepting alone."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.errors import AlmanacError, KnowledgeError
from kb.supply.card import CardStatus, Confidence
from kb.supply.proposals import Proposal, Proposals
from kb.supply.roster import FILE_NAME
from kb.supply.store import read_cards
from kb.versions.git import Git
from kb.versions.plumbing import NewCommit, Repository
from tests.helpers import commit_all, git, has_git, write
from tests.supply.card_helpers import PATH, ROSTER, card_text, repository

pytestmark = pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
NOW = datetime.datetime(2026, 6, 1, 12, tzinfo=datetime.UTC)
NEW = "cards/machinery/new.yaml"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = repository(tmp_path / "知识", **{"pump-e07-reset": card_text()})
    write(root, FILE_NAME, ROSTER)
    commit_all(root, "roster")
    return root


@pytest.fixture
def proposals(root: Path) -> Proposals:
    return Proposals(Repository.open(root, Git.find(None)))


def draft(**changes: str) -> str:
    return card_text(id="new", status="draft", confidence="low", **changes)


def propose(proposals: Proposals, text: str, path: str = NEW, name: str = "new-1a2b", why: str = "") -> Proposal | None:
    return proposals.propose(
        name, {path: text.encode()}, "docs(cards): propose new: 标题", reviewer="irrigation-desk", origin="event e1",
        author="Almanac distiller", now=NOW, why=why,
    )  # fmt: skip


def change_main(root: Path, text: str, path: str = PATH) -> None:
    write(root, path, text)
    commit_all(root, "meanwhile")


def test_a_proposal_says_who_is_to_judge_and_touches_nothing(root: Path, proposals: Proposals) -> None:
    made = propose(proposals, draft(), why="Because.\n\nReviewer: somebody else")
    assert made is not None
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "branch", "--show-current") == "main\n"
    assert (made.reviewer, made.origin, made.updates) == ("irrigation-desk", "event e1", "")
    assert (made.author, made.created) == ("Almanac distiller", "2026-06-01T12:00:00+00:00")
    assert proposals.all() == [made]
    assert propose(proposals, draft(title="other")) == made


def test_accepting_merges_and_a_finished_draft_goes_on_to_staging(root: Path, proposals: Proposals) -> None:
    propose(proposals, draft())
    (file,) = proposals.accept("new-1a2b", "irrigation-desk", NOW)
    card = read_cards(root).get("new")
    assert card is not None
    assert (card.status, card.confidence) == (CardStatus.STAGING, Confidence.MEDIUM)
    assert file.card == card
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "-1", "--format=%an|%s|%b").strip() == (
        "irrigation-desk|docs(cards): accept new-1a2b: new: 标题|Reviewed-by: irrigation-desk"
    )
    assert len(git(root, "log", "-1", "--format=%P").split()) == 2
    assert proposals.all() == []


def test_a_draft_with_open_fields_stays_a_draft(root: Path, proposals: Proposals) -> None:
    propose(proposals, draft(conclusion=""))
    proposals.accept("new-1a2b", "irrigation-desk", NOW)
    card = read_cards(root).get("new")
    assert card is not None
    assert card.status is CardStatus.DRAFT


def test_rejecting_keeps_the_branch_as_a_tag_with_the_reason(root: Path, proposals: Proposals) -> None:
    made = propose(proposals, draft())
    assert made is not None
    assert proposals.reject("new-1a2b", "happened once", "irrigation-desk") == "rejected/new-1a2b"
    assert proposals.all() == []
    assert git(root, "rev-parse", "rejected/new-1a2b^{commit}").strip() == made.commit
    assert "happened once" in git(root, "tag", "-n1", "--list", "rejected/*")
    assert propose(proposals, draft()) is None, "what was rejected is not proposed again"


def test_a_reject_that_was_cut_short_can_be_repeated(root: Path, proposals: Proposals) -> None:
    made = propose(proposals, draft())
    assert made is not None
    git(root, "tag", "-a", "-m", "x", "rejected/new-1a2b", made.commit)
    assert proposals.reject("new-1a2b", "no", "x") == "rejected/new-1a2b"
    git(root, "branch", "proposal/new-1a2b", "HEAD")
    assert proposals.reject("new-1a2b", "no", "x") == "rejected/new-1a2b-2"


def test_an_accept_that_was_cut_short_can_be_repeated(root: Path, proposals: Proposals) -> None:
    made = propose(proposals, draft())
    assert made is not None
    git(root, "merge", "--quiet", "--no-ff", "-m", "m", "proposal/new-1a2b")
    assert proposals.accept("new-1a2b", "x", NOW) == []
    assert proposals.all() == []


def test_what_only_the_worker_changed_meanwhile_is_no_conflict(root: Path, proposals: Proposals) -> None:
    propose(proposals, card_text(conclusion="E-07 先清理滤网，再复位一次"), PATH)
    change_main(root, card_text(valid_until="2026-10-28", metrics="{injected: 9, adopted: 3, liked: 2}"))
    proposals.accept("new-1a2b", "x", NOW)
    text = (root / PATH).read_text("utf-8")
    assert text == card_text(
        conclusion="E-07 先清理滤网，再复位一次",
        valid_until="2026-10-28",
        metrics="{injected: 9, adopted: 3, liked: 2}",
    )


@pytest.mark.parametrize("mine", [card_text(title="也改了"), "id: [\n", card_text(owner="machinery-desk")])
def test_two_changes_that_do_not_go_together_are_a_conflict(root: Path, proposals: Proposals, mine: str) -> None:
    propose(proposals, card_text(title="改了"), PATH)
    change_main(root, mine)
    with pytest.raises(KnowledgeError, match="do not go together"):
        proposals.accept("new-1a2b", "x", NOW)
    assert (root / PATH).read_text("utf-8") == mine
    assert len(proposals.all()) == 1


def test_the_same_change_on_both_sides_is_none(root: Path, proposals: Proposals) -> None:
    propose(proposals, card_text(title="改了"), PATH)
    change_main(root, card_text(title="改了"))
    proposals.accept("new-1a2b", "x", NOW)
    assert proposals.all() == []


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("id: [\n", "1 errors"),
        (draft(owner="nobody"), "1 errors"),
        (card_text(), "1 errors"),  # the id of another card
        (b"\xff\xfe\x00".decode("latin-1"), "1 errors"),
    ],
)
def test_errors_are_not_merged(root: Path, proposals: Proposals, text: str, part: str) -> None:
    propose(proposals, text)
    with pytest.raises(KnowledgeError, match=part):
        proposals.accept("new-1a2b", "x", NOW)
    assert not (root / NEW).exists()


def test_only_cards_are_merged(root: Path, proposals: Proposals) -> None:
    propose(proposals, "x\n", "roster.yaml")
    with pytest.raises(KnowledgeError, match=r"roster\.yaml, which is no card"):
        proposals.accept("new-1a2b", "x", NOW)
    repository = Repository.open(root, Git.find(None))
    git(root, "checkout", "--quiet", "-b", "proposal/gone")
    git(root, "rm", "--quiet", PATH)
    git(root, "commit", "--quiet", "-m", "delete")
    git(root, "checkout", "--quiet", "main")
    with pytest.raises(KnowledgeError, match="no card"):
        Proposals(repository).accept("gone", "x", NOW)


def test_what_a_person_is_editing_is_not_overwritten(root: Path, proposals: Proposals) -> None:
    propose(proposals, card_text(title="改了"), PATH)
    write(root, PATH, card_text(title="by hand"))
    with pytest.raises(KnowledgeError, match="not committed"):
        proposals.accept("new-1a2b", "x", NOW)
    assert "by hand" in (root / PATH).read_text("utf-8")


def test_a_branch_that_a_person_went_on_with(root: Path, proposals: Proposals) -> None:
    propose(proposals, draft(conclusion=""))
    tip = proposals.get("new-1a2b").commit
    more = NewCommit("fix(cards): fill in", "person", {NEW: draft().encode()})
    Repository.open(root, Git.find(None)).record(tip, [more], NOW.timestamp(), "refs/heads/proposal/new-1a2b")
    again = proposals.get("new-1a2b")
    assert (again.reviewer, again.author) == ("irrigation-desk", "Almanac distiller")
    proposals.accept("new-1a2b", "x", NOW)
    assert read_cards(root).get("new") is not None


def test_history_without_a_common_commit(root: Path, proposals: Proposals) -> None:
    git(root, "checkout", "--quiet", "--orphan", "proposal/alien")
    git(root, "commit", "--quiet", "-m", "alien")
    git(root, "checkout", "--quiet", "main")
    with pytest.raises(KnowledgeError, match="no history in common"):
        proposals.accept("alien", "x", NOW)


@pytest.mark.parametrize("name", ["../x", "--help", "X", "none", "a b", ""])
def test_names_that_are_none(proposals: Proposals, name: str) -> None:
    with pytest.raises(AlmanacError):
        proposals.get(name)
