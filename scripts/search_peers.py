"""Lexical search as others do it, for `make bench-search`: what Almanac is compared with.

All peers index whole documents, title and body, front matter left out, in NFKC and lower case. Heavy packages are
imported inside functions, so that a child process can read its memory before they are there.
"""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import tantivy

# BM25 as in the baselines of ../shared/bench/README.md.
K1 = 1.2
B = 0.75

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUNS = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W_{_HAN}]+")
_WORDS = re.compile(r"\w+")

Cut = Callable[[str], Iterable[str]]
Search = Callable[[str, int], list[str]]
"""(question, n) -> at most n distinct paths below the docs folder, best first."""


class Method(Protocol):
    """A way to search the documents below a folder `docs` with an index of its own in `folder`."""

    def build(self, docs: Path, folder: Path) -> float:
        """Index `docs` into `folder`, which is there and empty.

        Returns the seconds that what was kept from earlier runs took then; they count as building time too.
        """
        ...

    def open(self, docs: Path, folder: Path) -> AbstractContextManager[Search]:
        """Search the index that `build` made, in whatever process."""
        ...


# ---------------------------------------------------------------- documents and words


@dataclass(frozen=True, slots=True)
class Page:
    """A document: `path` below the docs folder, and title and body as `text`."""

    path: str
    text: str


def pages(docs: Path) -> Iterator[Page]:
    """The Markdown files below `docs` in the order of their paths."""
    for path in sorted(docs.rglob("*.md")):
        raw = path.read_text("utf-8")
        front = _FRONT.match(raw)
        body = raw[front.end() :] if front else raw
        found = _TITLE.search(front[1]) if front else None
        yield Page(path.relative_to(docs).as_posix(), f"{_plain(found[1])}\n{body}" if found else body)


def _plain(value: str) -> str:
    """A YAML scalar as it stands in the sets: JSON's quoting or none."""
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            pass
    return value


def fold(text: str) -> str:
    """NFKC and lower case: what every peer does to documents and questions."""
    return unicodedata.normalize("NFKC", text).lower()


def characters_and_pairs(run: str) -> Iterator[str]:
    """The characters of a run of Chinese and its pairs of neighbours."""
    yield from run
    yield from (run[place : place + 2] for place in range(len(run) - 1))


class Words:
    """The terms of a text: Chinese runs by `cut`, other runs of letters and digits stemmed by Snowball's English."""

    def __init__(self, cut: Cut) -> None:
        import Stemmer

        self._cut = cut
        self._stem = Stemmer.Stemmer("english").stemWord

    def __call__(self, text: str) -> list[str]:
        """The terms in reading order, repeats included; no term holds white space."""
        found: list[str] = []
        for run in _RUNS.finditer(fold(text)):
            if run["han"]:
                found.extend(self._cut(run[0]))
            else:
                found.append(str(self._stem(run[0])))
        return found


def pair_words(_folder: Path) -> Words:
    """Characters and pairs for Chinese."""
    return Words(characters_and_pairs)


def jieba_words(folder: Path) -> Words:
    """Dictionary words for Chinese; jieba keeps its parsed dictionary beside `folder`."""
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(folder.parent)
    return Words(tokenizer.lcut)


# ---------------------------------------------------------------- methods


class Bm25:
    """BM25 over terms, as arrays: the postings of term t are `pages[offsets[t] : offsets[t + 1]]`, with `counts`."""

    def __init__(self, words: Callable[[Path], Words]) -> None:
        self._words = words

    def build(self, docs: Path, folder: Path) -> float:
        """Write offsets, pages, counts and lengths as .npy, terms and paths as lines."""
        import numpy as np

        words = self._words(folder)
        postings: dict[str, tuple[array[int], array[int]]] = {}
        paths: list[str] = []
        lengths: list[int] = []
        for number, page in enumerate(pages(docs)):
            terms = words(page.text)
            paths.append(page.path)
            lengths.append(len(terms))
            for term, count in Counter(terms).items():
                entry = postings.get(term)
                if entry is None:
                    entry = postings[term] = (array("i"), array("i"))
                entry[0].append(number)
                entry[1].append(count)
        sizes = [len(entry[0]) for entry in postings.values()]
        np.save(folder / "offsets.npy", np.cumsum([0, *sizes], dtype=np.int64))
        for name, side in (("pages", 0), ("counts", 1)):
            parts = [np.frombuffer(entry[side], np.int32) for entry in postings.values()]
            np.save(folder / f"{name}.npy", np.concatenate(parts) if parts else np.zeros(0, np.int32))
        np.save(folder / "lengths.npy", np.array(lengths, np.int32))
        (folder / "terms.txt").write_text("\n".join(postings), "utf-8")
        (folder / "paths.txt").write_text("\n".join(paths), "utf-8")
        return 0.0

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        """Read everything into memory."""
        import numpy as np

        words = self._words(folder)
        place = {term: row for row, term in enumerate((folder / "terms.txt").read_text("utf-8").split("\n"))}
        paths = (folder / "paths.txt").read_text("utf-8").split("\n")
        offsets, owners, counts, lengths = (
            np.load(folder / f"{name}.npy") for name in ("offsets", "pages", "counts", "lengths")
        )
        norms = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))

        def search(question: str, top: int) -> list[str]:
            scores = np.zeros(len(paths))
            for term, times in Counter(words(question)).items():
                row = place.get(term)
                if row is None or row + 1 >= len(offsets):
                    continue
                found = owners[offsets[row] : offsets[row + 1]]
                frequency = counts[offsets[row] : offsets[row + 1]]
                idf = np.log(1 + (len(paths) - len(found) + 0.5) / (len(found) + 0.5))
                scores[found] += times * idf * frequency * (K1 + 1) / (frequency + norms[found])
            best = np.argsort(-scores, kind="stable")[:top]
            return [paths[number] for number in best.tolist() if scores[number] > 0]

        yield search


class Trigrams:
    """SQLite's FTS5 with its trigram tokenizer and its bm25; the text itself is not stored."""

    def build(self, docs: Path, folder: Path) -> float:
        """Write docs.db: a contentless FTS5 table whose row numbers are those of `paths`."""
        connection = sqlite3.connect(folder / "docs.db")
        connection.execute("CREATE TABLE paths (number INTEGER PRIMARY KEY, path TEXT NOT NULL)")
        connection.execute("CREATE VIRTUAL TABLE pages USING fts5(text, content='', tokenize='trigram')")
        for number, page in enumerate(pages(docs), 1):
            connection.execute("INSERT INTO paths VALUES (?, ?)", (number, page.path))
            connection.execute("INSERT INTO pages (rowid, text) VALUES (?, ?)", (number, fold(page.text)))
        connection.execute("INSERT INTO pages (pages) VALUES ('optimize')")
        connection.commit()
        connection.close()
        return 0.0

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        """Ask the database."""
        connection = sqlite3.connect(folder / "docs.db")

        def search(question: str, top: int) -> list[str]:
            wanted = " OR ".join(f'"{piece}"' for piece in self.pieces(question))
            if not wanted:
                return []
            rows = connection.execute(
                "SELECT path FROM (SELECT rowid AS number, rank FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?)"
                " JOIN paths USING (number) ORDER BY rank",
                (wanted, top),
            )
            return [str(row[0]) for row in rows]

        yield search
        connection.close()

    @staticmethod
    def pieces(question: str) -> list[str]:
        """What is looked for: words of three letters and more whole, of Chinese all trigrams. Word characters only."""
        found: dict[str, None] = {}
        for run in _WORDS.findall(fold(question)):
            if re.search(f"[{_HAN}]", run):
                found.update((run[place : place + 3], None) for place in range(len(run) - 2))
            elif len(run) >= 3:
                found[run] = None
        return list(found)


class Tantivy:
    """tantivy over the same terms as the BM25 of pairs, split beforehand; a question is an OR of its terms."""

    def build(self, docs: Path, folder: Path) -> float:
        """Write tantivy's own files. One thread, so that there are few segments to ask."""
        import tantivy

        index = tantivy.Index(self._schema(), path=str(folder))
        writer = index.writer(num_threads=1)
        for path, terms in self.entries(docs, folder):
            entry = tantivy.Document()
            entry.add_text("path", path)
            entry.add_text("text", " ".join(terms))
            writer.add_document(entry)
        writer.commit()
        writer.wait_merging_threads()
        return 0.0

    @contextmanager
    def open(self, docs: Path, folder: Path) -> Iterator[Search]:
        """Map the files."""
        import tantivy

        cut = self.cut(folder)
        schema = self._schema()
        index = tantivy.Index.open(str(folder))
        searcher = index.searcher()

        def search(question: str, top: int) -> list[str]:
            terms = [
                (tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", term, index_option="freq"))
                for term in cut(question)
            ]
            hits = searcher.search(tantivy.Query.boolean_query(terms), top).hits if terms else []
            return list(dict.fromkeys(str(searcher.doc(address)["path"][0]) for _, address in hits))

        yield search

    def entries(self, docs: Path, folder: Path) -> Iterator[tuple[str, Iterable[str]]]:
        """What is indexed: a path and the terms of a text, for each entry."""
        words = pair_words(folder)
        return ((page.path, words(page.text)) for page in pages(docs))

    def cut(self, folder: Path) -> Cut:
        """What gives the terms of a question."""
        return pair_words(folder)

    @staticmethod
    def _schema() -> tantivy.Schema:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("path", stored=True, tokenizer_name="raw", index_option="basic")
        builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
        return builder.build()
