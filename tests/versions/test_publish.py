"""kb.versions.publish: the plan says what will happen, and making is done once."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from kb.answer.release_numbers import read_numbers
from kb.errors import KnowledgeError
from kb.versions import publish, releases, routes
from kb.versions.manifest import build
from kb.versions.publish import Plan, standing
from kb.versions.registry import Registry
from kb.versions.routes import Actor
from kb.versions.snapshot import Author, read, take
from tests.conftest import Published
from tests.helpers import MOMENT, document

RULE = "store/returns/rule_2025_v1.md"


def _rule(days: int, **fields: str) -> dict[str, str]:
    return {RULE: document("退货规则", f"签收后{days}天内可以退货。", affected_agents="[agent-refund]", **fields)}


def _plan(published: Published, tag: str, *, leave_out_drafts: bool = False) -> Plan:
    with Registry.open(published.home) as registry:
        return publish.plan(
            published.home, registry, published.source, read(published.source, tag), ("", "prod"), read_numbers,
            now=MOMENT, leave_out_drafts=leave_out_drafts,
        )  # fmt: skip


def test_each_document_stands_in_one_list() -> None:
    files = {
        "now.md": document("a", "x"),
        "last_day.md": document("a", "x", valid_to="2026-06-01"),
        "first_day.md": document("a", "x", valid_from="2026-06-01"),
        "old.md": document("a", "x", valid_to="2026-05-31"),
        "soon.md": document("a", "x", valid_from="2026-06-02"),
        "draft.md": document("a", "x", status="draft"),
        "odd.md": document("a", "x", status="whatever"),
        "review.md": document("a", "x", status="Reviewing", valid_to="2020-01-01"),
        "bad_date.md": document("a", "x", valid_to="2026-02-30"),
    }
    found = standing(build("1", "", ((path, text.encode()) for path, text in files.items())), datetime.date(2026, 6, 1))
    assert [entry.path for entry in found.answering] == ["first_day.md", "last_day.md", "now.md"]
    assert [entry.path for entry in found.drafts] == ["draft.md", "odd.md"]
    assert [entry.path for entry in found.reviewing] == ["review.md"]
    assert [entry.path for entry in found.expired] == ["bad_date.md", "old.md"]
    assert [entry.path for entry in found.coming] == ["soon.md"]


def test_drafts_are_refused_by_name_unless_left_out(published: Published) -> None:
    published.make(_rule(7, status="draft"))
    with pytest.raises(KnowledgeError) as caught:
        _plan(published, "kb-1.0.0")
    assert RULE in str(caught.value)
    assert [entry.path for entry in _plan(published, "kb-1.0.0", leave_out_drafts=True).standing.drafts] == [RULE]


def test_what_each_agent_will_see_differently(published: Published) -> None:
    first, _ = published.make(_rule(7))
    assert len(_plan(published, "kb-1.0.0").difference.of_kind("added")) == 10
    published.switch(first)
    assert not _plan(published, "kb-1.0.0").difference
    published.make({**_rule(3), "store/new.md": document("New", "x")})
    plan = _plan(published, "kb-1.1.0")
    assert (plan.live, plan.is_built) == ("kb-1.0.0", True)
    assert [(view.agent, [change.path for change in view.changes]) for view in plan.agents] == [
        ("", ["store/new.md"]), ("agent-refund", [RULE]),
    ]  # fmt: skip
    assert [(number.old, number.new) for _, number in plan.difference.numbers] == [("7天", "3天")]


def test_a_release_is_made_once_and_found_after_a_crash(published: Published) -> None:
    made, built = published.make(_rule(7))
    assert built is not None
    calls = published.index.embedder.calls
    with Registry.open(published.home) as registry:
        taken = read(published.source, "kb-1.0.0")
        again, nothing = publish.make(published.home, registry, published.source, taken, published.index, now=MOMENT)
        assert (again, nothing) == (made, None)
        # The folder was placed, the registry not yet told.
        registry.connection.execute("UPDATE snapshots SET built=''")
        found, nothing = publish.make(published.home, registry, published.source, taken, published.index, now=MOMENT)
        assert found.is_built
        assert nothing is None
    assert published.index.embedder.calls == calls


def test_a_live_release_of_another_repository_is_no_base(published: Published, tmp_path: Path) -> None:
    made, _ = published.make()
    published.switch(made)
    with Registry.open(published.home) as registry:
        registry.connection.execute("UPDATE snapshots SET tag='kb-9.0.0'")
    published.make(_rule(7))
    plan = _plan(published, "kb-1.1.0")
    assert plan.live == "kb-9.0.0"
    assert len(plan.difference.of_kind("added")) == 10


def test_a_failed_index_leaves_the_live_release(published: Published) -> None:
    made, _ = published.make()
    published.switch(made)
    taken = take(published.source, Author("agronomy-desk"), level="patch")

    def fail(docs: Path, index: Path, earlier: tuple[Path, ...]) -> releases.BuiltIndex:
        assert docs.is_dir()
        raise KnowledgeError("root_empty", path=docs)

    with Registry.open(published.home) as registry:
        with pytest.raises(KnowledgeError):
            publish.make(published.home, registry, published.source, taken, fail, now=MOMENT)
        assert not registry.named("kb-1.0.1").is_built
        assert routes.route(registry, "", "prod").current == made.id
        assert sorted(path.name for path in (published.home / "releases").iterdir() if path.is_dir()) == [made.name]
        routes.activate(registry, ("", "prod"), made, Actor("agronomy-desk"), now=MOMENT)
