"""kb.memory.reading.omml: Word's formulas as LaTeX."""

from __future__ import annotations

import pytest
from lxml import etree

from kb.memory.reading.omml import latex

_M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def _formula(inner: str) -> str:
    return latex(etree.fromstring(f'<m:oMath xmlns:m="{_M}">{inner}</m:oMath>'))


def _r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("inner", "written"),
    [
        (f"{_r('E=m')}<m:sSup><m:e>{_r('c')}</m:e><m:sup>{_r('2')}</m:sup></m:sSup>", "E=mc^{2}"),
        (f"<m:f><m:num>{_r('a')}</m:num><m:den>{_r('b+1')}</m:den></m:f>", r"\frac{a}{b+1}"),
        (f"<m:rad><m:deg/><m:e>{_r('x')}</m:e></m:rad>", r"\sqrt{x}"),
        (f"<m:d><m:e>{_r('x')}</m:e></m:d>", "(x)"),
        (f"<m:func><m:fName>{_r('sin')}</m:fName><m:e>{_r('x')}</m:e></m:func>", r"\sin x"),
        (_r("t≤5"), r"t\le 5"),
        ("", ""),
    ],
)
def test_constructs(inner: str, written: str) -> None:
    assert _formula(inner) == written


def test_very_deep_formulas_end() -> None:
    assert _formula("<m:box>" * 150 + _r("x") + "</m:box>" * 150) == ""
