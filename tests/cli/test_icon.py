"""kb.cli.icon: the committed pictures are drawn from it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from kb.cli.icon import SVG
from tests.helpers import PROJECT

FOLDER = PROJECT / "deploy" / "desktop"


def test_the_drawing_is_whole_and_committed() -> None:
    assert ET.fromstring(SVG).get("viewBox") == "0 0 256 256"
    assert (FOLDER / "almanac.svg").read_text("utf-8") == SVG


@pytest.mark.parametrize("size", [32, 48, 64, 128, 256])
def test_the_pictures_have_their_sizes_and_show_it(size: int) -> None:
    with Image.open(FOLDER / f"almanac-{size}.png") as picture:
        assert picture.size == (size, size)
        assert len(picture.convert("RGBA").getcolors(size * size) or []) > 4
