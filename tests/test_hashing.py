"""kb.hashing: the digests of hashlib, without what it loads."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from kb.hashing import blake2b, sha256

DATA = "大豆 soybean".encode() * 1000


def test_the_digests_are_those_of_hashlib() -> None:
    assert sha256(DATA).hexdigest() == hashlib.sha256(DATA).hexdigest()
    assert blake2b(DATA, digest_size=16).digest() == hashlib.blake2b(DATA, digest_size=16).digest()


def test_searching_loads_no_openssl() -> None:
    code = "import sys, kb.sdk, kb.search.retriever; sys.exit('_hashlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
