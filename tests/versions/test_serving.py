"""kb.versions.serving: one question, one release; a switch is never felt."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError, KnowledgeError
from kb.search.retriever import Retriever
from kb.versions import releases
from kb.versions.history import STAMP_NAME, History
from kb.versions.registry import Registered, Registry
from kb.versions.serving import Serving, hold, reading, serving
from kb.versions.snapshot import read
from tests.conftest import Published
from tests.helpers import MOMENT, document, wait_for


def _boxes(kilograms: int) -> dict[str, str]:
    return {
        f"store/boxes/wombat_{number}.md": document(f"Wombat box {number}", f"The wombat box weighs {kilograms} kg.")
        for number in range(3)
    }


def test_nothing_is_served_where_nothing_is_routed(published: Published) -> None:
    assert serving(published.home) is None
    published.make()
    assert serving(published.home) is None
    with reading(published.home) as found:
        assert found is None
    assert hold(published.home)[0] is None


def test_the_version_is_that_of_the_documents(published: Published) -> None:
    made, _ = published.make()
    published.switch(made)
    found = serving(published.home, "anybody", "prod", "user", MOMENT)
    assert found is not None
    assert (found.version.tag, found.version.manifest, found.version.commit) == (made.tag, made.manifest, made.commit)
    assert found.version == History(found.root, None).version()
    assert found.index_folder.is_dir()
    assert serving(published.home, environment="test") is None


def test_agents_and_users_get_their_own(published: Published) -> None:
    first, _ = published.make(_boxes(5))
    second, _ = published.make(_boxes(6))
    published.switch(first)
    published.switch(second, agent="support")
    published.switch(second, weight=30)

    def tag(agent: str = "", user: str = "") -> str:
        found = serving(published.home, agent, "prod", user, MOMENT)
        assert found is not None
        return found.version.tag

    assert (tag(), tag("support"), tag("other")) == (first.tag, second.tag, first.tag)
    tags = [tag(user=str(number)) for number in range(40)]
    assert set(tags) == {first.tag, second.tag}
    assert tags == [tag(user=str(number)) for number in range(40)]


def test_without_its_version_nothing_is_answered(published: Published) -> None:
    made, _ = published.make()
    published.switch(made)
    stamp = releases.folder_of(published.home, made) / STAMP_NAME
    stamp.write_text(stamp.read_text().replace(made.manifest, "0" * 64))
    with pytest.raises(KnowledgeError) as caught:
        serving(published.home)
    assert caught.value.key == "release_other"
    stamp.unlink()
    with pytest.raises(KnowledgeError) as gone:
        serving(published.home)
    assert "almanac publish kb-1.0.0" in str(gone.value)


def test_a_held_release_stays_until_it_is_let_go(published: Published) -> None:
    made = [published.make(_boxes(number))[0] for number in (5, 6, 7)]
    published.switch(made[0])
    held = hold(published.home)
    assert held[0] is not None
    for release in made[1:]:
        published.switch(release)
    with Registry.open(published.home) as registry:
        assert not releases.retire(published.home, registry, made[0], "2026-06-01T08:00:00Z")
        assert held[0].root.is_dir()
        del held
        gc.collect()
        assert releases.sweep(published.home, registry) == [made[0].name]


def test_a_reader_in_a_loop_sees_no_mix_and_no_error_while_releases_switch_and_go(published: Published) -> None:
    """Every document of a release says the release's own number: an answer with another would be a mix."""
    weights = {}
    made = []
    for kilograms in (5, 6, 7):
        release, _ = published.make(_boxes(kilograms))
        made.append(release)
        weights[release.tag] = f"{kilograms} kg"
    published.switch(made[0])
    problems: list[str] = []
    seen: list[str] = []
    stop = threading.Event()

    def read_for_ever() -> None:
        try:
            while not stop.is_set():
                with reading(published.home) as found:
                    assert found is not None
                    _ask(found)
        except BaseException as error:  # noqa: BLE001  # a failure in a thread is a failure of the test
            problems.append(repr(error))

    def _ask(found: Serving) -> None:
        retriever = Retriever(found.root, found.index_folder)
        try:
            sections = retriever.find("How much does the wombat box weigh?")
            texts = [item.section.text for item in sections if item.path.startswith("store/boxes/wombat")]
            if len(texts) != 3 or any(weights[found.version.tag] not in text for text in texts):
                problems.append(f"{found.version.tag}: {texts}")
            seen.append(found.version.tag)
        finally:
            retriever.close()

    thread = threading.Thread(target=read_for_ever)
    thread.start()
    try:
        for round_ in range(50):
            before = len(seen)
            published.switch(made[round_ % 3])
            if round_ % 10 == 9:
                _retire_and_make_again(published, made, round_ % 3)
            wait_for(lambda before=before: len(seen) > before or bool(problems), "a reading")  # type: ignore[misc]
    finally:
        stop.set()
        thread.join(30)
    assert problems == []
    assert set(seen) == set(weights)


def _retire_and_make_again(published: Published, made: list[Registered], live: int) -> None:
    """The release that is neither live nor kept for a rollback goes, is built again, and may be switched to."""
    other = made[(live + 1) % 3]
    with Registry.open(published.home) as registry:
        releases.retire(published.home, registry, other, "2026-06-01T08:00:00Z")
        releases.sweep(published.home, registry)
        with releases.building(published.home), registry.writing():
            folder = releases.folder_of(published.home, other)
            if not folder.exists():
                taken = read(published.source, other.tag)
                releases.build(published.home, other, published.source, taken, published.index, ())
            registry.mark_built(other, "2026-06-01T08:00:00Z")


def test_a_home_that_cannot_be_written_still_serves(published: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = published.make()
    published.switch(made)

    def refuse(path: Path) -> int:
        raise AlmanacError("not_writable", path=path, reason="read-only")

    monkeypatch.setattr(fsio, "_lock_file", refuse)
    with reading(published.home) as found:
        assert found is not None


def test_a_switch_that_is_being_written_is_waited_for(published: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = published.make()
    published.switch(made)
    with Registry.open(published.home) as registry:
        if registry.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
            pytest.skip("with this SQLite a reader never waits for a writer")
        registry.connection.execute("BEGIN EXCLUSIVE")
        done = threading.Timer(0.2, lambda: registry.connection.execute("COMMIT"))
        done.start()
        found = serving(published.home)
        assert found is not None
        assert not registry.connection.in_transaction
        done.join()
        registry.connection.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr("kb.versions.serving._PATIENCE_S", 0.0)
        with pytest.raises(AlmanacError) as caught:
            serving(published.home)
        assert caught.value.key == "registry_unusable"
        registry.connection.execute("ROLLBACK")
