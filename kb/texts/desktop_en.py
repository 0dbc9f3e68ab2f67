"""English texts: double-click, menu entry, a second copy."""

TEXTS: dict[str, str] = {
    "window_press_key": "Almanac has ended. Press any key to close this window.",
    "window_none": "Almanac runs in a terminal window, and there is no terminal program on this computer that could "
    "open one. Install one (for example: sudo apt install xterm) and start Almanac again, or type this in a text "
    "console:\n{command}",
    "tui_read_only": "read only",
    "tui_second_copy": "Another copy of Almanac is open: this one reads, and keeps nothing.",
    "restore_other_open": "Almanac is open on {path}. Close it, then restore: what it keeps meanwhile would be lost.",
    "cli_desktop": "put Almanac into the menu of the desktop, or take it away",
    "cli_desktop_examples": "Examples:\n  almanac desktop install --icon\n  almanac --home /media/stick/almanac-data "
    "desktop install\n  almanac desktop remove",
    "cli_desktop_install": "put it into the menu",
    "cli_desktop_remove": "take it away",
    "cli_desktop_icon": "also put an icon on the desktop, to double-click",
    "cli_desktop_all_users": "for everybody on this computer (/usr/local/share)",
    "desktop_written": "Written: {path}",
    "desktop_removed": "Removed: {path}",
    "desktop_no_home": "There is no home folder (HOME is not set).",
}
