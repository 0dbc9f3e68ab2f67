"""How much of what documents say memory holds, how right it is, and how it answers beside the full text.

    make bench-memory
    python scripts/bench_memory.py --show rules      (what is missing; never look at `held` while writing rules)

The rules were written on `rules`, `wider`, `more`, `judged`, `varied`; `held`, `unseen`, `last`, `sealed` are for
measuring only. Facts, relations, events and limits are marked by hand in tests/data/memory. Answers: the best record
holds the marked value; beside it the answer that the full text gives for the same question (quotes, no model) over the
same documents. Tokens: the eight records that search_memory gives, beside the whole document that holds the answer, by
the answer model's.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from bench_child import percentile  # noqa: E402
from bench_runtime import embedder, load_engine, model  # noqa: E402
from make_manuals import make  # noqa: E402
from memory_truth import (  # noqa: E402
    Names,
    Truth,
    bare,
    holds_event,
    holds_fact,
    holds_relation,
    is_relation,
    read_truth,
    same_name,
    says,
)

from kb.answer.answerer import Answerer  # noqa: E402
from kb.memory import client_records  # noqa: E402
from kb.memory.client import MemoryClient  # noqa: E402
from kb.memory.client_records import MemoryRecord  # noqa: E402
from kb.memory.meaning import SearchMeaning  # noqa: E402
from kb.memory.pipeline import DocPipeline  # noqa: E402
from kb.memory.schema import Attribute, Entity, EntityType, Segment, Source, record_id  # noqa: E402
from kb.memory.store import MemoryStore  # noqa: E402
from kb.memory.store_ingest import file_jobs, ingest, tree_jobs  # noqa: E402
from kb.memory.store_rows import DocumentFacts  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.sections import weight  # noqa: E402

DATA = PROJECT / "tests" / "data" / "memory"
DAY = datetime.date(2026, 6, 1)
Count = Callable[[str], int]


def tokenizer() -> tuple[str, Count]:
    """The answer model's tokens; where there is no model, Chinese characters plus 0.35 of the others."""
    try:
        from kb.answer.text_model import TextModel

        load_engine()
        count = TextModel(model("answer_model"), 1).count
        count("x")
        return "tokens", count
    except Exception as error:  # noqa: BLE001 - any lack of a model is the same to this benchmark
        print(f"no tokenizer ({type(error).__name__}): tokens are estimated")
        return "estimated tokens", lambda text: round(weight(text))


def measure(name: str, count: Count, show: bool) -> None:
    """One half: recall, precision, duplicates, answers, tokens."""
    documents = read_truth(DATA / f"{name}.txt")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "docs"
        tree.mkdir()
        for truth in documents:
            (tree / truth.name).write_text(truth.text, "utf-8")
        store = MemoryStore(Path(folder) / "home")
        started = time.perf_counter()
        report = ingest(store, tree_jobs(tree))
        spent = time.perf_counter() - started
        assert not report.failed
        client = MemoryClient(store, DAY)
        print(f"\n{name}: {len(documents)} documents, read in {spent:.1f} s")
        names = _names(client)
        _recall(store, names, documents, show)
        _precision(store, names, documents, show)
        _duplicates(store, documents, show)
        if any(mark[3] for truth in documents for mark in truth.of("facts")):
            _answers(client, tree, Path(folder), documents, count, show)
        store.close()


def _records(store: MemoryStore, doc_id: str) -> list[MemoryRecord]:
    return client_records.read(store.connection, "r.doc_id=?", (doc_id,))


def _names(client: MemoryClient) -> Names:
    @functools.cache
    def names(name: str) -> set[str]:
        view = client.get_entity(name)
        return {name, *(known.name for known in view.names)} if view else {name}

    return names


def _recall(store: MemoryStore, names: Names, documents: list[Truth], show: bool) -> None:
    tests = {"facts": holds_fact, "relations": holds_relation, "events": holds_event, "constraints": _holds_constraint}
    for part, test in tests.items():
        marks = [(truth, mark) for truth in documents for mark in truth.of(part)]
        if not marks:
            continue
        missing = [(truth, mark) for truth, mark in marks if not test(_records(store, truth.name), mark, names)]
        print(f"  recall of {part}: {len(marks) - len(missing)} of {len(marks)} = {1 - len(missing) / len(marks):.3f}")
        for truth, mark in missing if show else ():
            print(f"    missing in {truth.name}: {' | '.join(mark)}")


def _holds_constraint(records: list[MemoryRecord], mark: tuple[str, ...], names: Names) -> bool:
    return any(record.kind == "constraint" and bare(mark[0]) in bare(record.value) for record in records)


def _precision(store: MemoryStore, names: Names, documents: list[Truth], show: bool) -> None:
    """Relations beside the marked ones; `also` lists right ones that are not asked for."""
    total = right = 0
    for truth in documents:
        marks = [*truth.of("relations"), *truth.of("also")]
        for record in _records(store, truth.name):
            if record.kind != "relation":
                continue
            total += 1
            found = any(is_relation(record, mark, names) for mark in marks)
            right += found
            if show and not found:
                print(f"    not marked in {truth.name}: {record.text}   «{record.place.quote[:60]}»")
    print(f"  relations that are marked right: {right} of {total} = {right / max(total, 1):.3f}")


def _duplicates(store: MemoryStore, documents: list[Truth], show: bool) -> None:
    """Entities beyond the first that bear a marked name."""
    rows = store.connection.execute(
        "SELECT DISTINCT e.node, n.name FROM names n JOIN entities e ON e.id=n.entity WHERE n.local=0"
    ).fetchall()
    total = store.connection.execute("SELECT count(*) FROM nodes").fetchone()[0]
    names = {mark[0] for truth in documents for mark in truth.of("facts")}
    names |= {mark[place] for truth in documents for mark in truth.of("relations") for place in (0, 2)}
    extra = 0
    for name in sorted(names):
        nodes = {node for node, known in rows if same_name(known, name)}
        extra += max(len(nodes) - 1, 0)
        if show and len(nodes) > 1:
            print(f"    {len(nodes)} entities are called {name}")
    print(f"  duplicate entities: {extra} of {total} = {extra / max(total, 1):.3f}")


def _answers(client: MemoryClient, tree: Path, folder: Path, documents: list[Truth], count: Count, show: bool) -> None:
    retriever = Retriever(tree, folder / "index")
    answerer = Answerer(retriever, clock=lambda: DAY)
    questions = [(truth, mark) for truth in documents for mark in truth.of("facts") if mark[3]]
    by_memory = by_eight = by_text = 0
    shares: list[float] = []
    spent: list[float] = []
    for truth, (_, _, value, question) in questions:
        started = time.perf_counter()
        found = client.search_memory(question)
        spent.append(time.perf_counter() - started)
        best = bool(found) and says(found[0], value)
        by_memory += best
        by_eight += any(says(record, value) for record in found)
        answer = answerer.ask(question)
        text = " ".join((answer.text, *(item.plain for item in answer.evidence[:1])))
        by_text += bare(value) in bare(text) or _cells(value, text)
        said = "\n".join([record.text, *(note.text for note in record.constraints)][0] for record in found)
        shares.append(count(said) / max(count(truth.text), 1))
        if show and not best:
            print(f"    {question} -> {found[0].text if found else None}   (wanted {value})")
    total = len(questions)
    print(f"  answers from memory: first record right {by_memory} of {total} = {by_memory / total:.3f}")
    print(f"    right one among the eight: {by_eight / total:.3f}; median {1000 * statistics.median(spent):.0f} ms")
    print(f"  answers from the full text (quotes): {by_text} of {total} = {by_text / total:.3f}")
    print(f"  eight records beside the document that answers: {statistics.mean(shares):.2f} of its tokens")
    _by_meaning(client.store, retriever, [(mark[3], mark[2]) for _, mark in questions])
    retriever.close()


def _by_meaning(store: MemoryStore, retriever: Retriever, questions: list[tuple[str, str]]) -> None:
    """The same questions with the embedder's help."""
    try:
        found = embedder()
    except Exception as error:  # noqa: BLE001 - any lack of a model is the same to this benchmark
        print(f"  no embedder ({type(error).__name__}): not asked by meaning")
        return
    retriever.use_embedder(model("embedder").identity, found.dimensions, found.embed_query, found.embed_passages)
    retriever.embed_missing(found.embed_passages)
    client = MemoryClient(store, DAY, SearchMeaning(retriever))
    started = time.perf_counter()
    answers = [(client.search_memory(question), value) for question, value in questions]
    spent = 1000 * (time.perf_counter() - started) / len(questions)
    first = sum(bool(records) and says(records[0], value) for records, value in answers)
    among = sum(any(says(record, value) for record in records) for records, value in answers)
    print(f"  by words and meaning: {first} first, {among} among eight, of {len(questions)}; {spent:.0f} ms")


def _cells(value: str, text: str) -> bool:
    """Whether number and unit both stand in the text: a table row has the unit in its header."""
    parts = value.split()
    return len(parts) == 2 and all(bare(part) in bare(text) for part in parts)


def made() -> None:
    """The facts of PDF and DOCX that `make_manuals` makes, through reading and extraction, with their pages."""
    with tempfile.TemporaryDirectory() as folder:
        paths = make(Path(folder) / "made")
        store = MemoryStore(Path(folder) / "home")
        report = ingest(store, file_jobs(paths, DocPipeline(home=Path(folder) / "home").extract_blocks))
        assert not report.failed
        total = found = paged = 0
        for done, path in zip(report.done, paths, strict=True):
            truth = json.loads(path.with_suffix(f"{path.suffix}.json").read_text("utf-8"))
            records = client_records.read(store.connection, "r.doc_id=?", (done.doc_id,))
            for fact in truth["facts"]:
                if not (fact["attribute"] and fact["value"]):
                    continue
                total += 1
                holding = [record for record in records if says(record, fact["value"])]
                holding += [each for each in records if each.kind == "constraint" and fact["value"] in each.value]
                found += bool(holding)
                paged += any(record.place.page == fact["page"] or not fact["page"] for record in holding)
        print(f"\nmade: {len(paths)} PDF and DOCX")
        print(f"  values of facts: {found} of {total} = {found / total:.3f}; of them on their page: {paged}")
        store.close()


def shipped(count: Count) -> None:
    """The questions of tests/eval on the documents that ship: real lengths, nothing of it was marked for memory."""
    from tests.eval.sample_questions import ANSWERED

    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(Path(folder) / "home")
        started = time.perf_counter()
        report = ingest(store, tree_jobs(PROJECT / "docs"))
        print(f"\ndocs/: {len(report.done)} documents, read in {time.perf_counter() - started:.1f} s")
        client = MemoryClient(store, DAY)
        first = among = 0
        shares: list[float] = []
        for question, _, wanted in ANSWERED:
            found = client.search_memory(question)
            holding = [bare(wanted) in bare(record.text + record.place.quote) for record in found]
            first += holding[:1] == [True]
            among += any(holding)
            if any(holding):
                text = (PROJECT / "docs" / found[holding.index(True)].place.path).read_text("utf-8")
                shares.append(count("\n".join(record.text for record in found)) / count(text))
        print(f"  first record holds the answer: {first} of {len(ANSWERED)}; one of eight does: {among}")
        print(f"  eight records beside the document that answers: {statistics.mean(shares):.2f} of its tokens")
        store.close()


def many_entities(size: int) -> None:
    """get_entity in a memory of `size` entities."""
    with tempfile.TemporaryDirectory() as folder:
        store = MemoryStore(Path(folder))
        started = time.perf_counter()
        per_document = 2000
        for first in range(0, size, per_document):
            _fill(store, first, min(per_document, size - first))
        print(f"\n{size} entities stored in {time.perf_counter() - started:.0f} s")
        client = MemoryClient(store, DAY)
        for label, ask in (
            ("get_entity", lambda number: client.get_entity(f"Part P-{number:06}")),
            ("search_memory", lambda number: client.search_memory(f"mass of Part P-{number:06}")),
        ):
            spent = []
            for number in range(7, size, max(size // 200, 1)):
                started = time.perf_counter()
                assert ask(number)
                spent.append(1000 * (time.perf_counter() - started))
            print(f"  {label}: median {statistics.median(spent):.2f} ms, 95 % {percentile(spent, 0.95):.2f} ms")
        store.close()


def _fill(store: MemoryStore, first: int, size: int) -> None:
    doc_id, lines, entities, place = f"parts-{first}", [], [], 0
    for number in range(first, first + size):
        line = f"Part P-{number:06} has a mass of {number % 97 + 1} kg."
        source = Source(doc_id, doc_id, 0, (1, 1), place, place + len(line), "", line)
        name = f"Part P-{number:06}"
        attribute = Attribute(record_id(doc_id, number), "mass", f"{number % 97 + 1} kg", "kg", source)
        entities.append(Entity(record_id(doc_id, name), name, EntityType.THING, source, (), (attribute,)))
        lines.append(line)
        place += len(line) + 1
    segment = Segment(0, "\n".join(lines), (1, size))
    store.ingest(doc_id, entities, (), (), (segment,), facts=DocumentFacts(doc_id))


def main() -> None:
    """Both halves, then many entities."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", metavar="HALF", help="measure this half alone and list what is missing")
    parser.add_argument("--entities", type=int, default=100_000, metavar="N", help="0 leaves this part out")
    arguments = parser.parse_args()
    label, count = tokenizer()
    print(f"tokens: {label}")
    for name in (
        (arguments.show,)
        if arguments.show
        else ("rules", "wider", "more", "judged", "varied", "held", "unseen", "last", "sealed")
    ):
        measure(name, count, bool(arguments.show))
    if not arguments.show:
        made()
        shipped(count)
    if arguments.entities and not arguments.show:
        many_entities(arguments.entities)


if __name__ == "__main__":
    main()
