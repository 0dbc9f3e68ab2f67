"""kb.supply.distill: drafts say nothing that their event does not say."""

from __future__ import annotations

import datetime
import json

import pytest

from kb.supply.card import CONCLUSION_CHARACTERS, CardType
from kb.supply.distill import adds_nothing, card_id, distil
from kb.supply.distill_decide import Reason
from kb.supply.distill_model import Opinion
from kb.supply.distill_reading import fields
from kb.supply.events import parse_event
from kb.supply.schema import ID_PATTERN, parse_card
from tests.helpers import DATA
from tests.supply.card_helpers import PATH
from tests.supply.supply_helpers import event

EVENTS = [
    parse_event(json.dumps(json.loads(line)["event"]))
    for line in (DATA / "supply" / "events.jsonl").read_text("utf-8").splitlines()
]
TODAY = datetime.date(2026, 11, 30)


def test_every_draft_can_be_read_and_every_field_points_into_the_input() -> None:
    drafts = 0
    for one in EVENTS:
        found = distil(one, [], "zh")
        if found.draft is None:
            assert not found.decision.save
            continue
        drafts += 1
        read = parse_card(PATH, found.draft.render(TODAY, "zh"))
        assert read.card is not None, read.findings
        assert len(read.card.conclusion) <= CONCLUSION_CHARACTERS
        texts = dict(fields(one))
        for _, span in found.evidence:
            assert texts[span.source][span.start : span.end] == span.text
        pointed = {span.text for _, span in found.evidence}
        draft = found.draft
        for said in (draft.conclusion, *draft.do, *draft.dont, *draft.scene, draft.incident):
            assert not said or said in pointed
        everything = " ".join(texts.values())
        assert all(code in everything for code in draft.signals)
    assert drafts > 50


def test_a_whole_draft() -> None:
    found = distil(
        event(
            title="喷雾机药害", request="玉米田出现药害。", requirement="R-1", merge_request=31, field="maize-field",
            comments=["药害是间隔太短造成的。", "农艺师要求：两种药剂间隔不少于 7 天，不得混用。"], area="farm",
            links=["a/b.md"], owner="desk",
        ),
        ["desk"],
        "en",
    )  # fmt: skip
    draft = found.draft
    assert draft is not None
    assert (found.area, draft.type, draft.owner) == ("farm", CardType.PITFALL, "desk")
    assert draft.conclusion == "两种药剂间隔不少于 7 天，不得混用"
    assert (draft.do, draft.dont) == (["两种药剂间隔不少于 7 天"], ["不得混用"])
    assert draft.links == ["event:e", "req:R-1", "mr:31", "a/b.md"]
    assert draft.repos == ["maize-field"]
    assert draft.scene == ["玉米田出现药害"]
    assert "conclusion <- comments[1] 6-24: 两种药剂" in draft.comments[0]


def test_what_the_event_does_not_say_stays_empty() -> None:
    asked = event(kind="question", question="高粱田怎么防蚜虫？", asked=6, owner="nobody", area="../x")
    found = distil(asked, ["desk"], "zh")
    draft = found.draft
    assert draft is not None
    assert (draft.conclusion, draft.do, draft.dont, draft.repos, draft.owner) == ("", [], [], [], "")
    assert (found.area, draft.type) == ("inbox", CardType.FAQ)
    read = parse_card(PATH, draft.render(TODAY, "zh"))
    assert read.card is not None
    assert {finding.params["field"] for finding in read.findings} == {"conclusion", "owner"}


def test_a_long_rule_is_cut_after_a_clause_or_left_out() -> None:
    long = "每次作业前必须先检查滤网，" + "再检查管路和接头有没有漏气漏油，" * 6 + "最后试运行"
    found = distil(event(request="漏油", comments=[long + "。"]), [], "zh")
    assert found.draft is not None
    assert found.draft.conclusion.startswith("每次作业前必须先检查滤网")
    assert len(found.draft.conclusion) <= CONCLUSION_CHARACTERS
    found = distil(event(request="漏油", comments=["必须" + "检查" * 60 + "。"]), [], "zh")
    assert found.draft is not None
    assert found.draft.conclusion == ""


@pytest.mark.parametrize(
    ("worded", "said", "good"),
    [
        ("低温先加热 30 分钟再开屏", "低温先加热机柜 30 分钟，再开屏幕", True),
        ("低温先加热 20 分钟再开屏", "低温先加热机柜 30 分钟，再开屏幕", False),
        ("低温先加热再开屏幕", "低温先加热机柜 30 分钟，再开屏幕", False),
        ("用吸水阀节流", "严禁用吸水阀节流", False),
        ("E-07 先清滤网再复位", "E-07 停机先清滤网再复位", True),
        ("E-08 先清滤网再复位", "E-07 停机先清滤网再复位", False),
        ("ERR_LIMIT 先查单", "ERR_TIMEOUT 先查单", False),
        ("先换新泵再请厂家来修", "先清滤网再复位", False),
        ("注意安全", "先清滤网再复位", False),
        ("", "先清滤网再复位", False),
        ("先清滤网再复位" * 12, "先清滤网再复位", False),
    ],
)
def test_a_models_words_count_only_when_they_add_nothing(worded: str, said: str, good: bool) -> None:
    assert adds_nothing(worded, said) is good


@pytest.mark.parametrize("words", ["低温先加热 20 分钟再开屏", "", "先加热 30 分钟，再开屏幕"])
def test_the_draft_keeps_the_sentence_unless_the_words_are_good(words: str) -> None:
    one = event(request="黑屏", comments=["低温导致黑屏，先加热机柜 30 分钟，再开屏幕。"])
    draft = distil(one, [], "zh", lambda said: words).draft
    assert draft is not None
    good = adds_nothing(words, "低温导致黑屏，先加热机柜 30 分钟，再开屏幕")
    assert draft.conclusion == (words if good else "低温导致黑屏，先加热机柜 30 分钟，再开屏幕")


@pytest.mark.parametrize("identifier", ["e", "../../x", "需求/1", "A B", "x" * 199, "--", "a--b"])
def test_an_id_can_always_be_made(identifier: str) -> None:
    made = card_id(event(id=identifier))
    assert ID_PATTERN.fullmatch(made)
    assert len(made) <= 80
    assert made != card_id(event(id=identifier + "!"))


def test_control_characters_do_not_reach_the_file() -> None:
    one = event(request="漏\x1b]52;c;x\x07水", comments=["先换垫片\x9b2J再试压 10 分钟。\u202e"])
    found = distil(one, [], "zh")
    assert found.draft is not None
    text = found.draft.render(TODAY, "zh")
    assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert parse_card(PATH, text).card is not None


SAID = "先加热 30 分钟，再开屏幕，不要直接上电"
JUDGED = event(request="黑屏", comments=["低温导致黑屏。", "先加热机柜 30 分钟，再开屏幕，不要直接上电。"])


@pytest.mark.parametrize(
    ("opinion", "save", "reason", "conclusion"),
    [
        (Opinion(True, "会再遇到", SAID), True, "会再遇到", SAID),
        (Opinion(True, "会再遇到", SAID.replace("3", "2")), False, "输入中找不到依据", None),
        (Opinion(True, "会再遇到", ""), False, "输入中找不到依据", None),
        (Opinion(False, "没什么"), False, "没什么", None),
        (None, True, "原因和做法都清楚，会再遇到", "先加热机柜 30 分钟，再开屏幕，不要直接上电"),
    ],
)  # fmt: skip
def test_a_models_yes_needs_a_finding_that_carries_it(
    opinion: Opinion | None, save: bool, reason: str, conclusion: str | None
) -> None:
    found = distil(JUDGED, [], "zh", judge=lambda one: opinion)
    assert (found.decision.save, found.reason) == (save, reason)
    assert (found.draft.conclusion if found.draft else None) == conclusion
    assert found.decision.reason is not Reason.OPEN


def test_a_models_steps_count_one_by_one() -> None:
    opinion = Opinion(
        True, "x", "先加热 30 分钟，再开屏幕，不要直接上电", (), ("先加热机柜 30 分钟", "叫厂家来修"), ("不要直接上电",)
    )
    draft = distil(JUDGED, [], "zh", judge=lambda one: opinion).draft
    assert draft is not None
    assert (draft.do, draft.dont) == (["先加热机柜 30 分钟"], ["不要直接上电"])
