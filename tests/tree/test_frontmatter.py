"""kb.tree.frontmatter: scalars stay as written, and every fault has a line and a plain reason."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.texts import CATALOGS
from kb.tree import frontmatter
from kb.tree.frontmatter import FrontMatterError, parse, split
from tests.helpers import DATA, run_python


def test_scalars_stay_what_a_person_wrote() -> None:
    parts = split((DATA / "healthy" / "yaml_traps.md").read_text())
    assert parts.yaml is not None
    found = parse(parts.yaml)
    assert found == {
        "title": "Traps: of YAML", "version": "1.10", "id": "007", "lang": "no", "time": "10:00",
        "phone": "0086-010-12345678", "octal": "0o17", "hex": "0x1F", "yes_word": "yes", "null_word": "null",
        "tilde": "~", "float": "1e3", "date_updated": "2026-11-29", "tags": ["on", "off", "1.0", "08"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("duplicate_key", 4, "fm_duplicate"),
        ("tab", 4, "fm_tab"),
        ("full_width_colon", 3, "fm_full_width_colon"),
        ("not_closed", 1, "fm_not_closed"),
        ("colon_in_value", 2, "fm_colon"),
        ("open_bracket", 4, "fm_unclosed"),
        ("alias_bomb", 3, "fm_alias"),
    ],
)
def test_a_fault_has_its_line_and_reason(name: str, line: int, reason: str) -> None:
    text = (DATA / "broken" / f"{name}.md").read_text()
    with pytest.raises(FrontMatterError) as caught:
        parse(split(text).yaml or "")
    assert (caught.value.line, caught.value.reason) == (line, reason)
    assert caught.value.reason in CATALOGS["zh"]


_DEEP = {
    "flow lists": "a: " + "[" * 3000 + "]" * 3000,
    "flow lists with spaces": "a: " + "[ " * 3000 + "] " * 3000,
    "flow lists on lines": "a: " + "[\n " * 3000 + "]" * 3000,
    "flow mappings": "a: " + "{a: " * 3000 + "}" * 3000,
    "not closed": "a: " + "[" * 3000,
    "mappings not closed": "a: " + "{a: " * 3000,
    "block lists": "a:\n  " + "- " * 3000 + "x",
    "block mappings": "\n".join(" " * depth + "a:" for depth in range(300)),
    "complex keys": "? " * 3000 + "x",
    "mixed": "a: " + "[{a: " * 1500 + "}]" * 1500,
}


@pytest.mark.slow
def test_deep_nesting_is_refused_without_falling_over(tmp_path: Path) -> None:
    """In a process of its own, which a parser that recurses in C would take down."""
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps(_DEEP))
    done = run_python(
        "import json, sys\nfrom kb.tree.frontmatter import parse, FrontMatterError\n"
        "for kind, text in json.load(open(sys.argv[1])).items():\n"
        " try:\n  parse(text); print('TAKEN', kind)\n"
        " except FrontMatterError as error:\n  print('refused', kind)\n",
        str(texts),
    )
    assert done.code == 0, done.out[-300:] + done.err[-300:]
    assert done.out.splitlines() == [f"refused {kind}" for kind in _DEEP]


def test_an_alias_bomb_costs_nothing() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    with pytest.raises(FrontMatterError) as caught:
        parse("\n".join(lines))
    assert caught.value.reason == "fm_alias"


@pytest.mark.parametrize(
    "step",
    ["{name}: &{name} [{items}]", "{name}: &{name}   [{items}]", "{name}: &{name} {{k: [{items}]}}",
     "{name}:\n  &{name}\n  [{items}]", "{name}: {{k: &{name} [{items}]}}"],
)  # fmt: skip
@pytest.mark.parametrize("comma", [",", " ,", ",\n  "])
def test_an_alias_bomb_is_refused_however_it_is_written(step: str, comma: str) -> None:
    lines = ["a0: &a0 [x,x]"]
    lines += [step.format(name=f"a{n}", items=comma.join([f"*a{n - 1} "] * 9)) for n in range(1, 12)]
    with pytest.raises(FrontMatterError) as caught:
        parse("\n".join(lines))
    assert caught.value.reason == "fm_alias"


def test_a_list_that_holds_itself_and_an_alias_that_no_rule_on_lines_sees() -> None:
    for yaml in ("a: &a [*a]", "a: &a\n  - x\n  - *a", "? &a [x]\n: 1\nb: [!!seq *a]", 'a: &a [x]\nb: ["y",*a,*a]'):
        with pytest.raises(FrontMatterError):
            parse(yaml)


@pytest.mark.parametrize(
    ("yaml", "line", "reason"),
    [
        ("title: @home", 2, "fm_unquoted"),
        ("title: A\nnote: %50 mix", 3, "fm_unquoted"),
        ("title: `x`", 2, "fm_unquoted"),
        ("title: *important*", 2, "fm_unquoted"),
        ("title: 'don't'", 2, "fm_unquoted"),
        ("title: [draft] Pump", 2, "fm_unquoted"),
        ("title: | pump", 2, "fm_unquoted"),
        ("title: - pump", 2, "fm_unquoted"),
        ("title: {{ title }}", 2, "fm_unquoted"),
        ("title: A\nowner: x\x1b]0;y\x07", 3, "fm_control"),
        ("title: A\nowner: x\0y", 3, "fm_control"),
        ("title: A\nowner: x\x9b31m", 3, "fm_control"),
        ("title: A\njust words\nowner: x", 4, "fm_no_field"),
        ("a: " + "[ " * 3000 + "] " * 3000, 2, "fm_too_deep"),
        ("a: " + "[{a: " * 1500 + "}]" * 1500, 2, "fm_too_deep"),
    ],
)
def test_what_yaml_does_not_take_has_a_plain_reason(yaml: str, line: int, reason: str) -> None:
    with pytest.raises(FrontMatterError) as caught:
        parse(yaml)
    assert (caught.value.line, caught.value.reason) == (line, reason)
    assert caught.value.reason in CATALOGS["en"]
    assert caught.value.reason in CATALOGS["zh"]


def test_lines_of_broken_front_matter_are_salvaged() -> None:
    yaml = (
        "title: 'Pump'\nversion: 1.10\ntags:\n\t- a\nvalid_to: 2020-01-01 # last\nvalid_from：2019-01-01\n"
        "note: valid_to: x\n"
    )
    assert frontmatter.salvage(yaml) == {
        "title": "Pump", "version": "1.10", "valid_to": "2020-01-01", "valid_from": "2019-01-01",
    }  # fmt: skip


def test_a_field_with_two_values_is_none_that_counts() -> None:
    found = frontmatter.salvage("valid_to: 2030-01-01\nvalid_to: 2020-01-01\nstatus: released\nstatus: draft\n")
    assert found == {"valid_to": "2030-01-01/2020-01-01", "status": "released/draft"}
    with pytest.raises(ValueError, match="/"):
        frontmatter.as_date(found["valid_to"])


@pytest.mark.parametrize("yaml", ["title: Q&A for *all* crops", "title: R&D *new*", "note: 5 * 3 & more"])
def test_an_ampersand_and_a_star_in_words_are_no_alias(yaml: str) -> None:
    assert parse(yaml)


def test_a_colon_inside_a_list_item_is_text() -> None:
    assert parse("tags: [10:00, https://example.org]") == {"tags": ["10:00", "https://example.org"]}


def test_a_rule_in_the_body_is_not_front_matter() -> None:
    text = "---\ntitle: A\n---\n\nOne\n\n---\n\nowner: nobody\n\n---\n"
    parts = split(text)
    assert parts.yaml == "title: A\n"
    assert parts.body_line == 4
    assert parts.body == "\nOne\n\n---\n\nowner: nobody\n\n---\n"


def test_prose_between_two_rules_is_prose() -> None:
    text = "---\nJust a line of text\n---\nmore"
    assert split(text) == frontmatter.Split(None, text, 1)


@pytest.mark.parametrize(
    "text", ["", "# Title only\n", "no front matter", "\n---\ntitle: x\n---\n", "----\ntitle: x\n"]
)
def test_text_without_front_matter_is_all_body(text: str) -> None:
    assert split(text) == frontmatter.Split(None, text, 1)


def test_front_matter_may_be_longer_than_two_kilobytes() -> None:
    yaml = "title: A\n" + "".join(f"field_{n}: {'value ' * 10}\n" for n in range(200))
    assert len(yaml) > 10_000
    assert len(parse(split(f"---\n{yaml}---\nbody").yaml or "")) == 201


def test_front_matter_longer_than_any_person_writes_is_refused() -> None:
    with pytest.raises(FrontMatterError) as caught:
        parse("title: " + "x" * frontmatter.MAX_CHARACTERS)
    assert caught.value.reason == "fm_too_long"


def test_other_shapes() -> None:
    assert parse("") == {}
    assert parse("# only a comment\n") == {}
    assert parse("title:\n") == {"title": ""}
    assert parse("a: {b: [c, {d: e}]}") == {"a": {"b": ["c", {"d": "e"}]}}
    for yaml in ("- a\n- b\n", "just text"):
        with pytest.raises(FrontMatterError) as caught:
            parse(yaml)
        assert caught.value.reason == "fm_not_mapping"


def test_crlf_and_dots_close_front_matter() -> None:
    assert split("---\ntitle: A\n...\nbody").yaml == "title: A\n"


@given(st.text(max_size=300))
def test_no_text_falls_over(text: str) -> None:
    for yaml in (text, f"a: {text}", f"a:\n  {text}"):
        try:
            parse(yaml)
        except FrontMatterError as error:
            assert error.line >= 1
            assert error.reason in CATALOGS["en"]


@given(st.text(max_size=200))
def test_body_and_front_matter_together_are_the_file(text: str) -> None:
    try:
        parts = split(f"---\ntitle: x\n---\n{text}")
    except FrontMatterError:
        return
    assert parts.body == text
    assert parts.body_line == 4


@pytest.mark.parametrize(
    ("value", "expected"),
    [("a, b", ["a", "b"]), ("大豆、玉米；水稻", ["大豆", "玉米", "水稻"]), (["a", " b ", ""], ["a", "b"]), ("", []),
     (None, []), ({"a": "b"}, [])],
)  # fmt: skip
def test_lists_may_be_written_as_text(value: frontmatter.Value | None, expected: list[str]) -> None:
    assert frontmatter.as_list(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2026-11-29", datetime.date(2026, 11, 29)), ("2026-11-29T10:00:00", datetime.date(2026, 11, 29)), ("", None),
     (None, None)],
)  # fmt: skip
def test_dates(value: str | None, expected: datetime.date | None) -> None:
    assert frontmatter.as_date(value) == expected


@pytest.mark.parametrize("value", [
    "2026-02-30", "29.11.2026", "soon", "2026-13-01", "2026-1-5", "2026-12-301", "2026-12-30x", "2026-W50-1",
    "２０２６-１２-３０", "0000-00-00", "2026-12-30, 2027-12-30", {"a": "2026-12-30"}, {},
])  # fmt: skip
def test_an_impossible_date_is_an_error(value: frontmatter.Value) -> None:
    with pytest.raises(ValueError, match=r".+"):
        frontmatter.as_date(value)


def test_half_a_surrogate_is_replaced() -> None:
    assert parse('tags: [pH:5]\ntitle: "\\ud800x"')["title"] == "?x"
