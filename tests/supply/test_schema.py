"""kb.supply.schema: every fault of a card's file is named with its line, and nothing raises."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.supply.card import CardStatus, CardType, Confidence, Layer, Metrics
from kb.supply.schema import FIELDS, line_of, parse_card
from kb.texts import CATALOGS
from tests.supply.card_helpers import CARD, PATH, card_text


def test_a_healthy_card_gives_every_field() -> None:
    card, findings = (read := parse_card(PATH, CARD)).card, read.findings
    assert findings == ()
    assert card is not None
    assert (card.path, card.id, card.type, card.status) == (PATH, "pump-e07-reset", CardType.PITFALL, CardStatus.ACTIVE)
    assert (card.confidence, card.layer, card.owner) == (Confidence.HIGH, Layer.SCENARIO, "irrigation-desk")
    assert card.applicable.scene == ("水泵报汽蚀保护停机", "夏季低水位抽水")
    assert card.applicable.repos == ("ALM-PC200",)
    assert card.do == ("清理滤网", "检查吸水管漏气")
    assert card.evidence.links == ("machinery/pump/controller/fault_codes_2025_v1.md",)
    assert (card.created_at, card.valid_until) == (datetime.date(2026, 5, 1), datetime.date(2026, 7, 30))
    assert card.metrics == Metrics(4, 3, 1)


@pytest.mark.parametrize(
    ("changes", "key", "line"),
    [
        ({"type": "trick"}, "card_bad_choice", 3),
        ({"status": "Active"}, "card_bad_choice", 5),
        ({"confidence": "certain"}, "card_bad_choice", 6),
        ({"layer": "L1"}, "card_bad_choice", 24),
        ({"id": "../../etc/passwd"}, "card_bad_id", 2),
        ({"id": "Pump"}, "card_bad_id", 2),
        ({"id": "a--b"}, "card_bad_id", 2),
        ({"id": "a" * 81}, "card_bad_id", 2),
        ({"id": "007"}, "", 0),
        ({"owner": ""}, "card_missing", 0),
        ({"title": "''"}, "card_missing", 4),
        ({"valid_until": ""}, "card_no_end", 0),
        ({"valid_until": "2026-02-30"}, "card_bad_date", 23),
        ({"valid_until": "2026-04-30"}, "card_ends_before", 23),
        ({"created_at": "yesterday"}, "card_bad_date", 22),
        ({"conclusion": "查" * 81}, "card_conclusion_long", 11),
        ({"conclusion": "查" * 80}, "", 0),
        ({"metrics": "{injected: -1}"}, "card_bad_count", 25),
        ({"metrics": "{injected: many}"}, "card_bad_count", 25),
        ({"metrics": "3"}, "card_not_mapping", 25),
        ({"metrics": ""}, "", 0),
        ({"owner": "[a, b]"}, "card_not_text", 21),
        ({"title": "{a: b}"}, "card_not_text", 4),
    ],
)
def test_one_fault_is_one_finding(changes: dict[str, str], key: str, line: int) -> None:
    found = parse_card(PATH, card_text(**changes)).findings
    assert [(finding.key, finding.line) for finding in found] == ([(key, line)] if key else [])


@pytest.mark.parametrize(
    ("old", "new", "key", "line"),
    [
        ("links:\n    - machinery/pump/controller/fault_codes_2025_v1.md", "incident: x", "card_missing", 17),
        ("source: 示例控制器故障代码表\n  ", "", "card_missing", 17),
        ("scene: [水泵报汽蚀保护停机, 夏季低水位抽水]\n  ", "", "card_missing", 7),
        ("do:\n", "doo:\n", "card_unknown_field", 12),
        ("  repos:", "  repository:", "card_unknown_field", 9),
        ("  - 清理滤网", "  - {a: b}", "card_not_list", 12),
        ("owner: irrigation-desk", "owner: a\nowner: b", "card_yaml", 22),
        ("owner: irrigation-desk", "owner：irrigation-desk", "card_yaml", 21),
        ("owner: irrigation-desk", "owner: 'a", "card_yaml", 26),
        ("owner: irrigation-desk", "\towner: a", "card_yaml", 21),
        ("owner: irrigation-desk", "owner: &a x\ntitle2: *a", "card_yaml", 22),
        ("do:\n  - 清理滤网\n", "do: " + "[" * 3000 + "]" * 3000 + "\n", "card_yaml", 12),
    ],
)
def test_faults_of_structure(old: str, new: str, key: str, line: int) -> None:
    assert old in CARD
    found = parse_card(PATH, CARD.replace(old, new)).findings
    assert (key, line) in [(finding.key, finding.line) for finding in found]


def test_missing_evidence_gives_no_card() -> None:
    start, end = CARD.index("evidence:"), CARD.index("owner:")
    read = parse_card(PATH, CARD[:start] + CARD[end:])
    assert read.card is None
    assert [finding.params["field"] for finding in read.findings] == ["evidence"]


def test_a_draft_may_leave_open_what_nobody_knows_yet() -> None:
    text = card_text(status="draft", title="", conclusion="", owner="")
    text = text.replace("  scene: [水泵报汽蚀保护停机, 夏季低水位抽水]\n", "")
    read = parse_card(PATH, text)
    assert read.card is not None
    assert {finding.params["field"] for finding in read.findings} == {
        "title",
        "conclusion",
        "owner",
        "applicable.scene",
    }
    assert all(finding.warning for finding in read.findings)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a comment\n", "just words\n", "- a\n- b\n", "null\n"])
def test_what_is_no_card_at_all_is_said(text: str) -> None:
    read = parse_card(PATH, text)
    assert read.card is None
    assert len(read.findings) == 1


@given(st.text(alphabet=st.sampled_from("ab:-[]{}\"'|>&*!%@`#\n\t ,：0é中\x00\ud800"), max_size=200))
def test_no_text_raises(text: str) -> None:
    read = parse_card(PATH, text)
    assert (read.card is None) == any(not finding.warning for finding in read.findings)


@given(st.sampled_from(FIELDS), st.sampled_from(["", "[]", "{}", "[[a]]", "{a: [b]}", "~", "0", "2026-13-01", "''"]))
def test_any_field_may_be_odd(field: str, value: str) -> None:
    start = CARD.index(f"\n{field}:") + 1
    rest = CARD[start:].split("\n")
    skip = next((n for n, line in enumerate(rest[1:], 1) if line and line[0] not in " "), len(rest))
    text = CARD[:start] + f"{field}: {value}\n" + "\n".join(rest[skip:])
    for finding in parse_card(PATH, text).findings:
        assert finding.text("zh") and finding.text("en")


def test_scalars_stay_what_was_written() -> None:
    card = parse_card(PATH, card_text(id="007", owner="no", title="1.10")).card
    assert card is not None
    assert (card.id, card.owner, card.title) == ("007", "no", "1.10")


def test_lines_are_found_in_any_style() -> None:
    assert line_of("a: 1\n'owner': x\n", "owner") == 2
    assert line_of("evidence:\n  source: x\nlinks: y\n", "evidence.links") == 1
    assert line_of("evidence: {links: [x]}\n", "evidence.links") == 1
    assert line_of("evidence:\n  source: x\n  links: y\n", "evidence.links") == 3
    assert line_of("", "owner") == 0


def test_findings_have_texts_in_both_languages() -> None:
    for text in (card_text(status="x", valid_until="", id="A"), "a: 'b", "x: {"):
        for finding in parse_card(PATH, text).findings:
            assert finding.key in CATALOGS["zh"]
            assert finding.text("en") != finding.text("zh")
