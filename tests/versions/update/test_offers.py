"""kb.versions.update.offers: what vouches for a file, and how much a trial forgives."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from kb.errors import AlmanacError
from kb.versions.update import medium
from kb.versions.update.offers import Age, Found, Kind, Offer, Trial, vouched
from kb.versions.update.signature import read_key, trust
from tests.helpers import DATA

MADE = DATA / "update"


def _file(folder: Path, *, digest: bool, signature: bool) -> tuple[Path, medium.Digests]:
    path = folder / "message.txt"
    path.write_bytes((MADE / "message.txt").read_bytes())
    if signature:
        path.with_name("message.txt.minisig").write_bytes((MADE / "message.txt.minisig").read_bytes())
    if digest:
        path.with_name("message.txt.sha256").write_text(hashlib.sha256(path.read_bytes()).hexdigest())
    return path, medium.read(path)


def test_a_digest_is_enough_where_no_key_is_kept(tmp_path: Path) -> None:
    assert vouched(tmp_path / "home", *_file(tmp_path, digest=True, signature=False)) is None


def test_a_signature_needs_no_digest_but_one_that_is_there_must_fit(tmp_path: Path) -> None:
    trust(tmp_path / "home", read_key(MADE / "owner.pub"))
    path, digests = _file(tmp_path, digest=False, signature=True)
    found = vouched(tmp_path / "home", path, digests)
    assert found is not None and found.comment == "almanac kb-1.2.0"
    path.with_name("message.txt.sha256").write_text("0" * 64)
    with pytest.raises(AlmanacError) as caught:
        vouched(tmp_path / "home", path, digests)
    assert caught.value.key == "update_digest"


def test_nothing_beside_it_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(AlmanacError) as caught:
        vouched(tmp_path / "home", *_file(tmp_path, digest=False, signature=False))
    assert caught.value.key == "update_no_digest"


def test_a_good_digest_does_not_outweigh_a_bad_signature(tmp_path: Path) -> None:
    """Somebody changed the file and recomputed the digest."""
    trust(tmp_path / "home", read_key(MADE / "owner.pub"))
    path, _ = _file(tmp_path, digest=False, signature=True)
    path.write_bytes(path.read_bytes().replace(b"45-60", b"95-60"))
    path.with_name("message.txt.sha256").write_text(hashlib.sha256(path.read_bytes()).hexdigest())
    with pytest.raises(AlmanacError) as caught:
        vouched(tmp_path / "home", path, medium.read(path))
    assert caught.value.key == "update_signature_wrong"


@pytest.mark.parametrize(("asked", "lost", "passed"), [(10, 0, True), (10, 1, True), (10, 2, False), (0, 0, True),
                                                       (9, 1, False), (100, 10, True)])  # fmt: skip
def test_one_question_in_ten_may_be_lost(asked: int, lost: int, passed: bool) -> None:
    assert Trial(asked, tuple("abcdefghij"[:lost])).passed is passed
    assert Trial(asked, (), tuple("abcdefghij"[:lost])).passed is passed


def test_only_newer_offers_are_newer(tmp_path: Path) -> None:
    offers = [Offer(Kind.KNOWLEDGE, tmp_path, "", 1, f"{age}", "", age) for age in Age]
    found = Found((tmp_path,), tuple(offers))
    assert [offer.version for offer in found.newer] == ["newer"]
    assert offers[0].changed_numbers == 0
