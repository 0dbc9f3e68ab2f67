"""kb.answer.place: where a unit stands."""

from __future__ import annotations

from kb.answer.asked import Asked
from kb.answer.evidence import rank
from kb.search.retriever import Retriever
from kb.search.snapshot import Filter
from tests.helpers import DAY


def test_units_know_their_place_and_what_is_said_beside_them(retriever: Retriever) -> None:
    found = retriever.find("大豆播种深度", 3, Filter(on=DAY))
    places = [item.place for item in rank(Asked.of("大豆播种深度", {"播": 0.5, "种": 0.5}), found)]
    assert {place.rank for place in places} == set(range(len(found)))
    for rank_of in range(len(found)):
        here = sorted((place for place in places if place.rank == rank_of), key=lambda place: place.position)
        assert [place.position for place in here] == list(range(len(here)))
        assert here[0].before == frozenset()
        assert here[-1].after == frozenset()
        for place in here:
            assert place.found is found[rank_of]
            assert place.beside == place.before | place.after
            assert place.under in place.heading
