"""The bilingual taxonomy: what people call the parts of a path (`soybean`: 大豆, 黄豆, Soybean)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.hashing import sha256
from kb.tree import frontmatter
from kb.tree.walk import is_document

FILE_NAME = "taxonomy.yaml"
_EDITION = re.compile(r"(?:_en)?(?:_(?:19|20)\d\d)?(?:_v\d+)?$")


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """For each path word the names that people use, per language; the first one is the one to show."""

    names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Changes when any name does."""
        return sha256(repr(sorted(self.names.items())).encode()).hexdigest()

    def label(self, part: str, lang: str) -> str:
        """How `part` is shown in `lang`; an unknown part is shown as it is, without underscores."""
        stem = path_word(part)
        known = self.names.get(stem, {})
        for candidate in (known.get(lang), known.get("en"), known.get("zh")):
            if candidate:
                return candidate[0]
        return stem.replace("_", " ")

    def names_of(self, word: str) -> list[str]:
        """All names of one path word, in every language."""
        return [name for names in self.names.get(word, {}).values() for name in names]

    def words(self, path: str) -> list[str]:
        """Everything a person may call the parts of `path`: the path words themselves and all their names."""
        words: list[str] = []
        for part in path.split("/"):
            stem = path_word(part)
            words.extend(stem.split("_"))
            for names in self.names.get(stem, {}).values():
                words.extend(names)
        return words


def path_word(part: str) -> str:
    """A path part without suffix, language, year and revision: `growth_stage_2024_v2.md` -> `growth_stage`."""
    stem = part.rsplit(".", 1)[0] if is_document(part) else part
    return _EDITION.sub("", stem) or stem


def load_taxonomy(root: Path) -> Taxonomy:
    """The taxonomy of a tree, empty when it has none; KnowledgeError when the file is broken."""
    path = root / FILE_NAME
    if not path.is_file():
        return Taxonomy()
    loaded = frontmatter.read_file(path)
    names: dict[str, dict[str, tuple[str, ...]]] = {}
    for word, value in loaded.items():
        if isinstance(value, dict):
            names[word] = {lang: tuple(frontmatter.as_list(items)) for lang, items in value.items()}
        else:
            names[word] = {"zh": tuple(frontmatter.as_list(value))}
    return Taxonomy(names)
