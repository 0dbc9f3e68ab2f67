"""Draw the pictures of the knowledge tree (docs/**/images/*.png).

Not part of the product: the PNGs are committed, this script only makes them again. It needs matplotlib,
Pillow and fonttools in a scratch environment and Noto Sans CJK (Debian package fonts-noto-cjk):

    python3 -m venv /tmp/imgvenv && /tmp/imgvenv/bin/pip install matplotlib pillow fonttools
    /tmp/imgvenv/bin/python scripts/make_images.py [part of a file name ...]

The output is deterministic: no dates, no random numbers, a fixed palette.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pictures import crops, grain, livestock, machines, pumps, service, style, water

DOCS = Path(__file__).resolve().parent.parent / "docs"
DOMAINS = (crops, grain, livestock, machines, pumps, service, water)
MAX_BYTES = 60_000


def main(wanted: list[str]) -> int:
    """Draw the pictures whose path holds one of the wanted parts (all without any); 1 if one is too big."""
    style.use_chinese_font()
    pictures = {path: draw for domain in DOMAINS for path, draw in domain.PICTURES.items()}
    too_big = 0
    for path, draw in sorted(pictures.items()):
        if wanted and not any(word in path for word in wanted):
            continue
        size = style.save(DOCS / path, draw())
        too_big += size > MAX_BYTES
        print(f"{size:7d} {path}")
    return 1 if too_big else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
