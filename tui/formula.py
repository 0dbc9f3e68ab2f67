r"""Formulas made readable: `\frac{a}{b}` as a/b, `R_5` as R₅. Digits are never changed, only placed."""

from __future__ import annotations

import re

_NAMES = """
times ×  cdot ·  div ÷  pm ±  leq ≤  le ≤  geq ≥  ge ≥  neq ≠  ne ≠  approx ≈  sum Σ
prod Π  int ∫  infty ∞  to →  rightarrow →  alpha α  beta β  gamma γ  delta δ
epsilon ε  eta η  theta θ  lambda λ  mu μ  nu ν  pi π  rho ρ  sigma σ  tau τ  phi φ
omega ω  Delta Δ  Sigma Σ  Omega Ω  circ °  degree °  prime ′  ldots …  cdots …
dots …  sqrt √  in ∈  percent %
"""
_SIGNS = dict(zip(_NAMES.split()[::2], _NAMES.split()[1::2], strict=True))
_SIGNS |= {"quad": "  ", "qquad": "  "} | {
    name: name for name in ["min", "max", "ln", "log", "exp", "sin", "cos", "tan"]
}
_SUB = dict(zip("0123456789+-=()aeoxhklmnpst", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ", strict=True))
_SUPER = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True))
_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRAC = re.compile(r"\\[dt]?frac\s*" + _GROUP + r"\s*" + _GROUP)
_WRAP = re.compile(r"\\(?:text|mathrm|mathit|mathbf|operatorname|boldsymbol)\s*" + _GROUP)
_BAR = re.compile(r"\\(bar|overline|hat|vec|dot)\s*(?:\{([^{}])\}|([A-Za-z]))")
_SQRT = re.compile(r"\\sqrt\s*" + _GROUP)
_SCRIPT = re.compile(r"([_^])(?:" + _GROUP + r"|([^\s{}\\]))")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_INLINE = re.compile(r"(?<![\\$\w])\$(?=\S)([^$\n]{1,200}?)(?<=\S)\$(?![\d$])")
_MARKS = {"bar": "\u0304", "overline": "\u0304", "hat": "\u0302", "vec": "\u20d7", "dot": "\u0307"}


def readable(source: str) -> str:
    """LaTeX `source` in one line of ordinary characters; what is not understood stays as it is."""
    text = source.replace("\\left", "").replace("\\right", "").replace("\\,", " ").replace("\\;", " ")
    text = text.replace("\\!", "").replace("\\ ", " ")
    for _ in range(6):
        before = text
        text = _WRAP.sub(r"\1", text)
        text = _FRAC.sub(lambda found: f"{_group(found[1])}/{_group(found[2])}", text)
        text = _SQRT.sub(r"√(\1)", text)
        if text == before:
            break
    text = _BAR.sub(lambda found: (found[2] or found[3]) + _MARKS[found[1]], text)
    text = _COMMAND.sub(lambda found: _SIGNS.get(found[1], found[0]), text)
    text = _SCRIPT.sub(_script, text)
    for sign in "%&#_{}$":
        text = text.replace("\\" + sign, sign)
    return re.sub(r"[ \t]*\n[ \t]*", " ", text.replace("{}", "")).strip()


def inline(text: str) -> str:
    """`text` with every `$…$` made readable; prices such as $5 are left alone."""
    return _INLINE.sub(lambda found: readable(found[1]), text)


def _group(inner: str) -> str:
    inner = inner.strip()
    return inner if re.fullmatch(r"[\w.]+|\\[A-Za-z]+", inner) else f"({inner})"


def _script(found: re.Match[str]) -> str:
    inner = (found[2] if found[2] is not None else found[3]).strip()
    table = _SUB if found[1] == "_" else _SUPER
    if inner and all(char in table for char in inner):
        return "".join(table[char] for char in inner)
    if inner in ("°", "′"):
        return inner
    return f"{found[1]}{inner}" if len(inner) == 1 else f"{found[1]}({inner})" if found[1] == "^" else f"_{inner}"
