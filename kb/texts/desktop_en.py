"""English texts: double-click, menu entry, a second copy."""

TEXTS: dict[str, str] = {
    "window_press_key": "Almanac has ended. Press any key to close this window.",
    "window_none": "Almanac runs in a terminal window, and there is no terminal program on this computer that could "
    "open one. Install one (for example: sudo apt install xterm) and start Almanac again, or type this in a text "
    "console:\n{command}",
}
