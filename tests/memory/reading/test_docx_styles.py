"""kb.memory.reading.docx_styles: what a paragraph's style says."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx_writer import Docx, paragraph, run
from lxml import etree

from kb.memory.reading.docx_package import W, open_package
from kb.memory.reading.docx_styles import TITLE, Styles, is_on
from kb.memory.reading.limits import Limits


@pytest.mark.parametrize(("style", "level"), [("H2", 2), ("T", TITLE), ("", 0), ("unknown", 0)])
def test_levels_of_headings(tmp_path: Path, style: str, level: int) -> None:
    document = Docx(body=[paragraph(run("x"), style)])
    (tmp_path / "a.docx").write_bytes(document.data())
    package = open_package(tmp_path / "a.docx", Limits())
    styles = Styles.load(package)
    root = package.tree(package.main)
    assert root is not None
    found = next(root.iter(f"{W}p"))
    assert styles.of(found).level == level
    package.close()


@pytest.mark.parametrize(("value", "on"), [(None, True), ("0", False), ("false", False), ("1", True)])
def test_toggles(value: str | None, on: bool) -> None:
    element = etree.Element(f"{W}b")
    if value is not None:
        element.set(f"{W}val", value)
    assert is_on(element) == on
    assert not is_on(None)
