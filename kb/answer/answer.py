"""What an answer is made of: the values that pass from this room up to interface, command line and SDK."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from kb.versions.history import KnowledgeVersion


class Way(StrEnum):
    """How the words of an answer came about.

    quote: the evidence itself; select: a piece of the evidence that the model chose under a grammar; compose: sentences
    of the model, each checked against the evidence that it names; history: what changed in the knowledge, from its
    commits; refused: the documents do not say.
    """

    QUOTE = "quote"
    SELECT = "select"
    COMPOSE = "compose"
    HISTORY = "history"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A unit of a document, verbatim: a sentence, list item or table row with its header.

    `lines` are the first and last line in the file (from 1). `context` is what a reader needs beside the quote:
    the table header, the lead-in of a list and the items above a nested one, the question that a sentence answers, what
    the sentence of a clause opens with. `kind` is paragraph, item, table, code, formula or quote. `score` is 0..1.
    """

    path: str
    title: str
    trail: tuple[str, ...]
    lines: tuple[int, int]
    text: str
    context: str
    plain: str
    kind: str
    version: str
    valid_from: str
    valid_to: str
    date_updated: str
    references: tuple[str, ...]
    score: float

    @property
    def full(self) -> str:
        """Context and quote together: what the checker compares with."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Nearest:
    """A document that came near without answering."""

    path: str
    title: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that structured memory holds for a thing named in the question, in the document's words.

    `kind` is only, except, if, unless or not; `path` and `lines` say where it stands.
    """

    kind: str
    text: str
    about: str
    path: str
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds from the question: until evidence stood, until the first token, until the end."""

    evidence_ms: float = 0.0
    first_token_ms: float | None = None
    total_ms: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class MadeWith:
    """What decides an answer beside question and day: when all of it is the same, so is the answer.

    `tree` is the digest of all documents as they were read, `model` and `embedder` are digests ('' without one),
    `prompt` is the version of kb.answer.prompts, `seed` is 0: decoding is greedy. `way` is the one that was wished for
    ('' for none), `budget` the most tokens of the prompt. Where no model was asked, `model` is '' and `budget` 0.
    """

    program: str = ""
    tree: str = ""
    model: str = ""
    embedder: str = ""
    prompt: str = ""
    seed: int = 0
    way: str = ""
    budget: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer. With `refused`, `text` is empty and `nearest` names what came near.

    `resolved` is the whole question that a follow-up stands for, the question itself otherwise. `replaced` counts the
    model's sentences that the evidence did not hold and that gave way to the quote. `cited` are the places in
    `evidence`, from 0, that `text` rests on. `limits` are what memory knows to restrict the things asked about. `day`
    is the day on which the documents had to be valid.
    """

    id: str
    question: str
    resolved: str
    text: str
    refused: bool
    confidence: float
    way: Way
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[Evidence, ...] = ()
    conflicts: tuple[Evidence, ...] = ()
    limits: tuple[Limit, ...] = ()
    nearest: tuple[Nearest, ...] = ()
    looked_for: tuple[str, ...] = ()
    cited: tuple[int, ...] = ()
    replaced: int = 0
    day: str = ""
    knowledge_version: KnowledgeVersion = field(default_factory=KnowledgeVersion)
    model: str = ""
    made_with: MadeWith = field(default_factory=MadeWith)
    timings: Timings = field(default_factory=Timings)
