"""kb.tree.contract.keywords: separators and full-width letters in lists, and repairs that change nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.tree import frontmatter
from kb.tree.contract.fixing import edited
from kb.tree.contract.keywords import check_keywords, wanted
from kb.tree.contract.source import Source, source_of


def _source(lines: str) -> Source:
    return source_of("a.md", f"---\ntitle: 甲、乙\n{lines}\nversion: 1.0 # kept\n---\n正文、不变\n")


def _repaired(lines: str) -> str:
    source = _source(lines)
    findings = check_keywords(source)
    text = "\n".join(edited(source.lines, [edit for finding in findings for edit in finding.edits]))
    return text.removeprefix("---\ntitle: 甲、乙\n").removesuffix("\nversion: 1.0 # kept\n---\n正文、不变\n")


@pytest.mark.parametrize(
    ("written", "repaired"),
    [
        ("keywords: [大豆、灌溉，施肥；V3期]", "keywords: [大豆, 灌溉, 施肥, V3期]"),
        ("keywords: 大豆、灌溉", "keywords: [大豆, 灌溉]"),
        ("keywords: 大豆，灌溉  # 说明、保留", "keywords: [大豆, 灌溉]  # 说明、保留"),
        ('keywords: "大豆、灌溉"', 'keywords: ["大豆", "灌溉"]'),
        ('keywords: ["大豆、灌溉", b]', 'keywords: ["大豆", "灌溉", b]'),
        ("tags:\n  - 大豆、灌溉\n  - c", "tags:\n  - 大豆\n  - 灌溉\n  - c"),
        ("tags:\n- '大豆，灌溉'  # x", "tags:\n- '大豆'\n- '灌溉'  # x"),
        ("keywords: [Ｖ３期, pH５]", "keywords: [V3期, pH5]"),
        ("keywords:\n  [大豆、灌溉,\n   施肥]", "keywords:\n  [大豆, 灌溉,\n   施肥]"),
        ("keywords: [大豆、、灌溉]", "keywords: [大豆, 灌溉]"),
    ],
)
def test_repairs_keep_everything_else(written: str, repaired: str) -> None:
    assert _repaired(written) == repaired
    assert check_keywords(_source(repaired)) == []


@pytest.mark.parametrize(
    "written", ["keywords: [大豆, 灌溉（滴灌）, '1,000 kg']", "keywords: []", "tags: one", "x: 甲、乙"]
)
def test_nothing_to_find(written: str) -> None:
    assert check_keywords(_source(written)) == []


def test_a_repair_that_would_change_something_else_is_not_offered() -> None:
    """A text over several lines has separators that a person must place."""
    found = check_keywords(_source("keywords: >\n  大豆、灌溉\n  施肥"))
    assert [finding.fixable for finding in found] == [False]


_WORDS = st.lists(
    st.text(st.sampled_from("大豆灌溉ab3Ｖ５()（）:' \"#-"), min_size=1, max_size=6), min_size=1, max_size=5
)


@given(_WORDS, st.sampled_from("、，；"), st.sampled_from(["[{}]", "{}", "'{}'", '"{}"', "\n  - {}"]))
def test_an_offered_repair_gives_the_list_that_was_meant(words: list[str], mark: str, form: str) -> None:
    source = _source("keywords: " + form.format(mark.join(words)))
    if source.metadata is None or "keywords" not in source.metadata:
        return
    meant = wanted(source.metadata["keywords"])
    for finding in check_keywords(source):
        if finding.edits:
            parts = frontmatter.split("\n".join(edited(source.lines, finding.edits)))
            after = frontmatter.parse(parts.yaml or "")
            assert after["keywords"] == meant
            assert after["version"] == "1.0"
