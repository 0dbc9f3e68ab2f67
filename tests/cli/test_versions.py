"""kb.cli.versions: snapshot, diff and verify on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.conftest import CommandLine
from tests.helpers import document, git, write


def test_snapshot_says_what_it_named(cli: CommandLine, repository: Path) -> None:
    where = ("--knowledge", str(repository))
    done = cli("snapshot", *where, "-m", "erste\x1b[31m")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("kb-1.0.0: 9 documents, manifest ")
    assert cli("snapshot").out.startswith("Nothing has changed since kb-1.0.0")
    write(repository, "store/新.md", document("New", "x"))
    refused = cli("snapshot", *where)
    assert refused.code == 4
    assert "store/新.md" in refused.err
    assert "--include-changes" in refused.err
    found = json.loads(cli("snapshot", *where, "--include-changes", "--bump", "major", "--json").out)
    assert (found["schema"], found["tag"], found["documents"], found["new"]) == (1, "kb-2.0.0", 10, True)
    assert cli("snapshot", *where, "--version", "2.0.0").code == 2
    assert cli("snapshot", *where, "--version", "2").code == 2
    chinese = cli("snapshot", "--lang", "zh", *where)
    assert chinese.out.startswith("自 kb-2.0.0 以来没有变化")


def test_a_place_without_repository_is_said(cli: CommandLine, tree: Path) -> None:
    for verb in (("snapshot",), ("diff", "a"), ("verify",), ("verify", "kb-1.0.0"), ("publish",)):
        done = cli(*verb, "--knowledge", str(tree))
        assert (done.code, done.clean) == (4, True), verb
        assert str(tree) in done.err


def test_diff_names_numbers_first(cli: CommandLine, repository: Path) -> None:
    where = ("--knowledge", str(repository))
    cli("snapshot", *where)
    path = repository / "agriculture/crop/soybean/growth_stage_2024_v2.md"
    path.write_text(path.read_text().replace("45-60公斤", "450-600公斤").replace("2024_v2", "2024_v3"))
    (repository / "store/boxes/contents_en_2025_v1.md").unlink()
    write(repository, "store/evil.md", document("Evil \x1b]0;x\x07", "x"))
    cli("snapshot", *where, "--include-changes")
    done = cli("diff", "1.0.0", "1.1.0", *where)
    assert done.code == 0
    assert "\x1b" not in done.out
    numbers, _, documents = done.out.partition("\n~ ")
    assert "45-60公斤 → 450-600公斤   agriculture/crop/soybean/growth_stage_2024_v2.md:24" in numbers
    assert "1 documents added, 1 removed, 1 changed, 0 moved" in numbers
    assert "version: 2024_v2 → 2024_v3" in documents
    assert "- store/boxes/contents_en_2025_v1.md" in done.out
    found = json.loads(cli("diff", "kb-1.0.0", "--json", *where).out)
    assert (found["old"], found["new"]) == ("kb-1.0.0", "HEAD")
    assert found["numbers"][0]["new"] == "450-600公斤"
    assert "hold the same" in cli("diff", "1.1.0", "main", *where).out
    for wrong in ("9.9.9", "--x", "a..b", "../x"):
        assert cli("diff", "1.0.0", wrong, *where).code in (2, 5)


def test_verify_the_tree_and_a_version(cli: CommandLine, repository: Path) -> None:
    where = ("--knowledge", str(repository))
    none = cli("verify", *where)
    assert none.code == 4
    assert "almanac snapshot" in none.err
    cli("snapshot", *where)
    assert cli("verify", *where).code == 0
    assert cli("verify", "kb-1.0.0", *where).out.startswith("kb-1.0.0: every file")
    write(repository, "taxonomy.yaml", "x: y\n")
    (repository / "store/boxes/contents_en_2025_v1.md").unlink()
    write(repository, "extra.md", "x")
    done = cli("verify", *where)
    assert done.code == 4
    assert "  - store/boxes/contents_en_2025_v1.md\n  + extra.md\n  ~ taxonomy.yaml" in done.out
    found = json.loads(cli("verify", "--json", *where).out)
    assert found["checked"][str(repository)]["changed"] == ["taxonomy.yaml"]
    assert cli("verify", "kb-3.0.0", *where).code == 2
    write(repository, "manifest.json", "{}")
    assert cli("verify", *where).code == 4


def test_a_release_is_verified_without_its_repository(cli: CommandLine, repository: Path) -> None:
    assert cli("snapshot", "--knowledge", str(repository)).code == 0
    assert cli("publish").code == 0
    git(repository, "tag", "--delete", "kb-1.0.0")
    shutil.move(repository, repository.parent / "away")
    done = cli("verify", "kb-1.0.0", "--knowledge", str(repository.parent))
    assert done.code == 0
    assert "releases/kb-1.0.0-" in done.out
