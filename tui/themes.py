"""The colour themes: light for sunlight, dark, large for the kiosk, and plain: the terminal's own, ASCII signs."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from rich.console import ConsoleDimensions
from textual.theme import Theme

LIGHT, DARK, PLAIN, LARGE = "light", "dark", "plain", "large"
ORDER = (DARK, LIGHT, PLAIN, LARGE)
_PLAIN_TERMINALS = ("linux", "dumb", "vt100", "vt102", "vt220", "ansi", "unknown")

DEFAULTS = {"muted": "#9aa5a0", "mark": "#3a3f1e", "hairline": "#33403a", "chosen": "#24332b"}

_DARK = Theme(
    name=DARK,
    primary="#8fd19e",
    secondary="#9cc4d8",
    accent="#f0c674",
    warning="#f0b35a",
    error="#f08a7c",
    success="#8fd19e",
    foreground="#e8ebe6",
    background="#101513",
    surface="#101513",
    panel="#1a211e",
    dark=True,
    variables={
        **DEFAULTS,
        "input-cursor-background": "#8fd19e",
        "input-cursor-foreground": "#101513",
        "scrollbar": "#2b3631",
        "scrollbar-hover": "#3d4d45",
        "scrollbar-active": "#8fd19e",
        "scrollbar-background": "#101513",
        "scrollbar-background-hover": "#101513",
        "scrollbar-background-active": "#101513",
    },
)
_LIGHT = Theme(
    name=LIGHT,
    primary="#00582a",
    secondary="#003f6b",
    accent="#8a4b00",
    warning="#8f3d00",
    error="#a11212",
    success="#00582a",
    foreground="#000000",
    background="#ffffff",
    surface="#ffffff",
    panel="#eef1ec",
    dark=False,
    variables={
        "muted": "#404a45",
        "mark": "#fff0a8",
        "hairline": "#9aa8a0",
        "chosen": "#dcebdf",
        "input-cursor-background": "#00582a",
        "input-cursor-foreground": "#ffffff",
        "scrollbar": "#b9c4bd",
        "scrollbar-hover": "#8d9c93",
        "scrollbar-active": "#00582a",
        "scrollbar-background": "#ffffff",
        "scrollbar-background-hover": "#ffffff",
        "scrollbar-background-active": "#ffffff",
    },
)
# Black, white and a yellow that every terminal has, also one of sixteen colours: read from two steps away.
_LARGE = Theme(
    name=LARGE,
    primary="#ffd75f",
    secondary="#87d7ff",
    accent="#ffd75f",
    warning="#ffaf00",
    error="#ff8787",
    success="#87ff87",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    variables={
        "muted": "#d0d0d0",
        "mark": "#3a3a00",
        "hairline": "#6c6c6c",
        "chosen": "#005f87",
        "input-cursor-background": "#ffd75f",
        "input-cursor-foreground": "#000000",
        "scrollbar": "#808080",
        "scrollbar-hover": "#a0a0a0",
        "scrollbar-active": "#ffd75f",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
    },
)
_NONE = "ansi_default"
_PLAIN = Theme(
    name=PLAIN,
    ansi=True,
    primary=_NONE,
    secondary=_NONE,
    accent=_NONE,
    warning=_NONE,
    error=_NONE,
    success=_NONE,
    foreground=_NONE,
    background=_NONE,
    surface=_NONE,
    panel=_NONE,
    boost=_NONE,
    dark=True,
    variables={
        "muted": _NONE,
        "mark": _NONE,
        "hairline": _NONE,
        "chosen": _NONE,
        "ansi-background": _NONE,
        "ansi-foreground": _NONE,
        "border": _NONE,
        "border-blurred": _NONE,
        "block-cursor-foreground": _NONE,
        "block-cursor-background": _NONE,
        "input-cursor-background": _NONE,
        "input-cursor-foreground": _NONE,
        "input-selection-background": _NONE,
        "input-selection-foreground": _NONE,
        "screen-selection-background": _NONE,
        "screen-selection-foreground": _NONE,
        "scrollbar": _NONE,
        "scrollbar-hover": _NONE,
        "scrollbar-active": _NONE,
        "scrollbar-background": _NONE,
        "scrollbar-background-hover": _NONE,
        "scrollbar-background-active": _NONE,
    },
)
THEMES = (_DARK, _LIGHT, _LARGE, _PLAIN)


def suited(environment: Mapping[str, str]) -> str:
    """The theme for a terminal: plain where colours or box characters are unwanted or missing."""
    if environment.get("NO_COLOR") or environment.get("TERM", "") in _PLAIN_TERMINALS:
        return PLAIN
    return DARK


def for_kiosk(environment: Mapping[str, str]) -> str:
    """The theme of a kiosk: as large as a terminal can be, plain where its characters or colours are missing."""
    return PLAIN if suited(environment) == PLAIN else LARGE


def following(theme: str) -> str:
    """The theme after this one."""
    return ORDER[(ORDER.index(theme) + 1) % len(ORDER)] if theme in ORDER else DARK


def terminal_size() -> ConsoleDimensions:
    """The size that Textual's driver sees.

    Rich takes 80x25 for a dumb terminal whatever its size, and Textual would go on for ever between the two.
    """
    return ConsoleDimensions(*shutil.get_terminal_size())
