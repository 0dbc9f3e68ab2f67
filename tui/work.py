"""What the background threads do: call kb and post messages. Nothing here touches a widget."""

from __future__ import annotations

import contextlib
import datetime
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from kb.answer.live_runtime import LiveRuntime
from kb.answer.runtime import Runtime
from kb.config import ProgressReport
from kb.errors import AlmanacError, KnowledgeError
from kb.paths import BACKUPS
from kb.texts import Lang, text
from kb.tree.document import load
from kb.tree.images import image_path
from kb.tree.walk import inside
from kb.versions.asked import ChangesFound, answered
from kb.versions.history import Change
from tui import messages
from tui.catalog import Catalog, read_catalog, search
from tui.comparing import compare, numbers
from tui.page import page_of
from tui.session import sources_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from kb.answer.answer import Answer

Post = Callable[[Message], object]
_REPORT_EVERY_S = 0.1
_PICTURE_PIXELS = 1200


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its number and language, the `earlier` ones that it may lean on, and what stops it."""

    number: int
    question: str
    lang: Lang
    earlier: tuple[str, ...]
    stop: threading.Event


def ask(following: LiveRuntime, asked: Asked, post: Post) -> None:
    """Answer a question from the release that is live; one about changes of the knowledge from its history.

    News of a stopped one is not posted.
    """

    from kb.answer.answerer import Listener
    from kb.answer.followup import Session

    number = asked.number

    def tell(message: Message) -> None:
        if not asked.stop.is_set():
            post(message)

    listener = Listener(
        on_evidence=lambda answer: tell(messages.EvidenceFound(number, sources_of(answer))),
        on_text=lambda said: tell(messages.TextGrew(number, said)),
        cancelled=asked.stop.is_set,
    )
    try:
        with following.asking() as runtime:
            changes = _changes(runtime, asked)
            if changes is not None:
                tell(messages.ChangesTold(number, changes))
                return
            answer = runtime.answerer.ask(asked.question, Session(asked.earlier), listener=listener)
    except Exception as error:  # noqa: BLE001 - shown calmly with its question
        tell(messages.AnswerFailed(number, error))
    else:
        tell(messages.AnswerDone(number, answer))
        if runtime.answerer.not_kept is not None:
            tell(messages.WorkFailed(runtime.answerer.not_kept))


def _changes(runtime: Runtime, asked: Asked) -> ChangesFound | None:
    """What a question about changes asks for; None for another one, and without history: a document may say it."""
    try:
        return answered(asked.question, runtime.history, runtime.root, datetime.date.today(), asked.lang)
    except AlmanacError:
        return None


def judge(runtime: Runtime, answer: Answer, path: str, helpful: bool, post: Post) -> None:
    """Keep that the document at `path` helped with `answer`, or that it is wrong."""
    from kb.supply.feedback import record_feedback
    from kb.supply.ledger import Ledger

    with Ledger(runtime.config.home) as ledger:
        record_feedback(ledger, [path], helpful, task=answer.id, version=answer.knowledge_version)
    post(messages.FeedbackKept(path, helpful))


def survey(runtime: Runtime, post: Post) -> None:
    """Bring the index up to date, then tell what there is."""
    runtime.retriever.update(reporter(post))
    post(messages.CatalogRead(read_catalog(runtime), runtime.retriever.status(), runtime.version()))


def reporter(post: Post) -> ProgressReport:
    """A progress report that posts at most ten times a second, and always the end."""
    last: dict[str, float] = {}

    def report(phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - last.get(phase, 0.0) > _REPORT_EVERY_S:
            last[phase] = now
            post(messages.ProgressMade(phase, done, total))

    return report


def read_page(runtime: Runtime, path: str, ticket: int, post: Post) -> None:
    """Read a document below the root."""
    try:
        inside(runtime.root, path)
        page = page_of(load(runtime.root, path))
    except Exception as error:  # noqa: BLE001 - the screen that asked shows it
        post(messages.WorkFailed(error, ticket))
    else:
        post(messages.PageRead(ticket, page))


def find(runtime: Runtime, catalog: Catalog, typed: str, post: Post) -> None:
    """Search as you type."""
    post(messages.HitsFound(typed, search(runtime, catalog, typed)))


def read_changes(runtime: Runtime, post: Post) -> None:
    """The history of the knowledge."""
    post(messages.ChangesRead(tuple(runtime.history.changes())))


def read_versions(runtime: Runtime, path: str, post: Post) -> None:
    """The changes of one document."""
    post(messages.VersionsRead(tuple(runtime.history.changes(path))))


def read_pair(runtime: Runtime, path: str, older: Change, newer: Change, ticket: int, post: Post) -> None:
    """How a document differs between two of its changes; where it was not there, it was empty."""

    from kb.answer.release_numbers import read_numbers

    def content(change: Change) -> str:
        try:
            return runtime.history.content(path, change.commit)
        except AlmanacError:
            return ""

    rows = compare(content(older), content(newer))
    post(messages.PairRead(ticket, older, newer, rows, numbers(rows, read_numbers)))


def roll_back(runtime: Runtime, path: str, change: Change, lang: Lang, post: Post) -> None:
    """Make a document what it was in `change`, as a new commit."""
    from kb.versions import restore_document

    title = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    message = text(lang, "rollback_message", title=title, date=f"{change.date:%Y-%m-%d}")
    post(messages.RolledBack(restore_document.roll_back(runtime.history, path, change.commit, message)))


def read_validity(runtime: Runtime, post: Post) -> None:
    """All documents with their dates."""
    runtime.retriever.update()
    post(messages.ValidityRead(tuple(runtime.retriever.documents())))


def look_for_damage(runtime: Runtime, post: Post) -> None:
    """Tell of damage, if there is any."""
    found = runtime.damage()
    if found is not None:
        post(messages.DamageFound(found))


def read_backups(runtime: Runtime, post: Post) -> None:
    """The backups in the home folder."""
    from kb.versions import chain

    post(messages.BackupsRead(tuple(chain.backups(runtime.config.home / BACKUPS))))


def restore_target(runtime: Runtime) -> Path:
    """Where restored knowledge goes: in place of what is in use, unless that came with the program."""
    from kb.versions import restore

    return restore.target_of(runtime.config.home, runtime.config.kept)


def recover(runtime: Runtime, source: Path | None, post: Post) -> None:
    """Restore the bundle `source`, or finish an interrupted restore."""
    from kb.answer import release_runtime
    from kb.versions import restore

    try:
        if source is None:
            done = restore.finish(runtime.config.home)
        else:
            git = runtime.history.git
            if git is None:
                raise AlmanacError("git_missing")
            target, home = restore_target(runtime), runtime.config.home
            done = restore.restore(git, source, target, home, reporter(post), runtime.config.stop)
        with contextlib.suppress(AlmanacError):  # else the next start does it
            release_runtime.make_again(runtime.config, reporter(post))
    except Exception as error:  # noqa: BLE001 - the screen shows it
        post(messages.RecoveryEnded(None, error))
    else:
        post(messages.RecoveryEnded(done))


def read_workbench(runtime: Runtime, post: Post) -> None:
    """The inbox and the figures."""
    from kb.answer.supply_workbench import Workbench

    post(messages.WorkbenchRead(Workbench(runtime).look()))


def decide(runtime: Runtime, card: str, decision: str, post: Post) -> None:
    """Renew or archive a card."""
    from kb.answer.supply_workbench import Workbench

    Workbench(runtime).decide(card, decision)
    post(messages.CardDecided(card, decision))


def read_picture(runtime: Runtime, document: str, target: str, post: Post) -> None:
    """A picture of a document, made small enough for a terminal."""
    post(messages.PictureRead(_picture(runtime, document, target)))


def _picture(runtime: Runtime, document: str, target: str) -> Image | None:
    from PIL import Image

    try:
        file = image_path(runtime.root, document, target)
        with Image.open(file) as opened:
            opened.draft("RGB", (_PICTURE_PIXELS, _PICTURE_PIXELS))
            picture = opened.convert("RGBA" if "A" in opened.getbands() else "RGB")
        picture.thumbnail((_PICTURE_PIXELS, _PICTURE_PIXELS))
    except (AlmanacError, KnowledgeError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return picture
