"""Backups with their state; bringing one back after a second yes; how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from kb.texts import text
from kb.versions.chain import Backup, State
from kb.versions.damage import Damage, Trouble
from tui import messages, work
from tui.screens.lists import ListScreen
from tui.widgets.bars import HeaderBar, KeyLine, ProgressLine, Rule
from tui.widgets.listing import Listing
from tui.words import line


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of the list: a bundle to restore, None to finish an interrupted restore; `sure` after the question."""

    source: Path | None
    sure: bool = False


class RestoreScreen(ListScreen):
    """Choose a backup, say yes once more, see it done. `damage` is why the screen opened by itself."""

    title_key = "restore"
    choose_key = "key_choose"

    def __init__(self, damage: Damage | None = None) -> None:
        super().__init__()
        self._damage = damage
        self._backups: tuple[Backup, ...] | None = None
        self._asked: Choice | None = None
        self._choices: dict[int, Choice | None] = {}

    @property
    def _restoring(self) -> bool:
        return self.almanac.recovery is not None and self.almanac.recovery.running

    @property
    def waits(self) -> bool:
        """While the backups are looked for; not for those while one is being restored."""
        return self._backups is None and not self._restoring

    def compose(self) -> ComposeResult:
        """Title, what this is about, the list, progress, keys."""
        yield HeaderBar(id="header")
        yield Rule(classes="upper")
        yield Static("", id="about", markup=False)
        yield Listing(id="list")
        yield Static("", id="empty", markup=False)
        yield ProgressLine(id="progress")
        yield Rule(classes="lower")
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Look which backups there are, and how far a running restore is."""
        runtime = self.almanac.runtime
        self.in_background(lambda: work.read_backups(runtime, self.post_message), "backups")
        self.set_interval(0.2, self._watch)

    def _watch(self) -> None:
        recovery = self.almanac.recovery
        bar = self.query_one(ProgressLine)
        was = bar.display
        bar.show(recovery.pace if recovery is not None and recovery.running else None, self.words, self.almanac.clock())
        if was and not self._restoring:
            self._asked = None
            self.relabel()

    @on(messages.BackupsRead)
    def backups_read(self, event: messages.BackupsRead) -> None:
        """Show them."""
        self._backups = event.backups
        self.relabel()

    # -- what is shown ---------------------------------------------------------------------------------------

    def relabel(self) -> None:
        """The words above the list too."""
        if self.is_mounted:
            self.query_one("#about", Static).update(self._about())
        super().relabel()
        if self.is_mounted and self.listed.display and self.focused is None:
            # It went away with the focus while the restore ran.
            self.listed.focus()

    def _about(self) -> Content:
        words, recovery = self.words, self.almanac.recovery
        if self._restoring:
            return Content(words("restore_running"))
        if recovery is not None and recovery.done is not None:
            moved = [words("restore_moved", path=str(path)) for path in recovery.done.aside]
            notes = [line(text(words.lang, key, detail=detail)) for key, detail in recovery.done.notes]
            done = words("restore_done", path=str(recovery.done.target))
            return Content("\n").join([Content.styled(done, "bold $success"), *map(Content, (*moved, *notes))])
        lines = []
        if recovery is not None and recovery.problem is not None:
            lines.append(Content.styled(f"! {words.problem(recovery.problem)}", "bold $warning"))
        elif self._damage is not None:
            said = text(words.lang, f"damage_{self._damage.what.value}", path=line(str(self._damage.path)))
            lines.append(Content.styled(f"! {line(said)}", "bold $warning"))
        if self._asked is not None:
            name = self._asked.source.name if self._asked.source else ""
            target = str(work.restore_target(self.almanac.runtime))
            lines.append(Content(words("restore_sure", name=name, path=target)))
        else:
            lines.append(Content.styled(words("restore_what"), "$muted"))
        return Content("\n").join(lines)

    def fill(self) -> None:
        """The question, or the end, or the backups."""
        self._choices = {}
        words, recovery = self.words, self.almanac.recovery
        self.say_empty("")
        if self._restoring:
            return
        if recovery is not None and recovery.done is not None:
            self._add(Content(words("restore_end")), None)
        elif self._asked is not None:
            self._add(Content(words("restore_no")), None)
            self._add(Content(words("restore_yes")), Choice(self._asked.source, sure=True))
        elif self._backups is not None:
            self._fill_backups(self._backups)

    def _fill_backups(self, backups: tuple[Backup, ...]) -> None:
        words, runtime = self.words, self.almanac.runtime
        if self._damage is not None and self._damage.what is Trouble.UNFINISHED:
            self._add(Content(words("restore_finish")), Choice(None))
        for backup in backups:
            state = words(f"restore_state_{backup.state.value}")
            made = backup.time[:16].replace("T", " ") or backup.path.stem
            said = Content.assemble(
                made,
                (f"  {backup.size / 1e6:.1f} MB  ", "$muted"),
                (state, "" if _usable(backup) else "$warning"),
                (f"  {line(Path(backup.knowledge).name)}", "$muted"),
            )
            self._add(said, Choice(backup.path) if _usable(backup) else None, disabled=not _usable(backup))
        if runtime.config.program_history is not None and runtime.config.history_bundle is None:
            self._add(Content(words("restore_program")), Choice(runtime.config.program_history))
        if not self._choices:
            self.say_empty(words("restore_none"))

    def _add(self, said: Content, choice: Choice | None, disabled: bool = False) -> None:
        self._choices[self.listed.option_count] = choice
        self.listed.add_option(Option(said, disabled=disabled))

    # -- choosing --------------------------------------------------------------------------------------------

    def choose(self, number: int) -> None:
        """Ask once more; then do it. Or leave the program, when it is done."""
        recovery = self.almanac.recovery
        choice = self._choices.get(number)
        if recovery is not None and recovery.done is not None:
            self.almanac.exit(0)
        elif choice is None:
            self._asked = None
        elif choice.sure or choice.source is None:
            self._asked = None
            self.almanac.start_recovery(choice.source)
        else:
            self._asked = choice
            self.listed.highlighted = None
        self.relabel()

    def action_back(self) -> None:
        """Not to restore; else to where one came from. A restore that runs goes on."""
        if self._asked is not None:
            self._asked = None
            self.relabel()
        else:
            self.dismiss(None)


def _usable(backup: Backup) -> bool:
    return backup.state in (State.GOOD, State.UNLISTED)
