"""kb.cli.choosing: what a command line reads, and what people keep."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from kb.cli.choosing import Asker, Chosen, choose
from kb.cli.parser import parse
from kb.config import Tree
from kb.errors import AlmanacError, ExitCode, KnowledgeError
from kb.paths import Assets
from kb.versions import releases
from kb.versions.registry import Registered
from tests.conftest import Published

ANYBODY = Asker("", "prod", "")


def _words(*words: str) -> Namespace:
    return parse(list(words), "en")


def _never(chosen: Chosen) -> bool:
    raise AssertionError("nothing is to be made again")


@pytest.fixture
def packed(tmp_path: Path) -> Assets:
    """What came with the program."""
    return Assets(knowledge=tmp_path / "packed", prebuilt_index=tmp_path / "index", history_bundle=tmp_path / "history")


@pytest.fixture
def live(published: Published) -> Registered:
    """A release that answers."""
    made, _ = published.make()
    published.switch(made)
    return made


def test_a_named_folder_is_read_and_kept(live: Registered, published: Published, packed: Assets) -> None:
    for verb in ("ask", "check"):
        chosen = choose(_words("--knowledge", "/x", verb, "y"), published.home, packed, ANYBODY, _never)
        assert chosen == Chosen(Path("/x"), Tree(Path("/x")))
        assert chosen.index(packed) is None


def test_without_anything_else_what_came_with_the_program(tmp_path: Path, packed: Assets) -> None:
    for words in (("ask", "y"), ("check",)):
        chosen = choose(_words(*words), tmp_path, packed, ANYBODY, _never)
        assert (chosen.knowledge, chosen.is_packed, chosen.index(packed)) == (
            packed.knowledge,
            True,
            packed.prebuilt_index,
        )
        assert chosen.tree == Tree(tmp_path / "packed", packed.history_bundle, is_packed=True)


def test_verbs_that_answer_read_the_release_others_the_tree(
    live: Registered, published: Published, packed: Assets
) -> None:
    tree = Tree(published.source.root)
    asked = choose(_words("ask", "y"), published.home, packed, ANYBODY, _never)
    release = releases.opened(published.home, live)
    assert (asked.knowledge, asked.tree, asked.is_packed) == (release.docs, tree, False)
    assert asked.index(packed) == release.index
    kept = choose(_words("check"), published.home, packed, ANYBODY, _never)
    assert (kept.knowledge, kept.tree, kept.route) == (published.source.root, tree, None)
    own = published.home / "knowledge"
    own.mkdir()
    published.source.root.rename(published.home / "elsewhere")
    kept = choose(_words("check"), published.home, packed, ANYBODY, _never)
    assert (kept.knowledge, kept.tree) == (own, Tree(own))
    own.rmdir()
    kept = choose(_words("check"), published.home, packed, ANYBODY, _never)
    assert (kept.knowledge, kept.is_packed) == (packed.knowledge, True)
    assert kept.tree == tree, "it is said to be gone, not forgotten"


def test_a_release_that_is_gone_is_asked_for_once(live: Registered, published: Published, packed: Assets) -> None:
    folder = releases.folder_of(published.home, live)
    aside = folder.with_name("aside")
    folder.rename(aside)
    seen: list[Chosen] = []

    def mend(chosen: Chosen) -> bool:
        seen.append(chosen)
        aside.rename(folder)
        return True

    found = choose(_words("ask", "y"), published.home, packed, ANYBODY, mend)
    assert found.knowledge == folder / "docs"
    assert (seen[0].knowledge, seen[0].is_packed, seen[0].released) == (packed.knowledge, True, None)
    folder.rename(aside)
    with pytest.raises(KnowledgeError) as caught:
        choose(_words("ask", "y"), published.home, packed, ANYBODY, lambda chosen: False)
    assert caught.value.key == "release_missing"


def test_an_environment_that_there_is_not(live: Registered, published: Published, packed: Assets) -> None:
    with pytest.raises(AlmanacError) as caught:
        choose(_words("ask", "y"), published.home, packed, Asker("", "moon", ""), _never)
    assert caught.value.exit_code == ExitCode.USAGE
