"""kb.cli.search: search, show, lookup, history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.helpers import document, git, has_git, write

PUMP = "machinery/pump/fault_codes_2025_v1.md"


def test_results_say_title_place_and_version(cli: CommandLine, tree: Path) -> None:
    done = cli("search", "水泵", "E-07", "--knowledge", str(tree))
    assert done.code == 0
    first = done.out.split("\n")
    assert first[0].startswith("1. 水泵故障代码")
    assert f"{PUMP}:" in first[1]
    assert "1.10" in first[1]
    assert "text " in cli("search", "--explain", "E-07", "--knowledge", str(tree)).out


def test_nothing_found_is_3(cli: CommandLine, tree: Path) -> None:
    done = cli("search", "qqqqzzzz", "--knowledge", str(tree))
    assert (done.code, done.out) == (3, "Nothing found.\n")


def test_all_dates_shows_the_others_marked(cli: CommandLine, tree: Path) -> None:
    def ask(words: str) -> str:
        return cli("search", "--all-dates", words, "--knowledge", str(tree)).out

    assert "expired 2020-12-31" in ask("蓝铜霉素")
    assert "valid from 2199-01-01" in ask("quokka")
    assert "draft" in ask("浸种催芽")


def test_only_a_part_of_the_tree(cli: CommandLine, tree: Path) -> None:
    def paths(*flags: str) -> list[str]:
        done = cli("search", "--json", "水泵 故障 maize sowing 大豆", *flags, "--knowledge", str(tree))
        return [item["path"] for item in json.loads(done.out)["results"]]

    assert {path.split("/")[0] for path in paths("--domain", "machinery")} == {"machinery"}
    assert all("_en_" in path for path in paths("--doc-lang", "en"))
    assert paths("--type", "error_definition") in ([], ["interfaces/payment-gateway/_errors.md"])
    assert cli("search", "x", "--doc-lang", "fr", "--knowledge", str(tree)).code == 2


def test_a_number_that_is_asked_for_is_read_out(cli: CommandLine, tree: Path) -> None:
    assert "value: 3-5厘米" in cli("search", "大豆播种深度是多少", "--knowledge", str(tree)).out


@pytest.mark.parametrize("query", ["(a+)+$", "[", "*", "path:(a+)+$", '"', "a" * 5000 + "!"])
def test_a_pattern_is_text(cli: CommandLine, tree: Path, query: str) -> None:
    """No regular expression of a person is ever run."""
    assert cli("search", query, "--knowledge", str(tree)).code in (0, 3)


def test_the_row_that_was_looked_for_is_shown_below_its_header(cli: CommandLine, tree: Path) -> None:
    rows = "\n".join(f"| 地块{number:02d} | {number + 100} kg |" for number in range(1, 61))
    write(tree, "crops/kiwi.md", document("猕猴桃", f"各地块用量：\n\n| 地块 | 用量 |\n|---|---|\n{rows}"))
    assert "| 地块 | 用量 | | 地块55 | 155 kg |" in cli("search", "猕猴桃地块55", "--knowledge", str(tree)).out


def test_top_limits(cli: CommandLine, tree: Path) -> None:
    done = cli("search", "--json", "--top", "2", "大豆 水泵 maize 药剂 超时", "--knowledge", str(tree))
    found = json.loads(done.out)
    assert len(found["results"]) == 2
    assert found["schema"] == 1
    assert set(found["results"][0]) == {
        "path",
        "title",
        "heading",
        "lines",
        "confidence",
        "voices",
        "version",
        "status",
        "valid_from",
        "valid_to",
        "value",
        "passage",
        "text",
    }


def test_show_prints_the_file(cli: CommandLine, tree: Path) -> None:
    done = cli("show", PUMP, "--knowledge", str(tree))
    assert done.out.rstrip("\n") == (tree / PUMP).read_text().rstrip("\n")


def test_show_for_programs(cli: CommandLine, tree: Path) -> None:
    shown = json.loads(cli("show", PUMP, "--json", "--knowledge", str(tree)).out)
    assert (shown["schema"], shown["path"], shown["version"]) == (1, PUMP, "1.10")
    assert shown["text"] == (tree / PUMP).read_text("utf-8")


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "none.md", "machinery", "x" * 400, "link.md"])
def test_show_stays_inside(cli: CommandLine, tree: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.md").write_text("secret words")
    (tree / "link.md").symlink_to(tmp_path / "secret.md")
    done = cli("show", path, "--knowledge", str(tree))
    assert done.code == 4
    assert "secret words" not in done.out
    assert path[:20] in done.err
    assert done.clean


def test_lookup_is_the_tools_answer(cli: CommandLine, tree: Path) -> None:
    done = cli("lookup", "ERR_TIMEOUT", "--knowledge", str(tree))
    assert done.code == 0
    assert json.loads(done.out)["source"] == "interfaces/payment-gateway/_errors.md"
    missing = cli("lookup", "未知错误码XYZ", "--knowledge", str(tree))
    assert missing.code == 3
    assert json.loads(missing.out) == {"found": False, "content": "", "source": ""}


@pytest.mark.skipif(not has_git(), reason="there is no git program on this machine")
def test_history_prints_plain_names(cli: CommandLine, tree: Path) -> None:
    (tree / "大豆 新.md").write_text("x")
    git(tree, "init", "--quiet")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "-m", "加入\x1b[31m文档")
    done = cli("history", "大豆 新.md", "--knowledge", str(tree))
    assert done.code == 0
    assert "    A 大豆 新.md" in done.out
    assert "\x1b" not in done.out
    found = json.loads(cli("history", "--json", "--knowledge", str(tree)).out)
    assert set(found[0]) == {"commit", "date", "author", "summary", "files"}
    unknown = cli("history", "none.md", "--knowledge", str(tree))
    assert unknown.code == 3 and "none.md" in unknown.out
    assert cli("history", "none.md", "--json", "--knowledge", str(tree)).out == "[]\n"
    for path in ("../x", ["--", "--output=/tmp/x"][1]):
        done = cli("history", "--knowledge", str(tree), "--", path)
        assert done.clean
        assert "大豆" not in done.out


def test_no_history_is_a_sentence(cli: CommandLine, tree: Path) -> None:
    done = cli("history", "--knowledge", str(tree))
    assert done.code == 4
    assert "almanac kb init" in done.err
