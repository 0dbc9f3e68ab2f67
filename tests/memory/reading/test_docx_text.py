"""kb.memory.reading.docx_text: the words of a paragraph with revisions accepted."""

from __future__ import annotations

from docx_writer import _NAMES, comment, deleted, footnote, inserted, paragraph, run
from lxml import etree

from kb.memory.reading.docx_text import Words, words_of


def _words(content: str) -> Words:
    xml = f"<w:body {_NAMES}>{paragraph(content)}</w:body>"
    return words_of(etree.fromstring(xml)[0], {})


def test_insertions_are_text_and_deletions_are_not() -> None:
    words = _words(
        run("preheat ") + deleted("10", "desk", "2026-02-01") + inserted("30", "desk", "2026-02-01") + run(" min")
    )
    assert words.text == "preheat 30 min"
    assert [(each.text, each.who) for each in words.deleted] == [("10", "desk, 2026-02-01")]
    assert [each.text for each in words.inserted] == ["30"]


def test_raised_and_lowered_text() -> None:
    raised = run("2", '<w:vertAlign w:val="superscript"/>')
    assert _words(run("5 m") + raised).text == "5 m²"


def test_hidden_text_is_not_read() -> None:
    assert _words(run("a") + run("secret", "<w:vanish/>")).text == "a"


def test_a_field_gives_its_result_and_not_its_code() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    assert _words(run("page ") + field + run(" of 9")).text == "page 7 of 9"


def test_references_to_notes_and_comments() -> None:
    words = _words(run("flow") + footnote(4) + comment(2))
    assert words.text == "flow[^1]"
    assert words.notes == [("footnote", "4")]
    assert words.comments == ["2"]


def test_breaks_tabs_symbols() -> None:
    more = '<w:r><w:br/></w:r><w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r><w:r><w:tab/><w:t>x</w:t></w:r>'
    assert _words(run("a") + more).text == "a\n☑ x"
