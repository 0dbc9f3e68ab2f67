"""From documents to what the index keeps of them: postings of their sections, and one row each."""

from __future__ import annotations

import hashlib
import json

from kb.search import tokens
from kb.search.chunks import chunks
from kb.search.index import FOREVER
from kb.search.keys import fact_key, section_keys
from kb.search.postings import SegmentBuilder
from kb.search.reading import document_sections
from kb.tree.document import Facts, Parsed
from kb.tree.taxonomy import Taxonomy
from kb.tree.walk import FileState


class Batch:
    """The segment that is being collected: `builder` holds the postings, `rows` the documents' rows.

    A row has the columns of the table `documents` from `path` to `headings`, then the number in the segment.
    """

    def __init__(self, mean: float | None, taxonomy: Taxonomy) -> None:
        self.builder = SegmentBuilder(mean)
        self.rows: list[tuple[object, ...]] = []
        self._taxonomy = taxonomy

    def digest(self, parsed: Parsed) -> bytes:
        """Changes when the text does, or the names that the taxonomy has for the path."""
        words = "\n".join(self._taxonomy.words(parsed.facts.path))
        return hashlib.blake2b(f"{words}\0{parsed.text}".encode("utf-8", "replace"), digest_size=16).digest()

    def add(self, state: FileState, parsed: Parsed, digest: bytes) -> None:
        """Take in one document."""
        facts = parsed.facts
        sections = document_sections(parsed)
        keys, owners = section_keys(["\n".join((*section.trail, section.text)) for section in sections])
        names = [[chunk_key(text) for text in chunks(facts.title, section)] for section in sections]
        number = self.builder.add(keys, owners, names, _fact_keys(facts, self._taxonomy))
        headings = list(dict.fromkeys(section.trail[-1] for section in sections if section.trail))
        self.rows.append(
            (state.path, state.size, state.mtime_ns, digest,
             facts.title, facts.version, facts.lang, facts.status, facts.type,
             facts.valid_from.toordinal() if facts.valid_from else 0,
             facts.valid_to.toordinal() if facts.valid_to else FOREVER,
             facts.date_updated.toordinal() if facts.date_updated else 0,
             json.dumps(facts.metadata, ensure_ascii=False),
             json.dumps([[p.line, p.reason, p.detail] for p in facts.problems], ensure_ascii=False),
             json.dumps(headings, ensure_ascii=False), number)
        )  # fmt: skip


def _fact_keys(facts: Facts, taxonomy: Taxonomy) -> set[int]:
    """The keys of a document's own words: `k` title, keywords and tags, `p` path and taxonomy words."""
    keywords = tokens.terms("\n".join((facts.title, *facts.keywords, *facts.tags)))
    path = tokens.terms("\n".join(taxonomy.words(facts.path)))
    return {fact_key("k", term) for term in keywords} | {fact_key("p", term) for term in path}


def chunk_key(text: str) -> bytes:
    """The digest of what is embedded: the same words need one vector, in every version and document."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
