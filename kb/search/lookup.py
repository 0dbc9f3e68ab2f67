"""`lookup_knowledge`: the tool that an agent calls with a code or a few words, over `_index.yaml`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypedDict

from kb.errors import KnowledgeError
from kb.search.normalise import normalise
from kb.search.tokens import stop_terms
from kb.tree.document import load
from kb.tree.indexfile import Entry, read_index
from kb.tree.walk import inside, resolve_root

MAX_CONTENT = 2000
_WORD = re.compile(r"[a-z0-9]+(?:[-._/][a-z0-9]+)*|[\u3400-\u9fff]+")


class Lookup(TypedDict):
    """What the tool returns. With nothing found: False and two empty strings."""

    found: bool
    content: str
    source: str


def lookup(root: Path, query_text: str) -> Lookup:
    """The document of `root` whose index entry fits `query_text` best; content at most MAX_CONTENT characters.

    An entry fits when a word of the query equals one of its keywords or, with two characters or more, stands in its
    summary; or when one of its keywords stands in the query ("支付网关超时" has no spaces). Case and width do not
    matter.
    """
    root = resolve_root(root)
    query = normalise(query_text)
    words = [word for word in dict.fromkeys((*query.split(), *_WORD.findall(query))) if word not in stop_terms()]
    ranked: list[tuple[float, int, Entry]] = []
    for number, entry in enumerate(read_index(root)):
        score = _score(entry, query, words)
        if score > 0:
            ranked.append((-score, number, entry))
    for _, _, entry in sorted(ranked, key=lambda item: item[:2]):
        try:
            inside(root, entry.file)
            parsed = load(root, entry.file)
        except KnowledgeError:
            continue
        body = "\n".join(parsed.lines[parsed.body_line - 1 :]).strip()
        return {"found": True, "content": _excerpt(body, words), "source": entry.file}
    return {"found": False, "content": "", "source": ""}


def _score(entry: Entry, query: str, words: list[str]) -> float:
    """Longer matches say more; a keyword counts double a summary."""
    score = 0.0
    for keyword in {normalise(keyword).strip() for keyword in entry.keywords}:
        if keyword and (keyword in words or _stands_in(keyword, query)):
            score += 2.0 * len(keyword)
    summary = normalise(entry.summary)
    return score + sum(len(word) for word in words if len(word) > 1 and _stands_in(word, summary))


def _stands_in(word: str, text: str) -> bool:
    """Whether `word` occurs in `text`: Chinese of two or more characters anywhere, Latin as a whole word."""
    if re.search(r"[a-z0-9]", word):
        return re.search(rf"(?<![a-z0-9_]){re.escape(word)}(?![a-z0-9_])", text) is not None
    return len(word) > 1 and word in text


def _excerpt(body: str, words: list[str]) -> str:
    """The first MAX_CONTENT characters; of a longer body, from the heading above the first match on."""
    if len(body) <= MAX_CONTENT:
        return body
    lowered = normalise(body) if body.isascii() else body.lower()
    places = [place for word in words if (place := lowered.find(word)) >= 0]
    if not places or min(places) < MAX_CONTENT * 3 // 4:
        return body[:MAX_CONTENT]
    start = body.rfind("\n#", 0, min(places)) + 1
    if min(places) - start > MAX_CONTENT * 3 // 4:
        start = body.rfind("\n", 0, min(places)) + 1
    return body[start : start + MAX_CONTENT]
