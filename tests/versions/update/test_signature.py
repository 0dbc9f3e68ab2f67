"""kb.versions.update.signature: minisign's own signatures, and everything that is not quite one."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from kb import fsio
from kb.errors import AlmanacError, ExitCode
from kb.versions.update import signature
from kb.versions.update.signature import check, keys, keys_folder, parse_key, parse_signature, read_key, trust, verifies
from tests.helpers import DATA

# Made by minisign 0.11: two key pairs without password, a signature of message.txt, one in the old way (-l).
MADE = DATA / "update"
MESSAGE = (MADE / "message.txt").read_bytes()
SIGNED = (MADE / "message.txt.minisig").read_text()
DIGEST = hashlib.blake2b(MESSAGE).digest()


def _changed(line: int, place: int) -> str:
    """SIGNED with a bit of one base64 line flipped."""
    lines = SIGNED.splitlines()
    data = bytearray(base64.b64decode(lines[line]))
    data[place] ^= 1
    lines[line] = base64.b64encode(data).decode()
    return "\n".join(lines)


def test_what_minisign_signed_is_accepted(tmp_path: Path) -> None:
    owner = read_key(MADE / "owner.pub")
    assert owner.id == "5E4E8DD0E56CACEE"
    assert owner.line == "RWTurGzl0I1OXqVJWdt+8sJKkb3REmfYLokzRWyhM8Iy6vGDtKOTTKrM"
    assert trust(tmp_path, owner) and not trust(tmp_path, owner)
    assert keys(tmp_path) == [owner]
    found = check(tmp_path, Path("x"), SIGNED, DIGEST)
    assert found is not None
    assert (found.key_id, found.comment) == (owner.id, "almanac kb-1.2.0")


@pytest.mark.parametrize(
    "written",
    [
        _changed(1, 20), _changed(1, 73), _changed(3, 0), _changed(3, 63),
        SIGNED.replace("kb-1.2.0", "kb-9.9.9"), SIGNED.replace("almanac kb", "almanac  kb"),
    ],
)  # fmt: skip
def test_a_changed_signature_or_comment_is_refused(tmp_path: Path, written: str) -> None:
    trust(tmp_path, read_key(MADE / "owner.pub"))
    with pytest.raises(AlmanacError) as caught:
        check(tmp_path, Path("x"), written, DIGEST)
    assert (caught.value.key, caught.value.exit_code) == ("update_signature_wrong", ExitCode.BAD_KNOWLEDGE)


def test_other_bytes_are_refused(tmp_path: Path) -> None:
    trust(tmp_path, read_key(MADE / "owner.pub"))
    with pytest.raises(AlmanacError, match="5E4E8DD0E56CACEE"):
        check(tmp_path, Path("x"), SIGNED, hashlib.blake2b(MESSAGE + b"0").digest())


def test_another_key_of_the_same_name_is_refused(tmp_path: Path) -> None:
    other = read_key(MADE / "other.pub")
    trust(tmp_path, signature.PublicKey("5E4E8DD0E56CACEE", other.raw))
    with pytest.raises(AlmanacError) as caught:
        check(tmp_path, Path("x"), SIGNED, DIGEST)
    assert caught.value.key == "update_signature_wrong"
    assert not verifies(other, parse_signature(SIGNED), DIGEST)


@pytest.mark.parametrize(("kept", "key"), [((), "update_signer_unknown"), (("other.pub",), "update_signer_unknown")])
def test_a_signer_that_nobody_named_is_refused(tmp_path: Path, kept: tuple[str, ...], key: str) -> None:
    for name in kept:
        trust(tmp_path, read_key(MADE / name))
    with pytest.raises(AlmanacError) as caught:
        check(tmp_path, Path("x"), SIGNED, DIGEST)
    assert caught.value.key == key


def test_a_kept_key_makes_signatures_required(tmp_path: Path) -> None:
    assert check(tmp_path, Path("x"), None, DIGEST) is None
    trust(tmp_path, read_key(MADE / "owner.pub"))
    with pytest.raises(AlmanacError) as caught:
        check(tmp_path, Path("x"), None, DIGEST)
    assert caught.value.key == "update_unsigned"


@pytest.mark.parametrize(
    "written",
    [
        "", "x", SIGNED[:100], "\n".join(SIGNED.splitlines()[:3]), SIGNED.replace("trusted comment", "comment"),
        SIGNED.replace("RUT", "R*T"), SIGNED.replace("RUT", "RU"), (MADE / "legacy.minisig").read_text(),
        "\0" * 500, SIGNED.replace("Igt3", "Ig=="),
    ],
)  # fmt: skip
def test_what_is_no_signature_is_refused(tmp_path: Path, written: str) -> None:
    trust(tmp_path, read_key(MADE / "owner.pub"))
    with pytest.raises(AlmanacError) as caught:
        check(tmp_path, Path("x"), written, DIGEST)
    assert caught.value.key == "update_signature_damaged"


@pytest.mark.parametrize("text", ["", "x", "RWTu", "a\nb", "untrusted comment: only\n", SIGNED.splitlines()[1]])
def test_what_is_no_key_is_no_key(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_key(text)


def test_a_key_that_cannot_be_read_lets_nothing_in(tmp_path: Path) -> None:
    fsio.write_text(keys_folder(tmp_path) / "owner.pub", "damaged")
    for written in (None, SIGNED):
        with pytest.raises(AlmanacError) as caught:
            check(tmp_path, Path("x"), written, DIGEST)
        assert caught.value.key == "update_key_unreadable"


def test_a_key_is_forgotten_by_its_id(tmp_path: Path) -> None:
    trust(tmp_path, read_key(MADE / "owner.pub"))
    trust(tmp_path, read_key(MADE / "other.pub"))
    with pytest.raises(AlmanacError) as caught:
        signature.distrust(tmp_path, "../owner")
    assert caught.value.exit_code == ExitCode.USAGE
    signature.distrust(tmp_path, "5e4e8dd0e56cacee")
    assert keys(tmp_path) == [read_key(MADE / "other.pub")]
