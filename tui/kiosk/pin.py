"""The door to maintenance: a PIN by keyboard or by touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from kb.kiosk.pin import MOST_DIGITS, Pin, Tried, Verdict
from tui.screens.base import AlmanacScreen
from tui.widgets.bars import HeaderBar, Hint, KeyLine, Rule
from tui.words import Words

_PAD = ("123", "456", "789", "<0>")
_CELL = 9


@dataclass
class PinTried(Message):
    """What became of a try."""

    tried: Tried


class Keypad(Widget):
    """Twelve fields to touch; `<` erases, `>` opens."""

    class Pressed(Message):
        """A field was touched."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def render(self) -> Content:
        """Four rows, as high as there is room."""
        high = max(1, self.size.height // len(_PAD))
        words: Words = self.app.words  # type: ignore[attr-defined]
        named = {"<": words("key_erase"), ">": words("key_ok")}
        rows: list[str] = []
        for keys in _PAD:
            cells = "".join(_centred(named.get(key, key)) for key in keys)
            rows += [" " * len(cells)] * ((high - 1) // 2) + [cells] + [" " * len(cells)] * (high // 2)
        return Content.styled("\n".join(rows), "bold")

    async def on_click(self, event: events.Click) -> None:
        """The field under the pointer."""
        event.stop()
        high = max(1, self.size.height // len(_PAD))
        row, column = event.y // high, event.x // _CELL
        if 0 <= row < len(_PAD) and 0 <= column < 3:
            self.post_message(self.Pressed(_PAD[row][column]))


def _centred(label: str) -> str:
    from rich.cells import cell_len

    spare = max(0, _CELL - cell_len(label))
    return " " * (spare // 2) + label + " " * (spare - spare // 2)


class PinScreen(AlmanacScreen):
    """Digits, Enter; wrong ones slow down. Without a PIN it says how to set one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "erase", show=False),
        Binding("enter", "try", show=False),
    ]

    def __init__(self, pin: Pin) -> None:
        super().__init__()
        self._pin = pin
        self._typed = ""
        self._checking = False
        self._wrong = False

    def compose(self) -> ComposeResult:
        """Title, what was typed, what is to be said, fields to touch, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        with Vertical(id="door"):
            yield Static("", id="typed", markup=False)
            yield Static("", id="told", markup=False)
            yield Keypad(id="keypad")
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Count the wait down."""
        self.set_interval(1.0, self.refresh_texts)

    def relabel(self) -> None:
        """How many digits, never which."""
        if not self.is_mounted:
            return
        words, unset = self.words, not self._pin.is_set
        self.query_one("#header", HeaderBar).show([words("pin")], [])
        on, off = ("*", "_") if words.plain else ("■", "□")
        signs = " ".join(on * len(self._typed) + off * max(0, 4 - len(self._typed)))
        typed = self.query_one("#typed", Static)
        typed.update(Content.styled(f"{words('pin_ask')}  {signs}", "bold"))
        typed.display = self.query_one(Keypad).display = not unset
        self.query_one("#told", Static).update(self._said(unset))
        self.query_one(Keypad).refresh()
        super().relabel()

    def _said(self, unset: bool) -> Content:
        words, wait = self.words, self._pin.wait_s
        if unset:
            return Content.assemble(words("pin_unset"), "\n\n", ("almanac kiosk pin", "bold"))
        if wait > 0:
            return Content.styled(words("pin_wait", seconds=int(wait) + 1), "$warning")
        if self._checking:
            return Content(words("pin_checking"))
        return Content.styled(words("pin_wrong") if self._wrong else "", "$warning")

    def hints(self) -> list[Hint]:
        """Open, erase, back."""
        words = self.words
        back = Hint("Esc", words("key_back"), "screen.back", kept=True)
        if not self._pin.is_set:
            return [back]
        return [Hint("Enter", words("key_ok"), "screen.try"), Hint("⌫", words("key_erase"), "screen.erase"), back]

    def on_key(self, event: events.Key) -> None:
        """Digits."""
        if event.character and event.character in "0123456789":
            event.stop()
            self._press(event.character)

    @on(Keypad.Pressed)
    def pressed(self, event: Keypad.Pressed) -> None:
        """A field was touched."""
        event.stop()
        self._press(event.key)

    def _press(self, key: str) -> None:
        if key == "<":
            self.action_erase()
        elif key == ">":
            self.action_try()
        elif not self._checking and len(self._typed) < MOST_DIGITS:
            self._typed += key
            self._wrong = False
            self.refresh_texts()

    def action_erase(self) -> None:
        """Take the last digit back."""
        if not self._checking:
            self._typed = self._typed[:-1]
            self.refresh_texts()

    def action_try(self) -> None:
        """Compare, beside the interface: the hash is slow."""
        if self._checking or not self._typed or not self._pin.is_set or self._pin.wait_s > 0:
            return
        typed, self._typed, self._checking = self._typed, "", True
        self.in_background(lambda: self._check(typed), "pin")
        self.refresh_texts()

    def _check(self, typed: str) -> None:
        """Called in a thread."""
        self.post_message(PinTried(self._pin.check(typed)))

    @on(PinTried)
    def tried(self, event: PinTried) -> None:
        """In, or not."""
        event.stop()
        self._checking = False
        self._wrong = event.tried.verdict is Verdict.WRONG
        if event.tried.verdict is Verdict.RIGHT:
            from tui.kiosk.maintenance import MaintenanceScreen

            self.app.switch_screen(MaintenanceScreen())
        else:
            self.refresh_texts()

    def show_trouble(self, error: BaseException) -> None:
        """Not compared, so not in."""
        self._checking = False
        super().show_trouble(error)
        self.refresh_texts()
