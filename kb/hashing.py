"""SHA-256 and BLAKE2b as Python brings them itself.

`hashlib` gives the same digests, but loads OpenSSL: 4 MB, more than an index that is opened. For what is small; over
hundreds of megabytes (models, archives) OpenSSL's SHA-256 is several times faster.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b, sha256
else:
    try:
        from _blake2 import blake2b

        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:  # a Python that was built without them
        from hashlib import blake2b, sha256

__all__ = ["blake2b", "sha256"]
