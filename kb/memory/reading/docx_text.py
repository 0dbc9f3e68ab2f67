"""The words of a DOCX paragraph: runs, fields, revisions, formulas, references to notes and comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.memory.reading.docx_package import MC, WP, A, Element, M, R, W
from kb.memory.reading.docx_styles import is_on
from kb.memory.reading.omml import latex
from kb.memory.reading.scripts import SYMBOLS, scripted

_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Revision:
    """What one person changed: `text` inserted or deleted."""

    author: str
    date: str
    text: str

    @property
    def who(self) -> str:
        """Author and day."""
        return _signature(self.author, self.date)


def signature(element: Element) -> str:
    """Author and day of a revision or comment, '' where it names neither."""
    return _signature(element.get(f"{W}author", ""), element.get(f"{W}date", ""))


def _signature(author: str, date: str) -> str:
    return ", ".join(part for part in (author, date[:10]) if part)


def noted(what: str, who: str) -> str:
    """The note of a block: what was done (inserted, deleted, comment), and by whom where that is known."""
    return f"{what} by {who}" if who else what


@dataclass(slots=True)
class Words:
    """A paragraph's text as it is with all revisions accepted, and what hangs on it."""

    text: str = ""
    inserted: list[Revision] = field(default_factory=list)
    deleted: list[Revision] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)  # (footnote or endnote, id)
    pictures: list[tuple[str, str]] = field(default_factory=list)  # (relation id, description)
    boxes: list[Element] = field(default_factory=list)  # text boxes anchored here
    formulas: list[str] = field(default_factory=list)
    plain: int = 0  # characters outside of formulas
    bold: int = 0  # characters in bold
    sizes: list[float] = field(default_factory=list)


@dataclass(slots=True)
class _State:
    words: Words
    label: dict[tuple[str, str], str]
    in_field: list[bool] = field(default_factory=list)  # True while a field's code, not its result, is read


def words_of(paragraph: Element, labels: dict[tuple[str, str], str]) -> Words:
    """The words of `paragraph`. `labels` gives each note its number and is filled as notes are met."""
    words = Words()
    state = _State(words, labels)
    parts: list[str] = []
    for child in paragraph:
        parts.extend(_walk(child, state, 0, None))
    words.text = _tidy("".join(parts))
    return words


def _tidy(text: str) -> str:
    lines = [" ".join(line.replace("\u00a0", " ").split()) for line in text.split("\n")]
    return "\n".join(line for line in lines if line).strip()


def _walk(element: Element, state: _State, depth: int, deleted: list[str] | None) -> Iterator[str]:
    """The text of an element; what is deleted goes into `deleted` instead."""
    if depth > _DEEPEST or not isinstance(element.tag, str):
        return
    name = element.tag
    if name in (f"{W}del", f"{W}moveFrom"):
        gone: list[str] = []
        for child in element:
            for _ in _walk(child, state, depth + 1, gone):
                pass
        _note(state.words.deleted, element, "".join(gone))
    elif name in (f"{W}ins", f"{W}moveTo"):
        came = [text for child in element for text in _walk(child, state, depth + 1, deleted)]
        _note(state.words.inserted, element, "".join(came))
        yield from came
    elif name == f"{W}r":
        yield from _run(element, state, depth, deleted)
    elif name in (f"{M}oMath", f"{M}oMathPara"):
        formula = latex(element)
        if formula and deleted is None:
            state.words.formulas.append(formula)
            yield f" ${formula}$ "
    elif name == f"{MC}AlternateContent":
        # The same thing in several forms: the first is Word's own.
        chosen = element.find(f"{MC}Choice")
        chosen = element.find(f"{MC}Fallback") if chosen is None else chosen
        for child in chosen if chosen is not None else ():
            yield from _walk(child, state, depth + 1, deleted)
    elif name == f"{W}commentReference":
        state.words.comments.append(element.get(f"{W}id", ""))
    elif name in (f"{W}pPr", f"{W}rPr", f"{W}sectPr", f"{W}sdtPr"):
        return
    else:
        # Hyperlinks, content controls, smart tags and simple fields are containers of runs.
        for child in element:
            yield from _walk(child, state, depth + 1, deleted)


def _note(revisions: list[Revision], element: Element, text: str) -> None:
    text = _tidy(text)
    if not text:
        return
    author, date = element.get(f"{W}author", ""), element.get(f"{W}date", "")
    if revisions and (revisions[-1].author, revisions[-1].date[:10]) == (author, date[:10]):
        last = revisions.pop()
        text = f"{last.text} {text}" if last.text[-1].isascii() and text[0].isascii() else last.text + text
    revisions.append(Revision(author, date, text))


def _run(run: Element, state: _State, depth: int, deleted: list[str] | None) -> Iterator[str]:
    properties = run.find(f"{W}rPr")
    if properties is not None and is_on(properties.find(f"{W}vanish")):
        return
    raised = 0
    bold = False
    if properties is not None:
        align = properties.find(f"{W}vertAlign")
        raised = {"superscript": 1, "subscript": -1}.get(align.get(f"{W}val", ""), 0) if align is not None else 0
        bold = is_on(properties.find(f"{W}b"))
        size = properties.find(f"{W}sz")
        if size is not None and size.get(f"{W}val", "").isdigit():
            state.words.sizes.append(int(size.get(f"{W}val")) / 2)
    for child in run:
        for text in _in_run(child, state, depth, deleted):
            if deleted is not None:
                deleted.append(text)
                continue
            if not any(state.in_field) or child.tag not in (f"{W}t", f"{W}tab", f"{W}sym"):
                state.words.plain += len(text.strip())
                state.words.bold += len(text.strip()) if bold else 0
                yield scripted(text, raised)


def _in_run(child: Element, state: _State, depth: int, deleted: list[str] | None) -> Iterator[str]:
    name = child.tag
    if not isinstance(name, str):
        return
    if name in (f"{W}t", f"{W}delText"):
        yield child.text or ""
    elif name in (f"{W}tab", f"{W}ptab"):
        yield " \t "
    elif name in (f"{W}br", f"{W}cr"):
        kind = child.get(f"{W}type", "textWrapping")
        yield "\n" if kind == "textWrapping" else ""
    elif name == f"{W}noBreakHyphen":
        yield "-"
    elif name == f"{W}sym":
        yield _symbol(child.get(f"{W}char", ""))
    elif name == f"{W}fldChar":
        _field(child.get(f"{W}fldCharType", ""), state)
    elif name in (f"{W}footnoteReference", f"{W}endnoteReference"):
        kind = "footnote" if name == f"{W}footnoteReference" else "endnote"
        key = (kind, child.get(f"{W}id", ""))
        if deleted is None:
            state.words.notes.append(key)
            count = sum(known[0] == kind for known in state.label) + 1
            label = state.label.setdefault(key, f"{'e' if kind == 'endnote' else ''}{count}")
            yield f"[^{label}]"
    elif name == f"{W}commentReference":
        state.words.comments.append(child.get(f"{W}id", ""))
    elif name in (f"{W}drawing", f"{W}pict", f"{W}object"):
        if deleted is None:
            _drawing(child, state.words)
    elif name == f"{MC}AlternateContent":
        yield from _walk(child, state, depth + 1, deleted)
    elif name == f"{W}ruby":
        for base in child.findall(f"{W}rubyBase//{W}t"):
            yield base.text or ""


def _symbol(code: str) -> str:
    try:
        char = chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""
    # A symbol font's characters are written with or without the private use offset.
    return SYMBOLS.get(char) or SYMBOLS.get(chr(0xF000 | ord(char) & 0xFF), char if ord(char) < 0xE000 else "")


def _field(kind: str, state: _State) -> None:
    if kind == "begin":
        state.in_field.append(True)
    elif kind == "separate" and state.in_field:
        state.in_field[-1] = False
    elif kind == "end" and state.in_field:
        state.in_field.pop()


def _drawing(element: Element, words: Words) -> None:
    described = element.find(f".//{WP}docPr")
    label = "" if described is None else described.get("descr") or ""
    for picture in element.iter(f"{A}blip"):
        if picture.get(f"{R}embed"):
            words.pictures.append((picture.get(f"{R}embed"), label.strip()))
    for picture in element.iter("{urn:schemas-microsoft-com:vml}imagedata"):
        if picture.get(f"{R}id"):
            words.pictures.append((picture.get(f"{R}id"), label.strip()))
    boxes = [box for box in element.iter(f"{W}txbxContent") if not _in_fallback(box, element)]
    words.boxes.extend(box for box in boxes if not any(other is not box and box in other.iter() for other in boxes))


def _in_fallback(box: Element, root: Element) -> bool:
    parent = box.getparent()
    while parent is not None and parent is not root:
        if parent.tag == f"{MC}Fallback":
            return True
        parent = parent.getparent()
    return False
