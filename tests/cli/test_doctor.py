"""kb.cli.doctor: what is wrong, and for each its remedy."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from kb import paths
from tests.conftest import CommandLine
from tests.helpers import Program, git, write


def _findings(cli: CommandLine, *arguments: str) -> dict[str, dict[str, str]]:
    done = cli("doctor", "--json", *arguments)
    found = json.loads(done.out)
    assert found["schema"] == 1
    return {line["label"]: line for line in found["findings"]}


def test_missing_models_have_a_remedy(cli: CommandLine, tree: Path, own_home: Path) -> None:
    found = _findings(cli, "--knowledge", str(tree))
    assert found["doctor_answer_model"]["remedy"]
    assert str(own_home) in found["doctor_home"]["value"]
    assert "(10)" in found["doctor_knowledge"]["value"]
    assert found["doctor_knowledge"]["remedy"] == ""
    done = cli("doctor", "--knowledge", str(tree))
    assert done.code == 5
    assert "->" in done.out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--memory", "400"), {"doctor_use_model": "off (needs", "doctor_use_vectors": "on (needs"}),
        (("--profile", "old-laptop"), {"doctor_use_model": "off (as asked for)", "doctor_device": "1000 MB are used"}),
        (("--memory", "400", "--profile", "full", "--threads", "2"), {"doctor_use_threads": "2 (as asked for)"}),
        (
            ("--no-vectors", "--context", "1024"),
            {"doctor_use_vectors": "off (as", "doctor_use_context": "1024 tokens (as"},
        ),
    ],
)
def test_what_is_used_of_the_device_is_said_with_the_reason(
    real_program: Program, flags: tuple[str, ...], said: dict[str, str]
) -> None:
    done = real_program("doctor", "--json", *flags, timeout=120)
    found = {line["label"]: line["value"] for line in json.loads(done.out)["findings"]}
    for label, part in said.items():
        assert part in found[label]
    assert done.code == 0


def test_data_that_another_user_owns_is_named(
    cli: CommandLine, tree: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = write(own_home, "almanac/people/answers.db", "")
    answers.chmod(0o444)
    # The tests may run as root, who can write everything.
    monkeypatch.setattr(os, "access", lambda path, mode: bool(Path(path).stat().st_mode & 0o200))
    found = _findings(cli, "--knowledge", str(tree))
    assert found["doctor_people"]["value"] == str(answers)
    assert "Cannot write" in found["doctor_people"]["remedy"]
    answers.chmod(0o644)
    assert "doctor_people" not in _findings(cli, "--knowledge", str(tree))


def test_broken_documents_are_listed(cli: CommandLine, tree: Path) -> None:
    write(tree, "bad.md", "---\ntitle: a\ntitle: b\n---\nx")
    found = _findings(cli, "--knowledge", str(tree))
    assert found["doctor_document"]["value"] == "bad.md:3"
    assert "twice" in found["doctor_document"]["remedy"]


def test_an_empty_folder_is_named(cli: CommandLine, empty_tree: Path) -> None:
    assert "holds no Markdown" in _findings(cli, "--knowledge", str(empty_tree))["doctor_knowledge"]["remedy"]


@pytest.mark.parametrize(("kind", "said"), [("linux", "Linux console"), ("xterm", "")])
def test_the_linux_console_lacks_chinese(
    cli: CommandLine, tree: Path, monkeypatch: pytest.MonkeyPatch, kind: str, said: str
) -> None:
    monkeypatch.setenv("TERM", kind)
    assert said in _findings(cli, "--knowledge", str(tree))["doctor_terminal"]["remedy"]


def test_a_whole_copy_is_well(real_program: Program) -> None:
    done = real_program("doctor", "--json", timeout=120)
    found = json.loads(done.out)["findings"]
    assert [line for line in found if line["remedy"]] == []
    (vectors,) = (line["value"] for line in found if line["label"] == "doctor_vectors")
    assert vectors.startswith("0/") and "almanac index" in vectors
    assert done.code == 0
    said = real_program("doctor", "--lang", "zh", timeout=120).out
    assert "线程 " in said and said.count("就绪") == 3
    assert "ready" not in said and "threads" not in said


def test_damage_is_named_with_the_backup_that_mends_it(cli: CommandLine, tree: Path, own_home: Path) -> None:
    git(tree, "init", "--quiet", "-b", "main")
    git(tree, "add", "-A")
    git(tree, "commit", "--quiet", "-m", "docs(x): all")
    found = _findings(cli, "--knowledge", str(tree))
    assert "almanac backup" in found["doctor_backup"]["value"] and "doctor_damage" not in found
    assert cli("backup", "--knowledge", str(tree)).code == 0
    (tree / ".git" / "HEAD").write_bytes(b"")
    found = _findings(cli, "--knowledge", str(tree))
    made = next((own_home / "almanac" / "backups").glob("kb-*.bundle"))
    assert found["doctor_backup"]["value"] == str(made)
    assert str(tree) in found["doctor_damage"]["value"]
    assert found["doctor_damage"]["remedy"] == f"almanac restore {made}"


def test_a_damaged_dictionary_is_said_and_questions_are_answered(
    cli: CommandLine, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = tmp_path / "words.tsv"
    words.write_bytes(b"tow\t\xe6\x92\xad\n")
    damaged = paths.dictionary_file(words, hashlib.sha256(b"sow\t\xe6\x92\xad\n").hexdigest())
    monkeypatch.setattr(paths, "find_assets", lambda home, report=None: paths.Assets(dictionary=damaged))
    line = _findings(cli, "--knowledge", str(tree))["doctor_dictionary"]
    assert "words.tsv" in line["value"] and "failed" in line["value"]
    assert "Copy the program again" in line["remedy"]
    asked = cli("ask", "大豆播种深度是多少", "--knowledge", str(tree))
    assert asked.code == 0 and "3-5厘米" in asked.out
    assert "words.tsv is damaged" in asked.out
