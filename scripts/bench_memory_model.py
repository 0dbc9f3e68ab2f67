"""Whether a small model names the values of a sentence better than the rules: it writes JSON under a schema's grammar.

    python scripts/bench_memory_model.py            (the set that the rules were written on; --set NAME for another)

The values are found by the rules and are the keys of the object that the model has to fill, so it can invent none; it
writes only what each is the value of. A fact is found when half of its attribute's words stand in that name; whose
value it is does not count here, for the rules beside it neither. Words of a name that do not stand in the sentence
are counted.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from bench_runtime import assets, load_engine  # noqa: E402
from memory_truth import bare, read_truth  # noqa: E402

from kb.answer.agent.grammar import schema_grammar  # noqa: E402
from kb.answer.text_model import TextModel  # noqa: E402
from kb.memory.extract.constraints import limits  # noqa: E402
from kb.memory.extract.mentions import HAN, KnownNames  # noqa: E402
from kb.memory.extract.statement import Statement  # noqa: E402
from kb.memory.extract.statements import statements  # noqa: E402
from kb.memory.extract.written import written  # noqa: E402
from kb.paths import model_file  # noqa: E402
from kb.search.tokens import terms  # noqa: E402

DATA = PROJECT / "tests" / "data" / "memory"
SHOTS = {
    "zh": (
        ("轴承每月加脂 15 g，温升不超过 40 ℃。", {"15 g": "轴承加脂量", "不超过 40 ℃": "轴承温升"}),
        ("乙方应在 7 日内付款，逾期按 1% 计息。", {"7 日内": "乙方付款期限", "1%": "逾期计息"}),
    ),
    "en": (
        (
            "Grease the hinge with 5 g every 30 days.",
            {"5 g": "grease for the hinge", "30 days": "interval of greasing the hinge"},
        ),
        ("The fan draws 2 A and weighs 9 kg.", {"2 A": "current of the fan", "9 kg": "weight of the fan"}),
    ),
}
SENTENCE, NAMES = {"zh": "句子", "en": "Sentence"}, {"zh": "数值的含义", "en": "What each value is"}


def prompt(sentence: str, lang: str) -> str:
    """Two sentences with their values named, then this one."""
    shots = [
        f"{SENTENCE[lang]}: {text}\n{NAMES[lang]}: {json.dumps(names, ensure_ascii=False)}\n"
        for text, names in SHOTS[lang]
    ]
    return "\n".join([*shots, f"{SENTENCE[lang]}: {sentence}\n{NAMES[lang]}:"])


def named(model: TextModel, sentence: str, values: list[str], lang: str) -> dict[str, str]:
    """The names that the model gives to values; none where it did not come to an end."""
    name = {"type": "string", "minLength": 2, "maxLength": 40}
    schema = {"type": "object", "properties": dict.fromkeys(values, name), "required": values}
    done = model.complete(prompt(sentence, lang), 200, stop=("\n",), grammar=schema_grammar(schema))
    try:
        return dict(json.loads(done.text))
    except ValueError:
        return {}


def covers(name: str, attribute: str) -> bool:
    """Whether half of the attribute's words stand in a name."""
    wanted = set(terms(attribute))
    return len(wanted & set(terms(name))) * 2 >= len(wanted)


def sentences(name: str) -> list[tuple[str, str, list[tuple[str, str]], list[Statement]]]:
    """The sentences with marked facts: text, language, attributes with values, and what the rules say."""
    found = []
    for truth in read_truth(DATA / f"{name}.txt"):
        marks = [(mark[1], mark[2]) for mark in truth.of("facts")]
        for paragraph in truth.text.split("\n"):
            if paragraph.startswith(("|", "#")):
                continue
            for sentence in written(paragraph, 0, item=True).sentences():
                held = [mark for mark in marks if bare(mark[1]) in bare(sentence.plain)]
                said = statements(sentence.plain, limits(sentence.plain), [], KnownNames(()))
                said = [item for item in said if item.kind != "text"]
                if held and said:
                    lang = "zh" if re.search(f"[{HAN}]", sentence.plain) else "en"
                    found.append((sentence.plain, lang, held, said))
    return found


def measure(kind: str, name: str, limit: int) -> None:
    """One model over one set, beside the rules, by language."""
    source = model_file(Path(assets()[f"{kind}_model"]), assets()[f"{kind}_sha256"])
    model = TextModel(source, 2)
    for lang in ("zh", "en"):
        total = rules = right = words = invented = failed = 0
        started = time.perf_counter()
        mine = [item for item in sentences(name) if item[1] == lang][:limit]
        for text, _, held, said in mine:
            names = named(model, text, list(dict.fromkeys(item.value for item in said)), lang)
            failed += not names
            for attribute, value in held:
                total += 1
                rules += any(bare(value) in bare(item.value) and covers(item.name, attribute) for item in said)
                right += any(bare(value) in bare(key) and covers(given, attribute) for key, given in names.items())
            there = set(terms(text))
            for given in names.values():
                own = set(terms(given))
                words += len(own)
                invented += len(own - there)
        spent = (time.perf_counter() - started) / max(len(mine), 1)
        print(
            f"{source.name} {lang}: {len(mine)} sentences, {total} facts; by rules {rules}, by the model {right}; "
            f"words not in the sentence {invented / max(words, 1):.2f}; unfinished {failed}; {spent:.1f} s a sentence",
            flush=True,
        )
    model.close()


def main() -> None:
    """Both models that ship or are tried."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="varied", metavar="NAME", help="a file of tests/data/memory")
    parser.add_argument("--limit", type=int, default=1000, metavar="N", help="so many sentences of a language")
    arguments = parser.parse_args()
    load_engine()
    for kind in ("answer", "chat"):
        measure(kind, arguments.set, arguments.limit)


if __name__ == "__main__":
    main()
