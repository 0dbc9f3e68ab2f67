"""Evidence, grounding and refusal on the public question sets, beside the bare model with the same passages.

Part of `make bench-answer`. The knowledge is each set's whole base; nothing is told about the right document.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_runtime  # noqa: E402
import bench_sets  # noqa: E402
import logistic  # noqa: E402

from kb.answer import prompts  # noqa: E402
from kb.answer.answer import Answer, Way  # noqa: E402
from kb.answer.answerer import Answerer, Policy  # noqa: E402
from kb.answer.evaluation import Outcome, Question, judge, overlap  # noqa: E402
from kb.answer.text_model import TextModel  # noqa: E402
from kb.answer.weights import ANSWERS  # noqa: E402
from kb.search.normalise import normalise  # noqa: E402
from kb.search.retriever import Retriever  # noqa: E402
from kb.search.snapshot import Filter  # noqa: E402
from kb.texts import Lang  # noqa: E402
from kb.tree.document import language_of  # noqa: E402

ANY_DAY = Filter(on=None, released_only=False)
WITH_SPANS = ("zh-reading", "en-reading", "en-agri")
_PASSAGES = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with what came of it; `kind` is '' for one that the documents answer."""

    question: Question
    kind: str
    answer: Answer
    outcome: Outcome
    resolved: bool


def ask_all(entry: bench_sets.BenchSet, answerer: Answerer, limit: int) -> list[Asked]:
    """Ask answerable and other questions; nothing is refused, so that every threshold can be looked at."""
    chosen = [(item, "") for item in bench_sets.sample(entry.questions, limit)]
    others = bench_sets.unanswerable(entry.name)
    chosen += [
        (item, item.kind.split("/")[0] + " " + item.kind.split("/")[-1]) for item in bench_sets.sample(others, limit)
    ]
    found: list[Asked] = []
    for item, kind in chosen:
        question = Question(item.id, item.text, item.gold, item.answers)
        answer = answerer.ask(item.text, limits=ANY_DAY)
        found.append(Asked(question, kind, answer, judge(question, answer), resolves(entry.docs, answer)))
    return found


def resolves(docs: Path, answer: Answer) -> bool:
    """Whether every citation names lines that hold its quote."""
    for item in answer.evidence:
        lines = (docs / item.path).read_text("utf-8").split("\n")
        cited = " ".join("\n".join(lines[item.lines[0] - 1 : item.lines[1]]).replace(">", " ").split())
        if " ".join(item.text.replace(">", " ").split())[:200] not in cited:
            return False
    return True


def evidence_rows(name: str, found: list[Asked]) -> str:
    """One row of the evidence table."""
    good = [item for item in found if not item.kind]
    first = _share(item.outcome.evidence == 1 for item in good)
    three = _share(1 <= item.outcome.evidence <= 3 for item in good)
    holds = _share(item.outcome.holds for item in good)
    f1 = float(np.mean([item.outcome.f1 for item in good]))
    lacks = sum(item.outcome.unsupported for item in found)
    resolved = _share(item.resolved for item in found)
    times = [item.answer.timings.evidence_ms for item in found]
    middle, high = np.percentile(times, [50, 95])
    return (
        f"| {name} | {len(good)} | {first:.3f} | {three:.3f} | {holds:.3f} | {f1:.3f} | {lacks} of {len(found)} | "
        f"{resolved:.3f} | {middle:.0f} / {high:.0f} |"
    )


def refusal_rows(name: str, found: list[Asked]) -> list[str]:
    """Rows of the refusal table: by kind at 5 % false refusals, AUROC, and at the shipped threshold."""
    good = np.array([item.answer.confidence for item in found if not item.kind])
    cut = float(np.quantile(good, 0.05))
    shipped = ANSWERS[bench_sets.asked_in_chinese(name), True].refuse_below
    rows = []
    for kind in dict.fromkeys(item.kind for item in found if item.kind):
        bad = np.array([item.answer.confidence for item in found if item.kind == kind])
        area = logistic.area(good, bad)
        rows.append(
            f"| {name} | {kind} | {len(bad)} | {(bad < cut).mean():.3f} | {area:.3f} | {(bad < shipped).mean():.3f} | "
            f"{(good < shipped).mean():.3f} |"
        )
    return rows


def way_rows(name: str, found: list[Asked], answerer: Answerer, model: TextModel, limit: int) -> list[str]:
    """Quote, select, compose (a chat model only) and the bare model on the same questions."""
    asked = [item for item in found if not item.kind][:limit]
    rows = [_way_row(name, "quote", [item.answer for item in asked], asked)]
    ways = (Way.SELECT, Way.COMPOSE) if model.template else (Way.SELECT,)
    for way in ways:
        answerer.policy = replace(answerer.policy, way=way)
        given = [answerer.ask(item.question.text, limits=ANY_DAY) for item in asked]
        gave_way = sum(answer.replaced > 0 for answer in given)
        rows.append(_way_row(name, way.value, given, asked, str(gave_way)))
    answerer.policy = replace(answerer.policy, way=Way.QUOTE)
    alone = [replace(item.answer, text=bare(item, model)) for item in asked]
    rows.append(_way_row(name, "bare model", alone, asked))
    return rows


def bare(item: Asked, model: TextModel) -> str:
    """What peers do: the best passages in the prompt, the model's words as they come."""
    passage = " ".join(piece.plain for piece in item.answer.evidence[:_PASSAGES])
    lang: Lang = "zh" if language_of(item.question.text) == "zh" else "en"
    if model.template:
        prompt = model.apply_template(prompts.chat(item.question.text, [passage], lang))
        return model.complete(prompt, 96, ("\n\n",)).text
    return model.complete(prompts.few_shot(item.question.text, passage, lang), 96, ("\n",)).text


def _way_row(name: str, way: str, given: list[Answer], asked: list[Asked], gave_way: str = "") -> str:
    """Each answer is held against the evidence that it names itself."""
    said = [answer.text for answer in given]
    spans = [[normalise(span) for span in item.question.answers] for item in asked]
    holds = _share(any(span in normalise(text) for span in wanted) for text, wanted in zip(said, spans, strict=True))
    f1 = np.mean([max((overlap(text, span) for span in item.question.answers), default=0.0)
                  for text, item in zip(said, asked, strict=True)])  # fmt: skip
    strange = sum(judge(item.question, answer).unsupported for answer, item in zip(given, asked, strict=True))
    return (
        f"| {name} | {way} | {len(asked)} | {holds:.3f} | {f1:.3f} | {np.mean([len(text) for text in said]):.0f} | "
        f"{strange / max(len(said), 1):.3f} | {gave_way} |"
    )


def _share(flags: object) -> float:
    values = [bool(flag) for flag in flags]  # type: ignore[attr-defined]
    return sum(values) / len(values) if values else 0.0


def open_answerer(entry: bench_sets.BenchSet, model: TextModel) -> tuple[Retriever, Answerer]:
    """Answers over a set's base that never refuse, in quotes."""
    place = bench_sets.folder()
    assert place is not None
    retriever = bench_runtime.open_retriever(entry.docs, PROJECT / "build" / "bench" / entry.docs.relative_to(place))
    return retriever, Answerer(retriever, model=lambda: model, policy=Policy(refuse_below=0.0, way=Way.QUOTE))


def run(limit: int, worded: int) -> None:
    """Print the three tables; `limit` questions a set, `worded` of them through the models."""
    if bench_sets.folder() is None:
        print("evidence and refusal: skipped, the question sets are not here")
        return
    bench_runtime.load_engine()
    base = TextModel(bench_runtime.model("answer_model"), 1)
    chat = TextModel(bench_runtime.model("chat_model"), 1)
    evidence, refused, ways = [], [], []
    for entry in bench_sets.load(tuple(dict.fromkeys((*WITH_SPANS, *bench_sets.WITHOUT_ANSWER)))):
        retriever, answerer = open_answerer(entry, base)
        found = ask_all(entry, answerer, limit)
        refused += refusal_rows(entry.name, found)
        if entry.name in WITH_SPANS:
            evidence.append(evidence_rows(entry.name, found))
            ways += way_rows(entry.name, found, answerer, base, worded)
            if not entry.name.startswith("zh"):
                _, chatting = open_answerer(entry, chat)
                ways += [row.replace("| ", "| SmolLM2 ", 1) for row in
                         way_rows(entry.name, found, chatting, chat, worded)[1:]]  # fmt: skip
        retriever.close()
        print(f"  {entry.name}: {len(found)} questions", flush=True)
    print("| set | questions | evidence@1 | @3 | holds the span | F1 | unsupported | citations hold | ms p50 / p95 |")
    print("|---|---|---|---|---|---|---|---|---|", *evidence, sep="\n")
    print("| set | kind | questions | refused at 5 % false | AUROC | refused as shipped | false refusals as shipped |")
    print("|---|---|---|---|---|---|---|", *refused, sep="\n")
    print(
        "| set | way | questions | holds the span | F1 | characters | answers with text that is not there | gave way |"
    )
    print("|---|---|---|---|---|---|---|---|", *ways, sep="\n")
