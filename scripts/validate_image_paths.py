#!/usr/bin/env python3
"""Check images and links of knowledge documents: `validate_image_paths.py [--root DIR] FILE...`.

Exit code 1 when there are errors. Thin: the rules are those of `almanac check` (kb/tree/contract/);
`.pre-commit-hooks.yaml` offers the same to pre-commit.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kb.cli.validate import image_paths

if __name__ == "__main__":
    sys.exit(image_paths())
