"""The list under the answer and the hits of the browser: entries that tell themselves apart."""

from __future__ import annotations

from kb.answer.answer import Evidence
from tui.catalog import Entry, Hit
from tui.screens.browser import hit_prompt
from tui.widgets.choices import Shape, prompts
from tui.words import Words

WORDS = Words("en")


def source(text: str, trail: tuple[str, ...] = ("Guide", "Planting"), path: str = "a/b_2025_v1.md") -> Evidence:
    return Evidence(
        path=path,
        title="Guide",
        trail=trail,
        lines=(1, 1),
        text=text,
        context="",
        plain=text,
        kind="item",
        version="2025_v1",
        valid_from="",
        valid_to="2028-12-31",
        date_updated="",
        references=(),
        score=0.6,
    )


def rows(*sources: Evidence, quote_lines: int = 0, words: Words = WORDS) -> list[str]:
    return [row.plain for row in prompts(sources, Shape(72, quote_lines), words)]


def test_of_one_section_the_first_source_says_where_the_others_what() -> None:
    first, second, other = rows(
        source("- Plant 3 cm deep."), source("- Replant if **thin**."), source("Water.", ("Guide", "Water"))
    )
    assert "Planting" in first and "2028-12-31" in first
    assert "“Replant if thin.”" in second and "Planting" not in second
    assert "Water" in other and "2028-12-31" in other


def test_the_same_heading_of_another_document_is_another_place() -> None:
    _, second = rows(source("a"), source("b", path="a/c_2025_v1.md"))
    assert "Planting" in second


def test_where_quotes_have_lines_of_their_own_every_source_says_where() -> None:
    first, second = rows(source("a"), source("b"), quote_lines=2)
    assert "Planting" in first and "Planting" in second


def test_quotation_marks_are_ascii_in_plain() -> None:
    assert '"b"' in rows(source("a"), source("b"), words=Words("en", plain=True))[1]


def test_a_hit_below_one_of_the_same_document_gives_its_heading_alone() -> None:
    pump, other = Entry("p.md", "Pump", "1", "en", ""), Entry("o.md", "Other", "1", "en", "")
    hit = Hit(pump, ("Priming",), (3, 4))
    assert hit_prompt(hit, WORDS, 40, other).plain == "Pump\n  Priming"
    assert hit_prompt(hit, WORDS, 40, pump).plain == "  Priming"
    assert hit_prompt(Hit(pump), WORDS, 40, pump).plain == "Pump"
