"""kb.cli.index: prepare search, write `_index.yaml`, name what is wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.conftest import CommandLine
from tests.helpers import DATA, write


def test_counts_are_said(cli: CommandLine, tree: Path) -> None:
    assert cli("index", "--knowledge", str(tree)).out.startswith("10 documents, ")
    found = json.loads(cli("index", "--json", "--knowledge", str(tree)).out)
    assert (found["schema"], found["documents"], found["changed"]) == (1, 10, 0)


def test_every_broken_document_is_named_with_line_and_reason(cli: CommandLine, empty_tree: Path) -> None:
    for path in (DATA / "broken").iterdir():
        shutil.copy(path, empty_tree)
    write(empty_tree, "bytes.md", bytes(range(128, 256)) * 4)
    for _ in range(2):
        done = cli("index", "--knowledge", str(empty_tree))
        assert done.code == 0
        for path in empty_tree.iterdir():
            assert f"{path.name}:" in done.out
        assert "duplicate_key.md:4: the field title is there twice" in done.out
        assert "full_width_colon.md:3: a full-width colon" in done.out
        assert "fm_" not in done.out
    chinese = cli("index", "--lang", "zh", "--knowledge", str(empty_tree))
    assert "字段 title 重复" in chinese.out


def test_writing_says_what_it_did(cli: CommandLine, tree: Path) -> None:
    done = cli("index", "--write", "--knowledge", str(tree))
    assert "10 entries (8 new, 2 kept, 0 removed)" in done.out
    again = json.loads(cli("index", "--write", "--json", "--knowledge", str(tree)).out)
    assert again["index_file"] == {"total": 10, "added": 0, "kept": 10, "removed": 0}


def test_without_write_the_tree_is_not_touched(cli: CommandLine, tree: Path) -> None:
    before = (tree / "_index.yaml").read_bytes()
    cli("index", "--knowledge", str(tree))
    assert (tree / "_index.yaml").read_bytes() == before


def test_a_damaged_index_is_made_anew_and_that_is_said(cli: CommandLine, tree: Path, own_home: Path) -> None:
    assert "made anew" not in cli("index", "--knowledge", str(tree)).out
    (database,) = own_home.rglob("index.db")
    database.write_bytes(b"something else" * 500)
    done = cli("index", "--knowledge", str(tree))
    assert "damaged or of another version; it was made anew" in done.out
    assert "10 documents, " in done.out
    assert "made anew" not in cli("index", "--knowledge", str(tree)).out
