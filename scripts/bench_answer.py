"""Question to evidence, to first token, to the end; speed beside the bare library; memory; opening 10,000 documents.

Runs in process on the knowledge that ships. Each figure that needs a clean process is measured in a child.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import bench_child  # noqa: E402
import bench_grounding  # noqa: E402
import bench_runtime  # noqa: E402
import bench_sets  # noqa: E402

from kb.answer.answer import Way  # noqa: E402
from kb.answer.answerer import Answerer, Policy  # noqa: E402
from kb.answer.text_model import TextModel  # noqa: E402
from kb.device import look  # noqa: E402
from kb.search import engine  # noqa: E402
from kb.sizing import default_threads  # noqa: E402

QUESTIONS = (
    "大豆R5期追施多少钾肥", "大豆播种深度是多少", "水稻浸种水温和时间", "小麦拔节期追多少尿素", "玉米籽粒机收水分要求",
    "种薯贮藏温度", "三环唑安全间隔期几天", "草地贪夜蛾大喇叭口期防治指标", "15 L 水稀释 800 倍加多少药",
    "磷酸二铵含氮磷多少", "玉米入库安全水分", "磷化铝熏蒸后散气几天", "支付网关读取超时是多少", "E-12 是什么故障",
    "拖拉机机油多久换一次", "滴灌过滤器压差多少要反冲洗", "What torque for an M12 10.9 bolt?",
    "How long to preheat below -10 °C before starting?", "Default REI for signal word WARNING?",
    "Which brooding temperature in the first week?", "How deep should soybeans be planted?",
    "At what PSNT level is no sidedress nitrogen needed?",
)  # fmt: skip


def answers(threads: int) -> None:
    """Times of the questions, with the model's speed."""
    retriever = bench_runtime.open_retriever(PROJECT / "docs", PROJECT / "build" / "bench" / "docs")
    rest = _memory()
    model = TextModel(bench_runtime.model("answer_model"), threads)
    answerer = Answerer(retriever, model=lambda: model, policy=Policy(way=Way.SELECT))
    answerer.ask(QUESTIONS[0])
    results = [answerer.ask(question) for question in QUESTIONS]
    rows = {
        "evidence": [result.timings.evidence_ms for result in results],
        "first token": [r.timings.first_token_ms for r in results if r.timings.first_token_ms is not None],
        "whole answer": [result.timings.total_ms for result in results],
    }
    print(f"{len(results)} questions, {sum(r.refused for r in results)} refused, {threads} threads")
    print("| from the question to | p50 ms | p95 ms |\n|---|---|---|")
    for name, values in rows.items():
        print(f"| {name} | {statistics.median(values):.0f} | {bench_child.percentile(values, 0.95):.0f} |")
    speed(model)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"| memory with index and embedder MB | {rest:.0f} |\n| memory at peak, both models MB | {peak:.0f} |")


def _memory() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def speed(model: TextModel) -> None:
    """Tokens a second through Almanac's loop beside llama_decode alone on as many tokens."""
    prompt = "资料：" + "大豆播种深度为三到五厘米，土壤墒情好时宜浅。" * 6 + "\n问题：播种多深？\n答案："
    done = model.complete(prompt, 64, stop=("\0",))
    ours = (done.tokens - 1) / (done.total_s - done.first_s)
    read = done.prompt_tokens / done.prompt_s
    library = engine.api()
    context = model._context
    token = (ctypes.c_int32 * 1)(100)
    started = time.perf_counter()
    for _ in range(64):
        library.llama_decode(context, library.llama_batch_get_one(token, 1))
    raw = 64 / (time.perf_counter() - started)
    print("| speed | tokens/s |\n|---|---|")
    print(f"| prompt | {read:.0f} |\n| answer | {ours:.1f} |\n| llama_decode alone | {raw:.1f} |")
    print(f"| share of the library's speed | {ours / raw:.2f} |")


_OPEN = """
import re, sys, time
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1000
before = peak()
started = time.perf_counter()
{code}
print((time.perf_counter() - started) * 1000, peak() - before)
"""
_OPENERS = {
    "KnowledgeRetriever(root)": "from kb import KnowledgeRetriever\nKnowledgeRetriever(sys.argv[1])",
    "KnowledgeRetriever(root).list()": "from kb import KnowledgeRetriever\nKnowledgeRetriever(sys.argv[1]).list()",
    "paths and front matter from the index": "from pathlib import Path\nfrom kb.search.index import Index\n"
    "kept = Index.open(Path(sys.argv[1]), Path(sys.argv[2])).front_matter()",
    "reading every file": "import pathlib\nkept = [p.read_text() for p in pathlib.Path(sys.argv[1]).rglob('*.md')]",
}


def opening(count: int) -> None:
    """Open `count` documents of 8 KB each, beside reading them all."""
    place = bench_sets.folder()
    if place is None:
        print("opening: skipped, the question sets are not here")
        return
    with tempfile.TemporaryDirectory(prefix="almanac-scale-") as name:
        tree, index = Path(name, "tree"), Path(name, "index")
        subprocess.run([sys.executable, str(place / "make_scale.py"), str(tree), str(count)], check=True)
        started = time.perf_counter()
        bench_runtime.open_retriever(tree, index, meaning=False).close()
        spent = time.perf_counter() - started
        print(f"indexed {count} documents in {spent:.0f} s ({count / spent:.0f} a second)")
        print("| opening | ms | MB above the interpreter |\n|---|---|---|")
        for label, code in _OPENERS.items():
            command = [sys.executable, "-c", _OPEN.format(code=code), str(tree.resolve()), str(index)]
            done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=PROJECT)
            spent_ms, memory = map(float, done.stdout.split())
            print(f"| {label} | {spent_ms:.0f} | {memory:.0f} |")


def main() -> None:
    """Print the tables for BENCHMARKS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=default_threads(look().cores))
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=250, help="questions of each public set (0: none)")
    parser.add_argument("--worded", type=int, default=60, help="of these, how many go through the answer models")
    options = parser.parse_args()
    print(json.dumps({"machine": os.uname().machine, "cores": os.cpu_count(), "date": time.strftime("%Y-%m-%d")}))
    answers(options.threads)
    if options.questions:
        bench_grounding.run(options.questions, options.worded)
    if options.documents:
        opening(options.documents)


if __name__ == "__main__":
    main()
