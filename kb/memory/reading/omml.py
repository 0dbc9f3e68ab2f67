"""Word's formulas (OMML) as LaTeX, as far as Almanac's documents use it."""

from __future__ import annotations

from collections.abc import Iterable

from kb.memory.reading.docx_package import Element, M

_SIGNS = {"∑": r"\sum", "∫": r"\int", "∏": r"\prod", "±": r"\pm", "×": r"\times", "÷": r"\div", "≤": r"\le",
          "≥": r"\ge",
          "≠": r"\ne", "∞": r"\infty", "→": r"\to", "·": r"\cdot", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma",
          "π": r"\pi", "θ": r"\theta", "λ": r"\lambda", "μ": r"\mu", "σ": r"\sigma", "Δ": r"\Delta", "ρ": r"\rho",
          "η": r"\eta", "ω": r"\omega", "Ω": r"\Omega", "φ": r"\varphi", "≈": r"\approx", "∂": r"\partial"}  # fmt: skip
_ACCENTS = {"\u0302": r"\hat", "\u0304": r"\bar", "\u0305": r"\overline", "\u0307": r"\dot", "\u20d7": r"\vec",
            "\u0303": r"\tilde"}  # fmt: skip
_FUNCTIONS = {"sin", "cos", "tan", "log", "ln", "lim", "exp", "max", "min", "cot", "sec"}
_DEEPEST = 60


def latex(formula: Element) -> str:
    """The formula in LaTeX without dollar signs; '' for an empty one."""
    return " ".join(_all(formula, 0).split())


def _all(parent: Iterable[Element] | None, depth: int) -> str:
    if parent is None or depth > _DEEPEST:
        return ""
    return "".join(_one(child, depth + 1) for child in parent if isinstance(child.tag, str))


def _val(element: Element, path: str, default: str) -> str:
    found = element.find(path)
    if found is None:
        return default
    value = found.get(f"{M}val")
    return default if value is None else str(value)


def _part(element: Element, name: str, depth: int) -> str:
    return _all(element.find(f"{M}{name}"), depth).strip()


def _one(element: Element, depth: int) -> str:
    name = element.tag.rsplit("}", 1)[-1]
    if name == "r":
        return "".join(_signs(text.text or "") for text in element.iter(f"{M}t"))
    if name == "f":
        upper, lower = _part(element, "num", depth), _part(element, "den", depth)
        if _val(element, f"{M}fPr/{M}type", "bar") == "lin":
            return f"{upper}/{lower}"
        return rf"\frac{{{upper}}}{{{lower}}}"
    if name in ("sSup", "sSub", "sSubSup"):
        text = _base(_part(element, "e", depth))
        below, above = _part(element, "sub", depth), _part(element, "sup", depth)
        return text + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    if name == "rad":
        degree = _part(element, "deg", depth)
        return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e', depth)}}}"
    if name == "nary":
        sign = _val(element, f"{M}naryPr/{M}chr", "∫")
        below, above = _part(element, "sub", depth), _part(element, "sup", depth)
        limits = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
        return f"{_SIGNS.get(sign, sign)}{limits} {_part(element, 'e', depth)}"
    if name == "d":
        opened, closed = _val(element, f"{M}dPr/{M}begChr", "("), _val(element, f"{M}dPr/{M}endChr", ")")
        between = _val(element, f"{M}dPr/{M}sepChr", "|")
        inner = between.join(_all(each, depth).strip() for each in element.findall(f"{M}e"))
        return f"{_brace(opened)}{inner}{_brace(closed)}"
    if name == "func":
        called = _part(element, "fName", depth)
        return (rf"\{called}" if called in _FUNCTIONS else called) + f" {_part(element, 'e', depth)}"
    if name == "acc":
        accent = _ACCENTS.get(_val(element, f"{M}accPr/{M}chr", "\u0302"), r"\hat")
        return rf"{accent}{{{_part(element, 'e', depth)}}}"
    if name in ("limLow", "limUpp"):
        mark = "_" if name == "limLow" else "^"
        return f"{_part(element, 'e', depth)}{mark}{{{_part(element, 'lim', depth)}}}"
    if name == "m":
        rows = [
            " & ".join(_all(cell, depth).strip() for cell in row.findall(f"{M}e")) for row in element.findall(f"{M}mr")
        ]
        return r"\begin{matrix}" + r" \\ ".join(rows) + r"\end{matrix}"
    if name == "eqArr":
        return r" \\ ".join(_all(each, depth).strip() for each in element.findall(f"{M}e"))
    if name.endswith("Pr"):
        return ""
    return _all(element, depth)


def _signs(text: str) -> str:
    # U+2061..2064 are invisible operators.
    return "".join(f"{_SIGNS[char]} " if char in _SIGNS else char for char in text if not "\u2061" <= char <= "\u2064")


def _base(text: str) -> str:
    return text if len(text) == 1 or not text or text.startswith("\\") else f"{{{text}}}"


def _brace(sign: str) -> str:
    return f"\\{sign}" if sign in ("{", "}") else sign
