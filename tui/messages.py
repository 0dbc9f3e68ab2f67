"""What background work tells the screens. Each message is a value; the screens own what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from kb.answer.answer import Answer, Evidence
from kb.versions.asked import ChangesFound
from kb.versions.history import Change, KnowledgeVersion
from tui.catalog import Catalog, Hit
from tui.comparing import Number, Row
from tui.diagnosis import Diagnosis
from tui.page import Page

if TYPE_CHECKING:
    from PIL.Image import Image

    from kb.answer.supply_workbench import Look
    from kb.search.listing import Listed
    from kb.search.retriever import Status
    from kb.versions.chain import Backup
    from kb.versions.damage import Damage
    from kb.versions.restore import Restored


@dataclass
class EvidenceFound(Message):
    """The sources of question `number` stand."""

    number: int
    evidence: tuple[Evidence, ...]


@dataclass
class TextGrew(Message):
    """The answer to question `number` reads `text` so far."""

    number: int
    text: str


@dataclass
class AnswerDone(Message):
    """The complete answer to question `number`."""

    number: int
    answer: Answer


@dataclass
class ChangesTold(Message):
    """Question `number` was about changes of the knowledge: these."""

    number: int
    changes: ChangesFound


@dataclass
class ReleaseChanged(Message):
    """Another release answers from now on: of this version."""

    version: KnowledgeVersion


@dataclass
class AnswerFailed(Message):
    """Question `number` ended with an error."""

    number: int
    error: BaseException


@dataclass
class ProgressMade(Message):
    """Long work of the kind `phase` is at `done` of `total`."""

    phase: str
    done: int
    total: int


@dataclass
class CatalogRead(Message):
    """The list of documents, their counts and the knowledge version."""

    catalog: Catalog
    status: Status
    version: KnowledgeVersion


@dataclass
class PageRead(Message):
    """A document was read; `ticket` tells for which request."""

    ticket: int
    page: Page


@dataclass
class HitsFound(Message):
    """What the words typed so far find."""

    typed: str
    hits: tuple[Hit, ...]


@dataclass
class ChangesRead(Message):
    """The history of the knowledge, newest first."""

    changes: tuple[Change, ...]


@dataclass
class DiagnosisMoved(Message):
    """A diagnosis went on: this is how far it is."""

    diagnosis: Diagnosis


@dataclass
class VersionsRead(Message):
    """The changes of one document, newest first."""

    changes: tuple[Change, ...]


@dataclass
class PairRead(Message):
    """How the document, and the numbers in it, differ between two of its changes; `ticket` tells for which request."""

    ticket: int
    older: Change
    newer: Change
    rows: tuple[Row, ...]
    numbers: tuple[Number, ...]


@dataclass
class RolledBack(Message):
    """A document was rolled back; `commit` is the new version."""

    commit: str


@dataclass
class ValidityRead(Message):
    """All documents with their dates."""

    documents: tuple[Listed, ...]


@dataclass
class BackupsRead(Message):
    """The backups that there are, newest first."""

    backups: tuple[Backup, ...]


@dataclass
class DamageFound(Message):
    """Knowledge or people's data are damaged."""

    damage: Damage


@dataclass
class RecoveryEnded(Message):
    """A restore ended: what was restored, or why not."""

    done: Restored | None
    problem: BaseException | None = None


@dataclass
class FeedbackKept(Message):
    """What a person thinks of the document at `path` is in the ledger."""

    path: str
    helpful: bool


@dataclass
class WorkbenchRead(Message):
    """What waits for owners, and the figures of the supply line."""

    look: Look


@dataclass
class CardDecided(Message):
    """A decision about the card `card` stands."""

    card: str
    decision: str


@dataclass
class PictureRead(Message):
    """The picture for the widget that asked, made small enough; None when it cannot be shown."""

    image: Image | None


@dataclass
class WorkFailed(Message):
    """Background work that a screen asked for ended with an error."""

    error: BaseException
    ticket: int = 0
