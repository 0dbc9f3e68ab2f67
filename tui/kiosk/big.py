"""Big letters of half blocks: five dots high, so three rows of the terminal, or five where there is room."""

from __future__ import annotations

_HEIGHT = 5
# One string a row of dots, # is a dot.
_LETTERS = {
    "A": (" ## ", "#  #", "####", "#  #", "#  #"),
    "C": (" ###", "#   ", "#   ", "#   ", " ###"),
    "L": ("#  ", "#  ", "#  ", "#  ", "###"),
    "M": ("#   #", "## ##", "# # #", "#   #", "#   #"),
    "N": ("#  #", "## #", "# ##", "#  #", "#  #"),
}
# How wide a dot is, and how many dots lie between letters; the first that fits.
_SIZES = ((2, 2), (1, 3), (1, 2), (1, 1))
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def big(word: str, width: int, *, tall: bool = False) -> list[str]:
    """`word` in rows of equal width, as wide as `width` cells allow; letters that are not drawn are left out."""
    drawn = [_LETTERS[letter] for letter in word.upper() if letter in _LETTERS]
    narrow = sum(len(letter[0]) for letter in drawn)
    gaps = max(len(drawn) - 1, 0)
    times, gap = next(((times, gap) for times, gap in _SIZES if (narrow + gaps * gap) * times <= width), _SIZES[-1])
    dots = [(" " * gap).join(letter[row] for letter in drawn) for row in range(_HEIGHT)]
    dots = ["".join(dot * times for dot in row) for row in dots]
    dots = [row for row in dots for _ in range(2)] if tall and times > 1 else [*dots, " " * len(dots[0])]
    return [
        "".join(_HALVES[upper == "#", lower == "#"] for upper, lower in zip(above, below, strict=True))
        for above, below in zip(dots[::2], dots[1::2], strict=True)
    ]
