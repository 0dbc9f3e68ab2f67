"""Raised and lowered characters, and those of symbol fonts, as Unicode has them."""

from __future__ import annotations

_SUPER = dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
_SUB = dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))
# Private use characters of the fonts Symbol and Wingdings (the low byte is the character's code in the font).
SYMBOLS = {
    "\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf06c": "●", "\uf06e": "■", "\uf0a8": "□",
    "\uf071": "❑", "\uf06f": "□", "\uf0fe": "☑", "\uf0fd": "☒", "\uf052": "☑", "\uf0e0": "→", "\uf0b0": "°",
    "\uf0b1": "±", "\uf0a3": "≤", "\uf0b3": "≥", "\uf06d": "μ", "\uf0b4": "×", "\uf0a5": "∞", "\uf044": "Δ",
}  # fmt: skip


def scripted(text: str, raised: int) -> str:
    """`text` as superscript (`raised` > 0) or subscript (< 0) where Unicode has every character of it."""
    table = _SUPER if raised > 0 else _SUB if raised < 0 else None
    if table is None or not all(char in table for char in text):
        return text
    return "".join(table[char] for char in text)
