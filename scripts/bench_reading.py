"""How well documents are read: on made ones (with truth) beside other readers, on real ones without a crash.

    python scripts/bench_reading.py [--real DIR] [--markitdown PYTHON] [--pages N]

Figures, per reader: `found` texts of the truth that are in the result whole; `order` pairs of neighbouring texts that
stand in the right order; `cells` table cells that stand in their row and column; `heads` headings found as such;
`clean` texts that must not be there (page headers, deleted words) and are not; seconds for all documents.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from make_manuals import make
from manual_words import Truth, faults, sentences
from pdf_setter import Setter
from pdf_writer import write_pdf

from kb.errors import AlmanacError
from kb.memory.pipeline import DocPipeline

Rows = Sequence[Sequence[str]]


@dataclass
class Score:
    """Hits and possible hits of each measure."""

    hits: dict[str, int] = field(default_factory=dict)
    of: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, name: str, hits: int, of: int) -> None:
        """Count `hits` out of `of`."""
        self.hits[name] = self.hits.get(name, 0) + hits
        self.of[name] = self.of.get(name, 0) + of

    def share(self, name: str) -> float:
        """The share of hits, 1 where there was nothing to hit."""
        return self.hits.get(name, 0) / self.of[name] if self.of.get(name) else 1.0


def folded(text: str) -> str:
    """Text without white space and Markdown's marks, so that only words, numbers and their order count."""
    text = re.sub(r"\[\^[^\]]{1,12}\]", "", text)
    return re.sub(r"[\s\\*#]|<br>|<!--.*?-->", "", text)


def markdown_tables(markdown: str) -> list[list[list[str]]]:
    """The tables of a Markdown text as rows of cells."""
    found: list[list[list[str]]] = []
    inside = False
    for line in markdown.split("\n"):
        if line.strip().startswith("|") and line.strip().endswith("|"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
            if all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                continue
            if not inside:
                found.append([])
            found[-1].append(cells)
            inside = True
        else:
            inside = False
    return found


def score(truth: dict[str, Any], text: str, tables: Sequence[Rows], headings: Sequence[str], into: Score) -> None:
    """Compare a result with the truth."""
    whole = folded(text)
    # A repeated sentence is looked for behind the one before it.
    places: list[int] = []
    cursor = 0
    for each in truth["order"]:
        wanted = folded(each)
        place = whole.find(wanted, cursor)
        place = place if place >= 0 else whole.find(wanted)
        places.append(place)
        cursor = max(cursor, place)
    into.add("found", sum(place >= 0 for place in places), len(places))
    pairs = list(pairwise(places))
    into.add("order", sum(0 <= first < second for first, second in pairs), len(pairs))
    for rows in truth["tables"]:
        into.add("cells", max((_cells(rows, each) for each in tables), default=0), sum(len(row) for row in rows))
    known = {folded(each) for each in headings}
    into.add("heads", sum(folded(each) in known for _, each in truth["headings"]), len(truth["headings"]))
    into.add("clean", sum(folded(each) not in whole for each in truth["absent"]), len(truth["absent"]))
    into.add("notes", sum(folded(each) in whole for each in truth["footnotes"]), len(truth["footnotes"]))


def _cells(rows: Rows, read: Rows) -> int:
    """How many cells stand where they should, rows matched by position; an empty header row above is forgiven."""
    return max(
        sum(
            folded(cell) == folded(read[row + shift][column])
            for row, cells in enumerate(rows)
            for column, cell in enumerate(cells)
            if row + shift < len(read) and column < len(read[row + shift])
        )
        for shift in (0, 1)
    )


Result = tuple[str, Sequence[Rows], Sequence[str]]
"""Text, tables, headings."""


def _of_markdown(markdown: str) -> Result:
    headings = [line.lstrip("#").strip() for line in markdown.split("\n") if re.match(r"#{1,6} ", line)]
    return markdown, markdown_tables(markdown), headings


def with_almanac(home: Path) -> Callable[[Path], Result]:
    """Almanac's own reader, in its child process."""
    pipeline = DocPipeline(home=home)

    def read(path: Path) -> Result:
        return _of_markdown(pipeline.to_markdown(pipeline.extract_blocks(path)))

    return read


def with_pdfplumber(path: Path) -> Result:
    """pdfplumber's text and tables, page by page (PDF only)."""
    import pdfplumber

    if path.suffix != ".pdf":
        raise ValueError("PDF only")
    with pdfplumber.open(path) as document:
        text = "\n".join(page.extract_text() or "" for page in document.pages)
        tables = [
            [[cell or "" for cell in row] for row in table]
            for page in document.pages
            for table in page.extract_tables()
        ]
    return text, tables, []


def with_markitdown(python: str) -> Callable[[Path], Result]:
    """markitdown in an environment of its own, given by its Python."""
    code = (
        "import sys;from markitdown import MarkItDown;"
        "sys.stdout.buffer.write(MarkItDown().convert(sys.argv[1]).text_content.encode())"
    )

    def read(path: Path) -> Result:
        done = subprocess.run([python, "-c", code, str(path)], capture_output=True, timeout=300, check=True)
        return _of_markdown(done.stdout.decode("utf-8", "replace"))

    return read


def measure(name: str, read: Callable[[Path], Result], documents: Sequence[Path], verbose: bool) -> Score:
    """Read all documents with one reader and compare."""
    total = Score()
    for path in documents:
        truth = json.loads(path.with_suffix(f"{path.suffix}.json").read_text("utf-8"))
        one = Score()
        started = time.monotonic()
        try:
            result = read(path)
        except ValueError:
            continue
        total.seconds += time.monotonic() - started
        score(truth, *result, into=one)
        for measure_name, of in one.of.items():
            total.add(measure_name, one.hits[measure_name], of)
        missed = [f"{key} {one.hits[key]}/{one.of[key]}" for key in one.of if one.hits[key] < one.of[key]]
        if verbose and missed:
            print(f"    {name} {path.name}: {', '.join(missed)}")
    return total


def real_files(folder: Path) -> Iterator[Path]:
    """The documents of other people, without truth."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in (".pdf", ".docx", ".html", ".txt", ".md"):
            yield path


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=Path, help="a folder with real documents: read all, report")
    parser.add_argument("--markitdown", metavar="PYTHON", help="a Python that has markitdown")
    parser.add_argument("--pages", type=int, default=0, help="also read a PDF of N pages and time it")
    parser.add_argument("--verbose", action="store_true", help="name what was missed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-reading-") as scratch:
        folder = Path(scratch)
        documents = make(folder / "made")
        readers: dict[str, Callable[[Path], Result]] = {"almanac": with_almanac(folder / "home")}
        readers["pdfplumber"] = with_pdfplumber
        if options.markitdown:
            readers["markitdown"] = with_markitdown(options.markitdown)
        print(f"{len(documents)} made documents")
        names = ("found", "order", "cells", "heads", "clean", "notes")
        print("  " + "reader".ljust(12) + "".join(name.rjust(8) for name in names) + " seconds")
        for suffix in ("pdf", "docx"):
            for name, read in readers.items():
                some = [path for path in documents if path.suffix == f".{suffix}"]
                total = measure(name, read, some, options.verbose)
                if total.of:
                    shares = "".join(f"{total.share(each):8.3f}" for each in names)
                    print(f"  {suffix} {name}".ljust(18) + shares + f"{total.seconds:8.1f}")
        if options.real:
            _real(options.real, folder / "home")
        if options.pages:
            _long(options.pages, folder)
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"largest child process: {child} MB")


def _real(folder: Path, home: Path) -> None:
    pipeline = DocPipeline(home=home)
    started = time.monotonic()
    read = refused = 0
    for path in real_files(folder):
        try:
            pipeline.to_markdown(pipeline.extract_blocks(path))
            read += 1
        except AlmanacError as error:
            refused += 1
            print(f"    {path.name}: {error}")
    print(f"real documents: {read} read, {refused} refused, {time.monotonic() - started:.1f} s")


def _long(pages: int, folder: Path) -> None:
    setter = Setter(Truth(), "Long manual", "Page {}")
    number = 0
    while len(setter.pages) < pages:
        number += 1
        dice = random.Random(number)
        setter.heading(f"{number} Chapter", 2)
        for text, _, _ in sentences("en", f"Pump {number}", dice) * 3:
            setter.paragraph(text)
        setter.table(faults("en", dice, 12), [1.4, 3, 5])
    path = folder / "long.pdf"
    path.write_bytes(write_pdf(setter.pages))
    started = time.monotonic()
    blocks = DocPipeline(home=folder / "home").extract_blocks(path)
    print(f"{len(setter.pages)} pages: {time.monotonic() - started:.1f} s, {len(blocks)} blocks")


if __name__ == "__main__":
    main()
