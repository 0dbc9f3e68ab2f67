"""Words of one language that a dictionary into the other explains alike: 狗 and 犬 are both "dog".

Only the usual meanings count, the first of both words: what two words may mean beside others (straw and hay, both 刍)
makes them no synonyms. One Chinese character stands for another character alone, since it is a part of longer words
that mean other things (蜂 in 熊蜂 is no 蜜蜂).
"""

from __future__ import annotations

from kb.search.dictionary import Dictionary
from kb.search.translation import translate

_USUAL = 2


def synonyms(question: str, lang: str, dictionary: Dictionary) -> dict[str, frozenset[str]]:
    """The words of `question`, which is in `lang` (zh or en), as they are said (normalised), each with the other words
    of that language that share a usual meaning with it; those without any are left out."""
    found = {}
    for word in translate(question, lang, dictionary).words:
        others = {
            same
            for meaning in _usual(word.said, dictionary)
            for same in _means(meaning, dictionary)
            if len(same) > 1 or len(word.said) == 1
            if meaning in _usual(same, dictionary)
        }
        if others - {word.said}:
            found[word.said] = frozenset(others - {word.said})
    return found


def _usual(word: str, dictionary: Dictionary) -> tuple[str, ...]:
    return _means(word, dictionary)[:_USUAL]


def _means(word: str, dictionary: Dictionary) -> tuple[str, ...]:
    found = dictionary.look_up_english(word) if word.isascii() else dictionary.look_up(word)
    return found.means if found else ()
