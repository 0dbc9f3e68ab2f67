"""Two versions of the knowledge compared, numbers read as search reads them."""

from __future__ import annotations

from kb.search.quantities import located, quantities
from kb.versions import diff, publish
from kb.versions.diff import Difference
from kb.versions.sentences import Number
from kb.versions.source import Source


def read_numbers(text: str) -> list[Number]:
    """The numbers of a text with their units, equal ones with equal keys: `3.0 kg` and `3kg`."""
    found: list[Number] = []
    for start, end, unit in located(text):
        written = text[start:end].strip()
        values = [(quantity.values, quantity.unit, quantity.join) for quantity in quantities(written)]
        found.append(Number(written, repr(values) if values else written, unit))
    return found


def difference(source: Source, old: str, new: str) -> Difference:
    """What differs between two releases or commits, as they are named. AlmanacError when one of them is not there."""
    return diff.compare(publish.side_of(source, old), publish.side_of(source, new), read_numbers)
