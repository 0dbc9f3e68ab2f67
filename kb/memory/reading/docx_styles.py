"""What the styles of a DOCX say of its paragraphs: heading levels, lists, raised text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.memory.reading.docx_package import Element, Package, W

_HEADING = re.compile(r"^(?:heading|标题|überschrift|titre|título|見出し)\s*([1-9])$", re.IGNORECASE)
_TITLES = {"title", "标题", "文档标题"}
TITLE = -1
"""The level of the document's title: above all headings."""
_CODE = re.compile(r"code|source|listing|代码|preformatted|console", re.IGNORECASE)
_QUOTE = re.compile(r"quote|引用|引文", re.IGNORECASE)
_CAPTION = re.compile(r"^(?:caption|题注|图题|表题)", re.IGNORECASE)
_CONTENTS = re.compile(r"^(?:toc|目录)\s*\d", re.IGNORECASE)
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style: `level` of a heading from 1 (0: none), `number` and `depth` of the list it belongs to."""

    name: str = ""
    level: int = 0
    number: str = ""
    depth: int = 0
    bold: bool = False
    size: float = 0.0

    @property
    def is_code(self) -> bool:
        """Whether it is for program text."""
        return bool(_CODE.search(self.name))

    @property
    def is_quote(self) -> bool:
        """Whether it is for quotations."""
        return bool(_QUOTE.search(self.name))

    @property
    def is_caption(self) -> bool:
        """Whether it is for captions."""
        return bool(_CAPTION.match(self.name))

    @property
    def is_contents(self) -> bool:
        """Whether it is a line of a table of contents."""
        return bool(_CONTENTS.match(self.name))


@dataclass(slots=True)
class Styles:
    """The styles by id."""

    known: dict[str, Style] = field(default_factory=dict)
    default: Style = Style()

    @classmethod
    def load(cls, package: Package) -> Styles:
        """From the package's styles part."""
        root = package.tree(package.beside("styles.xml"))
        if root is None:
            return cls()
        elements = {each.get(f"{W}styleId", ""): each for each in root.findall(f"{W}style")}
        made = cls()
        for name in elements:
            made.known[name] = _resolved(name, elements)
        for name, each in elements.items():
            if each.get(f"{W}type") == "paragraph" and each.get(f"{W}default") in ("1", "true"):
                made.default = made.known[name]
        return made

    def of(self, paragraph: Element) -> Style:
        """The style of a paragraph."""
        found = paragraph.find(f"{W}pPr/{W}pStyle")
        return self.known.get(found.get(f"{W}val", ""), self.default) if found is not None else self.default


def is_on(element: Element | None) -> bool:
    """Whether a toggle such as `w:b` is there and not switched off."""
    return element is not None and element.get(f"{W}val", "true") not in ("0", "false", "none", "off")


def _resolved(name: str, elements: dict[str, Element]) -> Style:
    """A style with what it inherits."""
    chain: list[Element] = []
    while name in elements and len(chain) < _DEEPEST and elements[name] not in chain:
        chain.append(elements[name])
        based = elements[name].find(f"{W}basedOn")
        name = based.get(f"{W}val", "") if based is not None else ""

    def first(path: str) -> str:
        for each in chain:
            found = each.find(path)
            if found is not None:
                return str(found.get(f"{W}val", ""))
        return ""

    title = chain[0].find(f"{W}name") if chain else None
    label = title.get(f"{W}val", "") if title is not None else ""
    level = 0
    for each in chain:
        named = each.find(f"{W}name")
        found = _HEADING.match(named.get(f"{W}val", "")) if named is not None else None
        if found:
            level = int(found[1])
            break
    outline = first(f"{W}pPr/{W}outlineLvl")
    if outline.isdigit() and int(outline) < 9:
        level = int(outline) + 1
    elif outline == "9":
        level = 0
    if label.lower() in _TITLES:
        level = TITLE
    depth = first(f"{W}pPr/{W}numPr/{W}ilvl")
    size = first(f"{W}rPr/{W}sz")
    return Style(
        label,
        min(level, 6),
        first(f"{W}pPr/{W}numPr/{W}numId"),
        int(depth) if depth.isdigit() else 0,
        any(is_on(each.find(f"{W}rPr/{W}b")) for each in chain[:1]),
        int(size) / 2 if size.isdigit() else 0.0,
    )
