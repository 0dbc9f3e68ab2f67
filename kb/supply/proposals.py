"""Proposed cards: each a branch `proposal/<name>` with a reviewer, merged into the checked-out branch or set aside.

What a proposal is about stands in the message of its first commit, as trailers (`Reviewer: irrigation-desk`); a person
may add commits to the branch with any git program. Nothing here touches the work tree until a proposal is accepted.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.errors import AlmanacError, KnowledgeError
from kb.supply.card import Card, CardStatus, Confidence
from kb.supply.check import check_card
from kb.supply.roster import default_roster, load_roster
from kb.supply.schema import ID_CHARACTERS, ID_PATTERN, Finding, parse_card
from kb.supply.store import FOLDER, read_cards
from kb.supply.store_edit import NewValue, edit_bytes
from kb.tree import frontmatter, textfile
from kb.versions.plumbing import NewCommit, Repository

BRANCHES = "refs/heads/proposal/"
REJECTED = "rejected/"
_TRAILER = re.compile(r"^(Reviewer|Origin|Updates): (.+)$", re.MULTILINE)
# What the worker writes into a card meanwhile; a proposal is not about it.
_LIFE = ("status", "confidence", "valid_until", "metrics")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposal. `updates` is the id of the card that it changes, empty for a new card; `created` is ISO 8601."""

    name: str
    commit: str
    summary: str
    reviewer: str
    origin: str
    updates: str
    author: str
    created: str


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """A card's file as it is (None: not there), as it is proposed, and what is wrong with it."""

    path: str
    before: bytes | None
    after: bytes
    card: Card | None
    findings: tuple[Finding, ...]


class Proposals:
    """The proposals of one repository."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def propose(
        self, name: str, files: Mapping[str, bytes], summary: str, *,
        reviewer: str, origin: str, author: str, now: datetime.datetime, updates: str = "", why: str = "",
    ) -> Proposal | None:  # fmt: skip
        """Make a branch that changes `files` (paths below the knowledge root).

        One name is proposed once: the proposal that is there is given back, and None where it was rejected before.
        """
        name = checked_name(name)
        with self._repository.locked():
            if self._repository.tip(f"refs/tags/{REJECTED}{name}") is not None:
                return None
            head = self._repository.head().commit
            commit = self._repository.tip(BRANCHES + name)
            if commit is None:
                trailers = {"Reviewer": reviewer, "Origin": origin, "Updates": updates}
                lines = [f"{key}: {' '.join(value.split())}" for key, value in trailers.items() if value]
                message = "\n\n".join(
                    part for part in (" ".join(summary.split()), why.strip(), "\n".join(lines)) if part
                )
                made = NewCommit(message, author, files)
                commit = self._repository.record(head, [made], now.timestamp(), BRANCHES + name)
            return self._read(name, commit, head)

    def all(self) -> list[Proposal]:
        """Every open proposal, in the order of their names."""
        listed = self._repository.references(BRANCHES)
        head = self._repository.head().commit if listed else ""
        return [self._read(reference.removeprefix(BRANCHES), commit, head) for reference, commit in listed]

    def count(self) -> int:
        """How many are open."""
        return len(self._repository.references(BRANCHES))

    def get(self, name: str) -> Proposal:
        """One open proposal; KnowledgeError when there is none of this name."""
        commit = self._repository.tip(BRANCHES + name) if ID_PATTERN.fullmatch(name) else None
        if commit is None:
            raise KnowledgeError("review_unknown", name=name[:100])
        return self._read(name, commit, self._repository.head().commit)

    def _read(self, name: str, commit: str, head: str) -> Proposal:
        """The proposal whose branch is at `commit`: its first commit that the checked-out one, `head`, has not."""
        own = self._repository.between(head, commit)
        first = own[-1] if own else commit
        message = self._repository.message(first)
        trailers = {key: value.strip() for key, value in _TRAILER.findall(message.rpartition("\n\n")[2])}
        author, created = self._repository.authored(first)
        return Proposal(
            name, commit, message.split("\n", 1)[0], trailers.get("Reviewer", ""), trailers.get("Origin", ""),
            trailers.get("Updates", ""), author, created,
        )  # fmt: skip

    def files(self, proposal: Proposal, today: datetime.date) -> list[ProposedFile]:
        """What the proposal would change now, each file checked.

        KnowledgeError when it changes anything but cards, or a card that was changed otherwise meanwhile.
        """
        head = self._repository.head()
        base = self._repository.merge_base(head.commit, proposal.commit)
        if base is None:
            raise KnowledgeError("review_no_base", name=proposal.name)
        return [
            self._file(head.commit, base, proposal, status, path, today)
            for status, path in self._repository.changed(base, proposal.commit)
        ]

    def _file(
        self, head: str, base: str, proposal: Proposal, status: str, whole: str, today: datetime.date
    ) -> ProposedFile:
        path = self._repository.below_root(whole)
        if path is None or status not in "AM" or not re.fullmatch(rf"{FOLDER}/[^/]+/[^/]+\.yaml", path):
            raise KnowledgeError("review_other_file", name=proposal.name, path=whole)
        ours, theirs = self._repository.content(head, path), self._repository.content(proposal.commit, path)
        old = self._repository.content(base, path)
        assert theirs is not None, "it was added or modified"
        merged = _merged(path, old, ours, theirs)
        if merged is None:
            raise KnowledgeError("review_conflict", name=proposal.name, path=path)
        card, findings = self._checked(path, merged, today)
        return ProposedFile(path, ours, merged, card, findings)

    def _checked(self, path: str, data: bytes, today: datetime.date) -> tuple[Card | None, tuple[Finding, ...]]:
        try:
            read = parse_card(path, textfile.decode(data, path).text)
        except AlmanacError as error:
            return None, (Finding(path, 0, error.key, error.params),)
        findings = list(read.findings)
        if read.card is not None:
            root = self._repository.root
            roster = load_roster(root) or default_roster()
            findings += [finding for _, finding in check_card(root, read.card, roster, today)]
            known = read_cards(root).get(read.card.id)
            if known is not None and known.path != path:
                findings.append(Finding(path, 1, "card_duplicate_id", {"id": read.card.id, "other": known.path}))
        return read.card, tuple(findings)

    def accept(self, name: str, by: str, now: datetime.datetime) -> list[ProposedFile]:
        """Merge a proposal; what was merged. A finished draft goes on to staging: a person has read it.

        KnowledgeError when it does not fit, has errors, or a person is at work on the same file.
        """
        with self._repository.locked():
            proposal = self.get(name)
            found = self.files(proposal, now.date())
            errors = [finding for file in found for finding in file.findings if not finding.warning]
            if errors:
                raise KnowledgeError("review_has_errors", name=name, count=len(errors))
            merged = [self._reviewed(file) for file in found]
            head = self._repository.head()
            in_work = self._repository.edited(head.commit, [file.path for file in merged])
            if in_work:
                raise KnowledgeError("review_in_work", path=sorted(in_work)[0])
            message = f"docs(cards): accept {name}: {_about(proposal.summary)}\n\nReviewed-by: {' '.join(by.split())}"
            if merged:
                files = {file.path: file.after for file in merged}
                self._repository.commit([NewCommit(message, by, files, (proposal.commit,))], now.timestamp())
            self._repository.delete(BRANCHES + name, proposal.commit)
            return merged

    def _reviewed(self, file: ProposedFile) -> ProposedFile:
        card = file.card
        if card is None or card.status is not CardStatus.DRAFT or any(one.key == "card_open" for one in file.findings):
            return file
        values: dict[str, NewValue] = {"status": CardStatus.STAGING.value}
        if card.confidence is Confidence.LOW:
            values["confidence"] = Confidence.MEDIUM.value
        after = edit_bytes(file.path, file.after, values)
        return ProposedFile(file.path, file.before, after, parse_card(file.path, after.decode()).card, file.findings)

    def reject(self, name: str, reason: str, by: str) -> str:
        """Set a proposal aside: its branch becomes a tag with the reason; the tag's name."""
        with self._repository.locked():
            proposal = self.get(name)
            tag, number = REJECTED + name, 1
            while (taken := self._repository.tip(f"refs/tags/{tag}")) not in (None, proposal.commit):
                number += 1
                tag = f"{REJECTED}{name}-{number}"
            if taken is None:
                self._repository.tag(tag, proposal.commit, f"rejected by {by}: {' '.join(reason.split())}", by)
            self._repository.delete(BRANCHES + name, proposal.commit)
            return tag


def checked_name(name: str) -> str:
    """`name` when it can be a proposal's; KnowledgeError else."""
    if not ID_PATTERN.fullmatch(name) or len(name) > ID_CHARACTERS + 20:
        raise KnowledgeError("review_unknown", name=name[:100])
    return name


def _about(summary: str) -> str:
    """A summary without its own type, scope and verb."""
    return re.sub(r"^\w+\([^)]*\): (?:propose |update )?", "", summary)


def _merged(path: str, old: bytes | None, ours: bytes | None, theirs: bytes) -> bytes | None:
    """Both sides' changes of one file together; None when they do not go together.

    A file that only the worker touched meanwhile keeps its life (state, validity, counters) and takes the rest.
    """
    if ours in (old, theirs):
        return theirs
    if old == theirs:
        return ours
    if old is None or ours is None:
        return None
    before, now = _fields(path, old), _fields(path, ours)
    if before is None or now is None:
        return None
    differing = {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}
    if not differing <= set(_LIFE):
        return None
    try:
        return edit_bytes(path, theirs, _life(now, sorted(differing)))
    except AlmanacError:
        return None


def _fields(path: str, data: bytes) -> dict[str, frontmatter.Value] | None:
    try:
        return frontmatter.parse(textfile.decode(data, path).text)
    except (frontmatter.FrontMatterError, AlmanacError):
        return None


def _life(fields: Mapping[str, frontmatter.Value], names: Sequence[str]) -> dict[str, NewValue]:
    """The values of some fields, inner ones by their dotted names."""
    values: dict[str, NewValue] = {}
    for name in names:
        value = fields.get(name)
        if isinstance(value, dict):
            values |= {f"{name}.{inner}": str(one) for inner, one in value.items()}
        else:
            values[name] = str(value)
    return values
