"""One spelling for many: full width, traditional characters, case, formulas and units.

Only the index and the question are normalised; what is shown is always the document's own text.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from importlib import resources

_FORMULA = re.compile(r"\$\$?([^$\0]{1,400})\$\$?")
_COMMAND = re.compile(r"\\(?:mathrm|text|mathbf|mathit|operatorname|ce)(?![A-Za-z])\s*")
_SPACE = re.compile(r"\\[,;:! ]|~")
_WITHOUT_SIGNS = str.maketrans("", "", "{}_^")
_NAMED = {
    r"\cdot": "·",
    r"\times": "×",
    r"\sim": "~",
    r"\pm": "±",
    r"\degree": "°",
    r"\circ": "°",
    r"\mu": "μ",
    r"\%": "%",
    r"\le": "≤",
    r"\ge": "≥",
}
# mg·L⁻¹, mg L^-1, kg·hm^{-2} -> mg/L, kg/hm2: an inverse power of a unit is a division.
_INVERSE = re.compile(
    r"([A-Za-zμµ%]{1,12})[ \t]{0,3}[·∙⋅.* ][ \t]{0,3}([A-Za-z]{1,4})(?:⁻|\^\s*\{?\s*[-−]\s*)([1-3¹²³])\}?"
)
_FORMULA_OR_UNIT = re.compile(f"{_FORMULA.pattern}|{_INVERSE.pattern}")
_SUPER = {"¹": "", "1": "", "²": "2", "³": "3"}


# What a reader of the rendered page does not see: link targets, addresses, HTML marks.
_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)")
_ADDRESS = re.compile(r"<?https?://[^\s<>()（）\u3000-\u9fff]+>?")
_MARK = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<!--.{0,2000}?-->", re.DOTALL)


def rendered(text: str) -> str:
    """The words of Markdown that a reader sees: without link targets, addresses and HTML marks.

    Links to other pages would otherwise make a page look as if it were about them.
    """
    if "](" in text:
        text = _TARGET.sub("]", text)
    if "://" in text:
        text = _ADDRESS.sub(" ", text)
    if "<" in text:
        text = _MARK.sub(" ", text)
    return text


@functools.cache
def simplified() -> dict[int, str]:
    """Traditional -> simplified, one character each, from OpenCC's TSCharacters table (Apache-2.0)."""
    table = (resources.files("opencc") / "dictionary" / "TSCharacters.txt").read_text("utf-8")
    pairs: dict[int, str] = {}
    for line in table.splitlines():
        traditional, _, simplified = line.partition("\t")
        if len(traditional) == 1 and simplified:
            pairs[ord(traditional)] = simplified.split(" ")[0]
    # A few go on: what the table gives is itself traditional there.
    return {char: pairs.get(ord(found), found) if len(found) == 1 else found for char, found in pairs.items()}


def may_hold_formula(text: str) -> bool:
    """Whether `plain_formulas` could change anything."""
    return "$" in text or "⁻" in text or "^" in text


def plain_formulas(text: str) -> str:
    """LaTeX and inverse units as people type them: `$R_5$` -> `R5`, `mg·L⁻¹` -> `mg/L`."""
    if "$" in text:
        text = _FORMULA.sub(lambda found: f" {_plain_latex(found[1])} ", text)
    if "⁻" in text or "^" in text:
        text = _INVERSE.sub(lambda found: f"{found[1]}/{found[2]}{_SUPER.get(found[3], found[3])}", text)
    return text


def formulas(text: str) -> Iterator[tuple[int, int, str]]:
    """Where `plain_formulas` changes `text`, in order: start, end, and what stands there instead."""
    if not may_hold_formula(text):
        return
    for found in _FORMULA_OR_UNIT.finditer(text):
        yield found.start(), found.end(), plain_formulas(found[0])


def _plain_latex(latex: str) -> str:
    latex = _SPACE.sub(" ", _COMMAND.sub("", latex))
    for command, character in _NAMED.items():
        latex = latex.replace(command, character)
    latex = _INVERSE.sub(lambda found: f"{found[1]}/{found[2]}{_SUPER.get(found[3], found[3])}", latex)
    return latex.translate(_WITHOUT_SIGNS).replace("\\", " ")


def normalise(text: str) -> str:
    """`text` as the index sees it: formulas plain, compatibility forms folded, simplified, lower case.

    Applying it again changes nothing (folding can bring a plain `$` or `^` to light, hence the second look).
    """
    if text.isascii():
        return plain_formulas(plain_formulas(text)).lower()
    folded = unicodedata.normalize("NFKC", plain_formulas(plain_formulas(text)))
    return unicodedata.normalize("NFKC", plain_formulas(folded).translate(simplified()).lower())
