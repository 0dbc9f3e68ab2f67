"""kb.versions.routes: who is answered from which release."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import AlmanacError
from kb.versions import routes
from kb.versions.manifest import Manifest
from kb.versions.registry import Registered, Registry
from kb.versions.routes import Actor, Environment, Route, share
from kb.versions.snapshot import Snapshot

NOW = datetime.datetime(2026, 11, 29, 8, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
PROD: tuple[str, Environment] = ("", "prod")
DESK = Actor("agronomy-desk", "because")


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    with Registry.open(tmp_path) as made:
        yield made


@pytest.fixture
def releases(registry: Registry) -> list[Registered]:
    made = []
    for number in range(3):
        tag = f"kb-1.{number}.0"
        one = Snapshot(tag, "c" * 40, str(number) * 64, Manifest(tag, f"2026-11-2{number}T08:00:00Z", ()))
        with registry.writing():
            made.append(registry.register(one, Path("/kb")))
    return made


def test_publishing_keeps_the_one_before(registry: Registry, releases: list[Registered]) -> None:
    one, two, three = releases
    assert routes.effective(registry, "", "prod").chosen("", NOW) is None
    routes.activate(registry, PROD, one, DESK, now=NOW)
    routes.activate(registry, PROD, two, DESK, now=NOW)
    found = routes.route(registry, *PROD)
    assert (found.current, found.previous) == (two.id, one.id)
    assert routes.activate(registry, PROD, two, DESK, now=NOW) == found
    routes.activate(registry, PROD, three, DESK, now=NOW)
    assert routes.used(registry) == {two.id, three.id}
    assert [(line.old, line.new, line.who, line.why) for line in registry.switches(1)] == [
        (two.name, three.name, "agronomy-desk", "because")
    ]


def test_back_and_forth_again(registry: Registry, releases: list[Registered]) -> None:
    one, two, three = releases
    with pytest.raises(AlmanacError) as caught:
        routes.roll_back(registry, PROD, DESK, now=NOW)
    assert caught.value.key == "route_no_previous"
    routes.activate(registry, PROD, one, DESK, now=NOW)
    routes.activate(registry, PROD, two, DESK, now=NOW)
    assert routes.fallback(routes.route(registry, *PROD), NOW) == one.id
    assert routes.roll_back(registry, PROD, DESK, now=NOW).current == one.id
    assert routes.roll_back(registry, PROD, DESK, now=NOW).current == two.id
    found = routes.roll_back(registry, PROD, DESK, now=NOW, to=three)
    assert (found.current, found.previous) == (three.id, two.id)
    assert len(registry.switches()) == 5


def test_a_gradual_release(registry: Registry, releases: list[Registered]) -> None:
    one, two, _ = releases
    with pytest.raises(AlmanacError) as caught:
        routes.activate(registry, PROD, one, DESK, now=NOW, weight=20)
    assert caught.value.key == "route_first_is_whole"
    assert registry.switches() == []
    routes.activate(registry, PROD, one, DESK, now=NOW)
    routes.activate(registry, PROD, two, DESK, now=NOW, weight=20)
    users = [f"user-{number}" for number in range(1000)]
    first = {user for user in users if routes.route(registry, *PROD).chosen(user, NOW) == two.id}
    assert 150 < len(first) < 250
    routes.activate(registry, PROD, two, DESK, now=NOW, weight=50)
    second = {user for user in users if routes.route(registry, *PROD).chosen(user, NOW) == two.id}
    assert first < second
    assert routes.route(registry, *PROD).chosen("", NOW) == one.id
    assert routes.roll_back(registry, PROD, DESK, now=NOW) == Route(*PROD, current=one.id)
    routes.activate(registry, PROD, two, DESK, now=NOW, weight=1)
    done = routes.complete(registry, PROD, DESK, now=NOW)
    assert done == Route(*PROD, current=two.id, previous=one.id)
    assert routes.complete(registry, PROD, DESK, now=NOW) is None


def test_a_dated_release_comes_by_itself(registry: Registry, releases: list[Registered]) -> None:
    one, two, three = releases
    routes.activate(registry, PROD, one, DESK, now=NOW)
    routes.activate(registry, PROD, two, DESK, now=NOW, starts=NOW + HOUR)
    found = routes.route(registry, *PROD)
    assert [found.chosen("", NOW + late * HOUR) for late in (0, 1, 2)] == [one.id, two.id, two.id]
    assert routes.fallback(found, NOW) is None
    assert routes.fallback(found, NOW + HOUR) == one.id
    after = routes.activate(registry, PROD, three, DESK, now=NOW + 2 * HOUR)
    assert (after.current, after.previous) == (three.id, two.id)
    routes.activate(registry, PROD, one, DESK, now=NOW, starts=NOW - HOUR)
    assert routes.route(registry, *PROD).current == one.id


def test_an_agents_own_route_goes_before_everybodys(registry: Registry, releases: list[Registered]) -> None:
    one, two, three = releases
    routes.activate(registry, PROD, one, DESK, now=NOW)
    routes.activate(registry, ("support", "prod"), two, DESK, now=NOW)
    routes.activate(registry, ("", "test"), three, DESK, now=NOW)

    def chosen(agent: str, environment: Environment) -> int | None:
        return routes.effective(registry, agent, environment).chosen("", NOW)

    assert (chosen("support", "prod"), chosen("other", "prod"), chosen("support", "test")) == (two.id, one.id, three.id)
    assert chosen("support", "dev") is None
    assert [(route.agent, route.environment) for route in routes.all_routes(registry)] == [
        ("", "prod"), ("", "test"), ("support", "prod"),
    ]  # fmt: skip
    routes.drop(registry, ("support", "prod"), DESK, now=NOW)
    assert chosen("support", "prod") == one.id


def test_a_trial_for_one_agent_leaves_the_others_where_they_are(registry: Registry, releases: list[Registered]) -> None:
    one, two, three = releases
    support: tuple[str, Environment] = ("support", "prod")
    with pytest.raises(AlmanacError):
        routes.activate(registry, support, two, DESK, now=NOW, weight=30)
    routes.activate(registry, PROD, one, DESK, now=NOW)
    routes.activate(registry, support, two, DESK, now=NOW, weight=30)

    def chosen(user: str = "", late: int = 0) -> int | None:
        return routes.answering(registry, "support", "prod", user, NOW + late * HOUR)

    assert {chosen(f"user-{number}") for number in range(50)} == {one.id, two.id}
    assert chosen() == one.id
    routes.activate(registry, PROD, three, DESK, now=NOW)
    assert chosen() == three.id
    assert routes.fallback(routes.route(registry, *support), NOW) is None
    assert routes.roll_back(registry, support, DESK, now=NOW) == Route(*support)
    routes.activate(registry, support, two, DESK, now=NOW, starts=NOW + HOUR)
    assert (chosen(), chosen(late=1)) == (three.id, two.id)


@given(st.text(), st.integers(1, 99), st.integers(1, 99))
def test_a_user_of_a_smaller_share_is_in_every_larger_one(user: str, small: int, large: int) -> None:
    made = Route("", "prod", current=1, next=2, weight=min(small, large), starts="")
    assert 0 <= share("r", user) < 100
    if made.chosen(user, NOW) == 2:
        assert replace(made, weight=max(small, large)).chosen(user, NOW) == 2
        assert replace(made, weight=100).chosen(user, NOW) == 2
