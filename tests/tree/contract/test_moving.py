"""kb.tree.contract.moving: links follow, and an interrupted move is finished without loss."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import KnowledgeError
from kb.tree.contract.files import DiskFiles
from kb.tree.contract.links import find_links
from kb.tree.contract.moving import JOURNAL, Moves, execute, resume, rewritten
from kb.tree.contract.targets import joined
from tests.helpers import run_in_child, write

OLD, NEW = "大豆/生长阶段.md", "agriculture/crop/soybean/growth_stage_2024_v1.md"
MOVES = Moves(
    {OLD: NEW},
    {"大豆/图/苗 1.png": "agriculture/crop/soybean/images/seedling_2024.png"},
    {"大豆/图/shared_2024.png": "agriculture/crop/soybean/images/shared_2024.png"},
)


@pytest.fixture
def root(empty_tree: Path) -> Path:
    """A document with images and links, and others that name it in every way."""
    write(
        empty_tree, OLD,
        "---\r\ntitle: 大豆\r\nreferences:\r\n  - {id: 大豆/生长阶段.md, type: document, title: x}\r\n---\r\n"
        "![苗](<图/苗 1.png>) ![共](图/shared_2024.png) [稻](../agriculture/crop/rice/x_2024.md#a)  \r\n",
    )  # fmt: skip
    write(empty_tree, "大豆/图/苗 1.png", b"\0picture")
    write(empty_tree, "大豆/图/shared_2024.png", b"\0shared")
    write(
        empty_tree, "agriculture/crop/rice/x_2024.md",
        "---\nreferences:\n  - {id: 大豆/生长阶段.md, type: document, title: x}\n---\n"
        "[豆](../../../大豆/生长阶段.md#播种) [[生长阶段]] [[大豆/生长阶段|豆]] [r]\n\n[r]: ../../../大豆/生长阶段.md\n"
        "`[豆](../../../大豆/生长阶段.md)` ![共](../../../大豆/图/shared_2024.png)\n",
    )  # fmt: skip
    write(
        empty_tree,
        "_index.yaml",
        "files:\n  - file: 大豆/生长阶段.md  # mine\n    summary: kept by hand\n    keywords: []\n",
    )
    write(empty_tree, "unrelated_2024.md", "# 大豆/生长阶段.md is only text here\n")
    return empty_tree


def _state(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_links_images_references_and_index_follow(root: Path) -> None:
    done = execute(root, MOVES)
    assert not (root / OLD).exists()
    head, body = (root / NEW).read_bytes().decode().split("\r\n---\r\n")
    assert head == f"---\r\ntitle: 大豆\r\nreferences:\r\n  - {{id: {NEW}, type: document, title: x}}"
    assert body == "![苗](images/seedling_2024.png) ![共](images/shared_2024.png) [稻](../rice/x_2024.md#a)  \r\n"
    other = (root / "agriculture/crop/rice/x_2024.md").read_text("utf-8")
    assert "[豆](../soybean/growth_stage_2024_v1.md#播种)" in other
    assert "[[growth_stage_2024_v1|生长阶段]]" in other
    assert "[[agriculture/crop/soybean/growth_stage_2024_v1|豆]]" in other
    assert "[r]: ../soybean/growth_stage_2024_v1.md" in other
    assert "`[豆](../../../大豆/生长阶段.md)`" in other
    assert "![共](../../../大豆/图/shared_2024.png)" in other
    assert "id: agriculture/crop/soybean/growth_stage_2024_v1.md" in other
    assert f"file: {NEW}  # mine\n    summary: kept by hand" in (root / "_index.yaml").read_text("utf-8")
    assert (root / "agriculture/crop/soybean/images/seedling_2024.png").read_bytes() == b"\0picture"
    assert not (root / "大豆/图/苗 1.png").exists()
    assert (root / "大豆/图/shared_2024.png").read_bytes() == b"\0shared"
    assert done.rewritten == ("agriculture/crop/rice/x_2024.md", "_index.yaml")
    assert {OLD, NEW, "_index.yaml"} <= set(done.paths)
    assert not (root / JOURNAL).exists()
    assert resume(root) is None


@pytest.mark.parametrize(
    ("written_as", "to"),
    [
        (OLD, NEW),
        ("大豆/生长阶段", NEW.removesuffix(".md")),
        ("../../../大豆/生长阶段.md", "../soybean/growth_stage_2024_v1.md"),
        ("../../../大豆/生长阶段", "../soybean/growth_stage_2024_v1"),
        ("大豆/生长阶段2.md", "大豆/生长阶段2.md"),
        ("生长阶段", "生长阶段"),
    ],
)
def test_references_follow_however_they_name_a_document(written_as: str, to: str) -> None:
    text = (
        "---\ntitle: 见 大豆/生长阶段\nreferences:\n  - id: {0}\n    type: document\n    title: 大豆/生长阶段 说明\n"
        "  - {{id: '{0}', type: document, title: 稻 大豆/生长阶段}}\nsupersedes: {0}\n---\n# 大豆/生长阶段\n"
    )
    path = "agriculture/crop/rice/x_2024.md"
    changed = rewritten(path, text.format(written_as).encode(), path, MOVES.documents).decode()
    assert changed == text.format(to)


def test_the_front_matter_of_a_moved_document_is_repaired_and_of_no_other() -> None:
    text = (
        "---\r\ntitle: 大豆\r\nkeywords: 追肥、钾肥  # 主\r\nstatus: 已发布\r\ndate_updated: 2024/3/1\r\n---\r\n"
        "正文、不变\r\n"
    )
    expected = (
        "---\r\ntitle: 大豆\r\nkeywords: [追肥, 钾肥]  # 主\r\nstatus: released\r\ndate_updated: 2024-03-01\r\n---\r\n"
        "正文、不变\r\n"
    )
    assert rewritten(OLD, text.encode(), NEW, MOVES.documents).decode() == expected
    assert rewritten(OLD, text.encode("gb18030"), NEW, MOVES.documents).decode() == expected
    assert rewritten(NEW, text.encode(), NEW, MOVES.documents).decode() == text


def test_every_link_leads_somewhere_afterwards(root: Path) -> None:
    execute(root, MOVES)
    for path in DiskFiles(root).documents():
        for link in find_links((root / path).read_text("utf-8")):
            if link.kind.value != "wiki":
                assert (root / (joined(path, link.target) or "")).is_file(), (path, link.target)


def test_a_folder_that_held_nothing_else_goes(root: Path) -> None:
    execute(root, Moves({OLD: NEW}, {**MOVES.images, **MOVES.copies}))
    assert not (root / "大豆").exists()
    assert (root / "agriculture/crop/soybean/images").is_dir()


@pytest.mark.parametrize(
    ("moves", "key"),
    [
        (Moves({OLD: "unrelated_2024.md"}), "name_taken"),
        (Moves({"none.md": "x_2024.md"}), "no_such_document"),
        (Moves({"../outside.md": "x_2024.md"}), "path_outside"),
    ],
)
def test_a_move_that_cannot_be_made_changes_nothing(root: Path, moves: Moves, key: str) -> None:
    before = _state(root)
    with pytest.raises(KnowledgeError) as caught:
        execute(root, moves)
    assert caught.value.key == key
    assert _state(root) == before


def test_an_unreadable_document_is_not_moved(root: Path) -> None:
    write(root, OLD, bytes(range(128, 256)) * 3)
    before = _state(root)
    with pytest.raises(KnowledgeError):
        execute(root, MOVES)
    assert _state(root) == before


def test_a_damaged_journal_is_named_and_does_nothing(root: Path) -> None:
    for text in ("{", "[]", '{"documents": {"a": "../x"}, "images": {}, "copies": {}}'):
        write(root, JOURNAL, text)
        before = _state(root)
        with pytest.raises(KnowledgeError) as caught:
            resume(root)
        assert caught.value.key == "journal_damaged"
        assert _state(root) == before


@pytest.mark.parametrize("edited", [OLD, NEW])
def test_what_a_person_changed_after_an_interruption_is_not_overwritten(
    root: Path, tmp_path: Path, edited: str
) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(root, whole)
    execute(whole, MOVES)
    shutil.copytree(whole / "agriculture/crop/soybean", root / "agriculture/crop/soybean")
    write(root, JOURNAL, json.dumps({"documents": MOVES.documents, "images": MOVES.images, "copies": MOVES.copies}))
    with (root / edited).open("a", encoding="utf-8") as file:
        file.write("added by hand\n")
    with pytest.raises(KnowledgeError) as caught:
        resume(root)
    assert caught.value.key == "move_conflict"
    assert (root / edited).read_text("utf-8").endswith("added by hand\n")
    (root / (NEW if edited == OLD else OLD)).unlink()
    resume(root)
    assert (root / NEW).read_text("utf-8").endswith("added by hand\n")
    assert not (root / OLD).exists()


def _dying(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Let the process end, as `kill -9` would, at the `at`-th step that touches the disk."""
    steps = 0

    def counted(name: str, owner: object) -> None:
        real = getattr(owner, name)

        def step(*arguments: object, **named: object) -> object:
            nonlocal steps
            steps += 1
            if steps == at:
                os._exit(9)
            return real(*arguments, **named)

        monkeypatch.setattr(owner, name, step)

    counted("write_bytes", fsio)
    counted("write_text", fsio)
    counted("make_folder", fsio)
    counted("unlink", Path)
    counted("rmdir", Path)


def test_killed_at_any_step_nothing_is_lost_and_it_can_be_finished(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(root, whole)
    execute(whole, MOVES)
    wanted = _state(whole)
    killed = 0
    for at in range(1, 60):
        copy = tmp_path / f"killed{at}"
        shutil.copytree(root, copy)

        def work(copy: Path = copy, at: int = at) -> None:
            _dying(monkeypatch, at)
            execute(copy, MOVES)

        _, status = os.waitpid(run_in_child(work), 0)
        finished = os.waitstatus_to_exitcode(status) == 0
        # At every moment each text is there under one name or both.
        assert (copy / OLD).exists() or (copy / NEW).exists()
        assert (copy / "大豆/图/苗 1.png").exists() or (copy / MOVES.images["大豆/图/苗 1.png"]).exists()
        if not finished:
            killed += 1
            if resume(copy) is None:
                execute(copy, MOVES) if (copy / OLD).exists() else None
        assert {path: data for path, data in _state(copy).items() if ".almanac-tmp-" not in path} == wanted, at
        if finished:
            break
    assert killed > 8


def test_rewriting_nothing_changes_no_byte() -> None:
    data = "\ufeff# x\r\n[a](b.md) \r".encode()
    assert rewritten("x.md", data, "x.md", {"c.md": "d.md"}) == data


def test_another_encoding_is_only_stored_otherwise_when_a_link_changes() -> None:
    data = ("大豆播种深度为三到五厘米，覆土要均匀，播后及时镇压保墒。\n" * 3 + "[a](c.md)\n").encode("gb18030")
    assert rewritten("x.md", data, "x.md", {}) == data
    assert "[a](d.md)" in rewritten("x.md", data, "x.md", {"c.md": "d.md"}).decode("utf-8")
