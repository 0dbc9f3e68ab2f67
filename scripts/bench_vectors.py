"""What a vector may cost: the whole section, its first tokens, or static token vectors distilled from the embedder.

For every way: milliseconds a section on one thread, and how well it finds, alone and together with the words, in the
open halves of public sets. Static vectors: each token of the vocabulary goes through the embedder alone (as Model2Vec
does, Tulkens & van Dongen 2024), the mean is taken away, and a text is the mean of its tokens weighted by
a / (a + frequency) (SIF, Arora et al. 2017, a = 0.001).
"""

from __future__ import annotations

import argparse
import datetime
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_sets  # noqa: E402
from bench_runtime import embedder, open_retriever  # noqa: E402

from kb.search import ranking  # noqa: E402
from kb.search.chunks import chunks  # noqa: E402
from kb.search.postings import Floats  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.sections import document_sections  # noqa: E402
from kb.search.snapshot import Filter  # noqa: E402
from kb.tree import document  # noqa: E402

_SIF = 1e-3
_ANY_DAY = Filter(on=None, released_only=False)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to make vectors: of sections (n, dimensions) and of a question (dimensions,)."""

    name: str
    passages: Callable[[list[list[int]]], Floats]
    question: Callable[[str], Floats]


def token_ways(limits: tuple[int, ...]) -> list[Way]:
    """The embedder on the first tokens of a section."""
    model = embedder()
    return [
        Way(
            f"first {limit} tokens",
            lambda texts, limit=limit: model.embed_tokens([cut(tokens, limit) for tokens in texts]),  # type: ignore[misc]
            model.embed_query,
        )
        for limit in limits
    ]


def cut(tokens: list[int], limit: int) -> list[int]:
    """The first `limit` tokens, the closing one kept."""
    return tokens if len(tokens) <= limit else [*tokens[: limit - 1], tokens[-1]]


def static_way(texts: list[list[int]]) -> Way:
    """Static token vectors; frequencies are those of `texts`."""
    model = embedder()
    counts = Counter(token for text in texts for token in text[1:-1])
    total = sum(counts.values())
    first, last = texts[0][0], texts[0][-1]
    table: dict[int, Floats] = {}
    known = list(counts)
    rows = model.embed_tokens([[first, token, last] for token in known])
    rows -= rows.mean(axis=0)
    for token, row in zip(known, rows, strict=True):
        table[token] = row * np.float32(_SIF / (_SIF + counts[token] / total))
    zero = np.zeros(model.dimensions, np.float32)

    def mean(tokens: list[int]) -> Floats:
        vector = np.sum([table.get(token, zero) for token in tokens[1:-1]] or [zero], axis=0)
        unit: Floats = vector / max(float(np.linalg.norm(vector)), 1e-9)
        return unit

    return Way(
        "static token vectors",
        lambda passages: np.stack([mean(tokens) for tokens in passages]),
        lambda question: mean(model.passage_tokens(question)),
    )


def sections_of(retriever: Retriever) -> list[list[int]]:
    """The tokens of every section of the tree, in the order of the snapshot's sections."""
    snapshot = retriever.snapshot()
    model = embedder()
    texts: list[list[int]] = [[] for _ in range(snapshot.sections)]
    for row, path in enumerate(snapshot.paths):
        parsed = document.load(retriever.root, path)
        for place, section in enumerate(document_sections(parsed)):
            texts[int(snapshot.first[row]) + place] = model.passage_tokens(chunks(parsed.facts.title, section)[0])
    return texts


def quality(retriever: Retriever, questions: tuple[bench_sets.Question, ...], way: Way, vectors: Floats) -> list[float]:
    """hit@1 and hit@5 of the vectors alone, then of words and vectors together."""
    snapshot = retriever.snapshot()
    passed = snapshot.allowed(_ANY_DAY)
    scale = _scale(vectors)
    hits = [0, 0, 0, 0]
    for question in questions:
        cosines = scale(vectors @ way.question(question.text))
        order = np.argsort(-cosines)
        sense = ranking.Sense(
            lambda count, order=order: order[:count],  # type: ignore[misc]
            lambda sections, cosines=cosines: (cosines[sections], cosines[sections]),  # type: ignore[misc]
            float(cosines.mean()),
            float(cosines.std()),
        )
        meaning = ranking.Meaning(sense, sense)
        together = ranking.rank(snapshot, retriever.question(snapshot, question.text), passed, meaning, 30)
        lists = (
            [snapshot.paths[int(snapshot.document_of[section])] for section in order[:40].tolist()],
            [snapshot.paths[candidate.document] for candidate in together],
        )
        for place, paths in enumerate(lists):
            best = list(dict.fromkeys(paths))[:5]
            hits[2 * place] += best[:1] != [] and best[0] in question.gold
            hits[2 * place + 1] += any(path in question.gold for path in best)
    return [count / len(questions) for count in hits]


def _scale(vectors: Floats) -> Callable[[Floats], Floats]:
    """Bring cosines of other vectors to the range that the weights were fitted for: 0.75 to 0.93."""
    pairs = vectors[:: max(1, len(vectors) // 400)]
    spread = np.sort((pairs @ pairs.T)[np.triu_indices(len(pairs), 1)])
    low, high = float(np.quantile(spread, 0.5)), float(np.quantile(spread, 0.999))
    return lambda cosines: (0.79 + 0.12 * (cosines - low) / max(high - low, 1e-6)).astype(np.float32)


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=["zh-agri", "en-agri", "device-faq zh>en"])
    parser.add_argument("--limit", type=int, default=400, help="questions a set")
    parser.add_argument("--tokens", nargs="*", type=int, default=[64, 128, 256, 512])
    options = parser.parse_args()
    print(f"{datetime.date.today()}, one thread\n")
    for entry in bench_sets.load(tuple(options.sets)):
        retriever = open_retriever(
            entry.docs,
            PROJECT / "build" / "bench" / entry.docs.relative_to(bench_sets.folder() or PROJECT),
            meaning=False,
        )
        texts = sections_of(retriever)
        print(f"{entry.name}: {len(texts)} sections, {np.mean([len(text) for text in texts]):.0f} tokens each\n")
        print("| vectors | ms a section | alone hit@1 / hit@5 | with words hit@1 / hit@5 |\n|---|---|---|---|")
        for way in [*token_ways(tuple(options.tokens)), static_way(texts)]:
            started = time.perf_counter()
            vectors = way.passages(texts)
            spent = (time.perf_counter() - started) * 1000 / len(texts)
            found = quality(retriever, entry.questions[: options.limit], way, vectors)
            print("| {} | {:.1f} | {:.3f} / {:.3f} | {:.3f} / {:.3f} |".format(way.name, spent, *found), flush=True)
        print()
        retriever.close()


if __name__ == "__main__":
    main()
