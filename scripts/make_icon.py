"""Draw deploy/desktop/almanac.svg and its PNGs from kb/cli/icon.py.

Not part of the product: the pictures are committed, this script only makes them again. It needs `rsvg-convert` (Debian
package librsvg2-bin).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from kb.cli.icon import SVG  # noqa: E402

FOLDER = PROJECT / "deploy" / "desktop"
SIZES = (32, 48, 64, 128, 256)


def main() -> None:
    """Write all of them."""
    drawn = FOLDER / "almanac.svg"
    drawn.write_text(SVG, "utf-8")
    for size in SIZES:
        target = FOLDER / f"almanac-{size}.png"
        subprocess.run(["rsvg-convert", "-w", str(size), "-h", str(size), "-o", target, drawn], check=True)


if __name__ == "__main__":
    main()
