"""Make documents with known truth: PDF and DOCX in the layouts that reading has to master, Chinese and English.

    python scripts/make_manuals.py build/manuals

Beside each document `NAME.json` holds what is in it: `order` (texts in reading order), `absent` (what must not be in
the text), `headings` ([level, text]), `tables` (rows of cells), `footnotes`, `comments`, `facts` (subject, attribute,
value, page). All devices, parties and numbers are samples made up for this purpose.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from manual_docx import docx_contract, docx_lists, docx_merged, docx_notes, docx_revisions
from manual_pdf import (
    contract,
    footnotes,
    long_table,
    manual_conditions,
    merged_cells,
    sideways,
    three_lines,
    two_columns,
    two_columns_table,
)
from manual_words import Truth

Maker = Callable[[str, int], tuple[bytes, Truth]]
MAKERS: dict[str, tuple[str, Maker]] = {
    "manual_conditions": ("pdf", manual_conditions),
    "two_columns": ("pdf", two_columns),
    "two_columns_table": ("pdf", two_columns_table),
    "long_table": ("pdf", long_table),
    "long_table_plain": ("pdf", lambda lang, index: long_table(lang, index, "none")),
    "three_lines": ("pdf", three_lines),
    "merged_cells": ("pdf", merged_cells),
    "footnotes": ("pdf", footnotes),
    "contract_v1": ("pdf", contract),
    "contract_v2": ("pdf", lambda lang, index: contract(lang, index, 2)),
    "sideways": ("pdf", sideways),
    "lists": ("docx", docx_lists),
    "merged": ("docx", docx_merged),
    "notes": ("docx", docx_notes),
    "revisions": ("docx", docx_revisions),
    "contract_word_v1": ("docx", docx_contract),
    "contract_word_v2": ("docx", lambda lang, index: docx_contract(lang, index, 2)),
}


def make(folder: Path) -> list[Path]:
    """Write all documents with their truth into `folder`; returns the documents."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for number, (name, (suffix, maker)) in enumerate(MAKERS.items()):
        for lang in ("zh", "en"):
            # Both versions of a contract are about the same device.
            data, truth = maker(lang, 0 if "contract" in name else number)
            path = folder / f"{name}_{lang}.{suffix}"
            path.write_bytes(data)
            path.with_suffix(f".{suffix}.json").write_text(
                json.dumps(vars(truth), ensure_ascii=False, indent=1), "utf-8"
            )
            made.append(path)
    return made


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    made = make(parser.parse_args().folder)
    print(f"{len(made)} documents")


if __name__ == "__main__":
    main()
