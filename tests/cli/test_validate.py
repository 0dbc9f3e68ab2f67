"""kb.cli.validate: what pre-commit and CI call, from kb and from the scripts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from kb.cli.validate import front_matter, image_paths
from tests.helpers import PROJECT, write

HEAD = "---\ntitle: x\nversion: 1.0\ndate_updated: 2024-01-01\n---\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of somebody else's, its documents in docs/."""
    (tmp_path / ".git").mkdir()
    write(tmp_path, "README.md", "# no front matter")
    write(tmp_path, "docs/a/b/good_2024.md", HEAD + "![x](images/p_2024.png)")
    write(tmp_path, "docs/a/b/images/p_2024.png", "x")
    write(tmp_path, "docs/a/b/bad_2024.md", "---\ntitle: x\nkeywords: [甲、乙]\n---\n![x](images/none_2024.png)")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_good_files_pass(repository: Path) -> None:
    for check in (front_matter, image_paths):
        assert check(["README.md", "docs/a/b/good_2024.md"]) == 0


def test_bad_files_fail_with_place_and_reason(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert front_matter(["docs/a/b/bad_2024.md"]) == 1
    shown = capsys.readouterr().out
    assert "docs/a/b/bad_2024.md:3: error:" in shown
    assert "image" not in shown
    assert image_paths(["docs/a/b/bad_2024.md", "--lang", "zh"]) == 1
    assert "docs/a/b/bad_2024.md:5: 错误: 图片" in capsys.readouterr().out


def test_wrong_usage_is_2(repository: Path) -> None:
    assert front_matter(["none.md"]) == 2
    with pytest.raises(SystemExit) as ended:
        front_matter(["--wrong"])
    assert ended.value.code == 2


def test_an_id_of_another_document_is_seen(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        write(repository, f"docs/a/b/{name}_2024.md", HEAD.replace("---\ntitle", "---\nid: x\ntitle"))
    assert front_matter(["docs/a/b/one_2024.md"]) == 1
    assert "id-twice" in capsys.readouterr().out


def test_help_speaks_the_readers_language(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in (["--lang", "zh"], ["--lang=zh"]):
        with pytest.raises(SystemExit):
            image_paths([*flag, "--help"])
        assert "知识库" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("script", "code"), [("validate_front_matter.py", 1), ("validate_image_paths.py", 1)])
def test_the_scripts_stand_alone(repository: Path, script: str, code: int) -> None:
    for name, expected in (("docs/a/b/bad_2024.md", code), ("docs/a/b/good_2024.md", 0)):
        done = subprocess.run(
            [sys.executable, str(PROJECT / "scripts" / script), name], cwd=repository, capture_output=True, check=False
        )
        assert done.returncode == expected, done.stderr


def test_pre_commit_is_offered_what_the_project_installs() -> None:
    import tomllib

    hooks = YAML(typ="safe").load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    installed = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert {hook["id"] for hook in hooks} == {"validate-front-matter", "validate-image-paths"}
    for hook in hooks:
        assert hook["language"] == "python"
        module, _, name = installed[hook["entry"]].partition(":")
        assert callable(getattr(sys.modules[module], name))
