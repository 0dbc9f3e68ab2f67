"""Signatures in minisign's format, verified with the owner's public keys that lie in the home folder.

Format: https://jedisct1.github.io/minisign/ (Ed25519 over the BLAKE2b-512 of the file; a second signature covers the
first one and the trusted comment). Keys come from the owner, by `trust`; never from the medium that is being checked.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from pathlib import Path

from kb import fsio
from kb.errors import AlmanacError, ExitCode, KnowledgeError

SUFFIX = ".minisig"
MOST_BYTES = 8192
_KEY_SUFFIX = ".pub"
_PLAIN, _PREHASHED = b"Ed", b"ED"
_ID, _KEY, _SIGNATURE = 8, 32, 64
_UNTRUSTED, _TRUSTED = "untrusted comment:", "trusted comment: "


@dataclass(frozen=True, slots=True)
class PublicKey:
    """An owner's key: `id` as minisign writes it (16 hexadecimal digits), `raw` its 32 bytes."""

    id: str
    raw: bytes

    @property
    def line(self) -> str:
        """The key as minisign writes it, to be compared with what the owner says."""
        number = int(self.id, 16).to_bytes(_ID, "little")
        return base64.b64encode(_PLAIN + number + self.raw).decode()


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature of the key `key_id`; `comment` is the trusted comment, which `whole` covers too."""

    key_id: str
    raw: bytes
    comment: str
    whole: bytes


def keys_folder(home: Path) -> Path:
    """Where the owner's public keys lie."""
    return home / "update-keys"


def parse_key(text: str) -> PublicKey:
    """A public key, from minisign's file or its second line alone. ValueError when it is none."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(_UNTRUSTED)]
    if len(lines) != 1:
        raise ValueError("not one key")
    algorithm, number, raw = _fields(lines[0], _KEY)
    if algorithm != _PLAIN:
        raise ValueError("not an Ed25519 key")
    return PublicKey(number, raw)


def parse_signature(text: str) -> Signature:
    """The content of a `.minisig` file. ValueError when it is none, or of the old kind that is not hashed first."""
    lines = text.splitlines()
    if len(lines) < 4 or not lines[0].startswith(_UNTRUSTED) or not lines[2].startswith(_TRUSTED):
        raise ValueError("not a minisign signature")
    algorithm, number, raw = _fields(lines[1].strip(), _SIGNATURE)
    if algorithm != _PREHASHED:
        raise ValueError("made without hashing the file first (minisign -H)")
    whole = _decoded(lines[3].strip())
    if len(whole) != _SIGNATURE:
        raise ValueError("cut short")
    return Signature(number, raw, lines[2].removeprefix(_TRUSTED), whole)


def _fields(line: str, size: int) -> tuple[bytes, str, bytes]:
    """Algorithm, id and the `size` bytes after them."""
    data = _decoded(line)
    if len(data) != len(_PLAIN) + _ID + size:
        raise ValueError("wrong length")
    return data[:2], f"{int.from_bytes(data[2 : 2 + _ID], 'little'):016X}", data[2 + _ID :]


def _decoded(line: str) -> bytes:
    try:
        return base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64") from error


def verifies(key: PublicKey, signature: Signature, blake2b: bytes) -> bool:
    """Whether `key` made the signature of the file whose BLAKE2b-512 is `blake2b`, its comment included."""
    # Loaded only here: no verb but an update with a signature needs it.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public = Ed25519PublicKey.from_public_bytes(key.raw)
    try:
        public.verify(signature.raw, blake2b)
        public.verify(signature.whole, signature.raw + signature.comment.encode("utf-8", "surrogateescape"))
    except InvalidSignature:
        return False
    return True


def keys(home: Path) -> list[PublicKey]:
    """The keys that are trusted here, by id. AlmanacError when one cannot be read: then nothing may be taken."""
    folder = keys_folder(home)
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == _KEY_SUFFIX)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise AlmanacError("update_key_unreadable", path=folder, reason=error.strerror or str(error)) from error
    return [read_key(path) for path in files]


def read_key(path: Path) -> PublicKey:
    """The public key in a file. AlmanacError when it cannot be read or is none."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise AlmanacError("update_key_unreadable", path=path, reason=error.strerror or str(error)) from error
    try:
        return parse_key(text)
    except ValueError as error:
        raise AlmanacError("update_key_unreadable", path=path, reason=str(error)) from error


def trust(home: Path, key: PublicKey) -> bool:
    """Keep a key; False when it was there. From then on nothing is taken that no kept key has signed."""
    path = keys_folder(home) / f"{key.id}{_KEY_SUFFIX}"
    if key in keys(home):
        return False
    fsio.write_text(path, f"{_UNTRUSTED} minisign public key {key.id}\n{key.line}\n")
    return True


def distrust(home: Path, key_id: str) -> None:
    """Forget a key. AlmanacError when there is none of this id."""
    wanted = key_id.strip().upper()
    known = [key.id for key in keys(home)]
    if wanted not in known:
        raise AlmanacError("update_key_unknown", ExitCode.USAGE, name=key_id, known=", ".join(known) or "-")
    fsio.remove_file(keys_folder(home) / f"{wanted}{_KEY_SUFFIX}")


def check(home: Path, file: Path, written: str | None, blake2b: bytes) -> Signature | None:
    """Hold a file to its signature (`written`: the content of its .minisig, None without); what signed it.

    KnowledgeError when one is present and does not verify with a kept key, or when a key is kept and none is present.
    """
    known = keys(home)
    if written is None:
        if known:
            raise KnowledgeError("update_unsigned", path=file, keys=", ".join(key.id for key in known))
        return None
    try:
        signature = parse_signature(written)
    except ValueError as error:
        raise KnowledgeError("update_signature_damaged", path=file, reason=str(error)) from error
    by_id = [key for key in known if key.id == signature.key_id]
    if not by_id:
        raise KnowledgeError("update_signer_unknown", path=file, signer=signature.key_id)
    if not any(verifies(key, signature, blake2b) for key in by_id):
        raise KnowledgeError("update_signature_wrong", path=file, signer=signature.key_id)
    return signature
