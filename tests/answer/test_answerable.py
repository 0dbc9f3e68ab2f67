"""kb.answer.answerable: what speaks against an answer is seen, and the chance follows the weights."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from kb.answer import evidence
from kb.answer.answerable import NAMES, asks_what_is_not, facts, gives_value, other_name, other_value
from kb.answer.answerer import Answerer
from kb.answer.asked import Asked
from kb.answer.evidence import Ranked
from kb.answer.weights import ACROSS, ANSWERS
from kb.search.keyness import Keyness
from kb.search.normalise import normalise
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from kb.search.tokens import question_terms
from tests.helpers import DAY, document, write


def _facts(retriever: Retriever, question: str) -> dict[str, float]:
    asked = Asked.of(question, retriever.term_weights(question_terms(question)))
    return facts(asked, evidence.rank(asked, retriever.find(question, 12, Filter(on=DAY))))


def test_every_fact_has_its_name(retriever: Retriever) -> None:
    known = _facts(retriever, "大豆播种深度是多少")
    assert set(known) == set(NAMES)
    assert all(math.isfinite(value) for value in known.values())


def test_words_of_another_field_count_as_far_as_the_field_is_known(retriever: Retriever) -> None:
    def outside(keyness: Keyness | None) -> float:
        asked = replace(Asked.of("maize", retriever.term_weights(["maiz"])), keyness=keyness)
        return facts(asked, evidence.rank(asked, retriever.find("maize", 12, Filter(on=DAY))))["outside"]

    assert outside(None) == 0.0
    assert outside(Keyness(200.0, 10, 5000)) == 0.0
    assert outside(Keyness(-20.0, 10, 5000)) > outside(Keyness(20.0, 10, 5000)) > 0.0
    assert outside(Keyness(-20.0, 10, 5000)) > outside(Keyness(-20.0, 10, 50)) > 0.0
    # One word, even a strange one, says little.
    assert outside(Keyness(-2.3, 1, 5000)) < outside(Keyness(-23.0, 10, 5000))


def test_what_lies_near_by_meaning_is_of_the_field_whatever_its_words(retriever: Retriever) -> None:
    asked = replace(Asked.of("maize", retriever.term_weights(["maiz"])), keyness=Keyness(-20.0, 10, 5000))
    ranked = evidence.rank(asked, retriever.find("maize", 12, Filter(on=DAY)), lambda texts: [1.0] * len(texts))
    assert facts(asked, ranked)["outside"] < 0.1


def test_words_numbers_and_names_that_are_not_there_are_seen(retriever: Retriever) -> None:
    plain = _facts(retriever, "How deep is maize sown in moist soil?")
    other = _facts(retriever, "How deep is maize sown near Reykjavik in moist soil in 1954?")
    assert (plain["name_lacked"], plain["number_lacked"]) == (0.0, 0.0)
    assert (other["name_lacked"], other["number_lacked"]) == (1.0, 1.0)
    assert other["section_lacks"] > plain["section_lacks"]
    assert other["rarest_lacked"] >= plain["rarest_lacked"]


def test_words_that_no_document_and_no_line_nearby_holds_are_seen(retriever: Retriever) -> None:
    plain = _facts(retriever, "大豆播种深度是多少")
    other = _facts(retriever, "大豆播种骆驼是多少")
    assert plain["unknown"] == 0.0 < other["unknown"] < 1.0
    assert plain["vicinity_lacks"] < other["vicinity_lacks"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was the charter not signed?", True),
        ("Where didn't the traders travel?", True),
        ("By what method does the party not want to rule?", True),
        ("In 1752, who could not recover the money?", True),
        ("When was the charter signed?", False),
        ("Why does the pump not start?", False),
        ("What can I do when the pump does not start?", False),
        ("Which pump has a valve that does not close?", False),
        ("When the supply is not stable, what happens to the pump?", False),
        ("The pump does not start. What is the reason?", False),
    ],
)
def test_what_is_not_so_is_asked_for_only_in_the_clause_that_asks(question: str, expected: bool) -> None:
    assert asks_what_is_not(normalise(question)) is expected


def test_evidence_that_denies_nothing_does_not_say_what_is_not_so(tmp_path: Path) -> None:
    for name, text in (("sown", "Maize is sown in moist soil."), ("unsown", "Maize is not sown in frozen soil.")):
        write(tmp_path / name, "maize.md", document("Maize", text))
        retriever = Retriever(tmp_path / name, tmp_path / f"{name}-index")
        retriever.update()
        assert _facts(retriever, "In which soil is maize not sown?")["undenied"] == float(name == "sown")
        assert _facts(retriever, "In which soil is maize sown?")["undenied"] == 0.0
        retriever.close()


def test_without_an_embedder_meaning_says_nothing(retriever: Retriever) -> None:
    known = _facts(retriever, "大豆播种深度是多少")
    assert (known["similar"], known["nearest"]) == (0.0, 0.0)


def test_nothing_found_has_no_facts(retriever: Retriever) -> None:
    asked = Asked.of("x", {})
    with pytest.raises(ValueError, match="nothing"):
        facts(asked, [])


def test_the_shipped_weights_belong_to_facts_and_leave_out_what_is_not_known() -> None:
    assert set(ANSWERS) == {(zh, meaning) for zh in (True, False) for meaning in (True, False)}
    assert set(ACROSS) == set(ANSWERS)
    assert all(set(fitted.weights) <= set(NAMES) for fitted in ACROSS.values())
    for (_, meaning), fitted in ANSWERS.items():
        assert set(fitted.weights) <= set(NAMES)
        assert meaning or not {"similar", "nearest"} & set(fitted.weights)
        assert 0.0 < fitted.refuse_below < 1.0


CODES = """# Faults of the ALM-PC200

ESP-1 is the common board. ALM-PC200 stops at fault E-12 until the filter is cleaned.

| code | meaning |
|---|---|
| E-12 | filter blocked |
| E-13 | tank empty |
"""


def _best(root: Path, folder: Path, question: str) -> tuple[Asked, Ranked]:
    retriever = Retriever(root, folder)
    retriever.update()
    asked = Asked.of(question, retriever.term_weights(question_terms(question)))
    return asked, evidence.rank(asked, retriever.find(question, 12, Filter(on=None)))[0]


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("What does fault E-12 mean?", False),
        ("What does fault E-31 mean?", True),
        ("What does E-31 of the ALM-PC200 mean, is the tank empty?", True),
        ("Which filter is cleaned when the ALM-PC200 stops?", False),
        ("Why does the XC23 stop until the filter is cleaned?", True),
    ],
)
def test_another_name_is_told_from_the_one_asked_for(question: str, other: bool, tmp_path: Path) -> None:
    write(tmp_path / "docs", "faults.md", document("Faults", CODES))
    for number in range(6):
        write(tmp_path / "docs", f"other{number}.md", document(f"Other {number}", "The ESP-1 board is on the left."))
    asked, best = _best(tmp_path / "docs", tmp_path / "index", question)
    assert other_name(asked, best) is other, best.unit.text
    known = facts(asked, [best])
    assert (known["code_lacked"] > 0.3) is other
    assert known["code_share"] <= known["code_lacked"]


def test_another_name_is_refused_but_nearer_to_an_answer_than_what_nobody_speaks_of(tmp_path: Path) -> None:
    write(tmp_path / "docs", "faults.md", document("Faults", CODES))
    for number in range(6):
        write(tmp_path / "docs", f"other{number}.md", document(f"Other {number}", "The ESP-1 board is on the left."))
    retriever = Retriever(tmp_path / "docs", tmp_path / "index")
    retriever.update()
    own, other, nothing = (
        Answerer(retriever).ask(question, limits=Filter(on=None))
        for question in ("When is fault E-12 cleared?", "When is fault E-31 cleared?", "Who painted the ceiling?")
    )
    assert (own.refused, other.refused, nothing.refused) == (False, True, True)
    enough = ANSWERS[False, False].refuse_below
    assert own.confidence > enough > other.confidence > 0.9 * enough > nothing.confidence
    retriever.close()


def test_a_name_that_many_documents_hold_says_little(tmp_path: Path) -> None:
    write(tmp_path / "docs", "faults.md", document("Faults", "The valve opens at 3 bar when the tank is full."))
    for number in range(12):
        write(tmp_path / "docs", f"other{number}.md", document(f"Other {number}", "The ESP-1 board is on the left."))
    asked, best = _best(tmp_path / "docs", tmp_path / "index", "At how many bar does the valve of the ESP-1 open?")
    assert best.found.path == "faults.md"
    assert not other_name(asked, best)
    assert 0.0 < facts(asked, [best])["code_lacked"] < 0.3


DOSES = """# Piglets

Piglets with diarrhoea get 12 ml of electrolyte by mouth, as the label says. Marvin wrote this.
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many ml of electrolyte do piglets get?", False),
        ("How many ml of electrolyte do ostriches get?", True),
        # What is said of it without a value does no harm.
        ("Who wrote about ostriches with diarrhoea?", False),
    ],
)
def test_a_value_of_another_thing_is_seen(tmp_path: Path, question: str, expected: bool) -> None:
    root = tmp_path / "tree"
    write(root, "piglets.md", document("Piglets", DOSES))
    for number in range(6):
        write(root, f"other{number}.md", document(f"Herd {number}", "# Herds\n\nThey run fast.\n"))
    retriever = Retriever(root, tmp_path / "index")
    asked = Asked.of(question, retriever.term_weights(question_terms(question)))
    ranked = evidence.rank(asked, retriever.find(question, 12, Filter(on=DAY)))
    assert ranked[0].found.path == "piglets.md"
    assert other_value(asked, ranked) is expected
    retriever.close()


SHED = """# Shed rules

| Shed | Area (m2) | Rent per month (EUR) |
|---|---|---|
| Barn | 200 | 80 |
| Hall | 450 | 140 |

Cattle get 12 g of salt a day. Not for ewes, which get none.

Heifers stay 5 days. Calves stay 9 days in the pen.

Teeth are checked once a year.
"""


@pytest.mark.parametrize(
    ("question", "value", "told"),
    [
        ("Monthly rent of the barn", "80", True),
        ("Yearly rent of the barn", "80", False),
        ("Which shed has the largest area?", "450", True),
        ("Which shed has the highest door?", "450", False),
        ("How much salt do cattle get?", "12 g", True),
        ("How much salt do ewes get?", "12 g", False),  # they are excepted
        ("How many days do calves stay?", "9 days", True),
        ("How many days do goats stay?", "9 days", False),
        ("How often are hooves checked?", "once a year", False),  # a value in words
        ("How often are teeth checked?", "once a year", True),
    ],
)
def test_what_is_told_of_other_cases_alone_is_no_answer(tmp_path: Path, question: str, value: str, told: bool) -> None:
    root = tmp_path / "tree"
    write(root, "sheds.md", document("Sheds", SHED))
    for number in range(6):
        write(root, f"other{number}.md", document(f"Herd {number}", "# Herds\n\nThey run fast.\n"))
    retriever = Retriever(root, tmp_path / "index")
    asked = Asked.of(question, retriever.term_weights(question_terms(question)))
    ranked = evidence.rank(asked, retriever.find(question, 12, Filter(on=DAY)))
    best = ranked[0]
    assert (value in best.unit.text and best.suits == 1.0 and not other_value(asked, ranked)) is told
    retriever.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("播深 3-5 cm", True), ("-10 ℃", True), ("R5 期追施 45 公斤", True),
     ("ESP32 的 GPIO34 ~ GPIO39", False), ("（2）发展多种作物", False), ("3、施肥", False), ("E-07", False)],
)  # fmt: skip
def test_codes_and_numbers_of_items_are_no_values(text: str, expected: bool) -> None:
    assert gives_value(text) is expected
