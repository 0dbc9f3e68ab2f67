"""Names in a question that the answer must be about: codes, part numbers, numbered things.

«E-31», «ERR_TOKEN», «XC23», «病害55», «R5»: evidence for another code is no evidence, however alike the rest is.
"""

from __future__ import annotations

import re

from kb.search.normalise import rendered
from kb.search.quantities import folded, quantities

_CODE = re.compile(r"(?<![a-z0-9])[a-z]+(?:[-_./]?[a-z0-9]+)*(?![a-z0-9])")
# Types that begin with a number (200QJ32-91, 24LC256) and hexadecimal codes; a value with its unit is none.
_NUMBER_FIRST = re.compile(r"(?<![a-z0-9.])(?:0x[0-9a-f]{2,}|\d+[a-z]{1,4}\d[a-z0-9]*(?:[-_./][a-z0-9]+)*)(?![a-z0-9])")
# Not types: sizes (45x30), powers of ten, times.
_NO_TYPE = re.compile(r"\d+[xeh]$")
# Addresses, versions, telephone numbers: 192.168.1.1, 5.4.1, 0471-5550123; not a day like 2026.3.1.
_DOTTED = re.compile(
    r"(?<![a-z0-9.-])(?!(?:1\d|20)\d\d[.-]\d)(?:\d+(?:[.-]\d+){2,}|\d{3,4}-\d{7,8})(?![a-z0-9]|[.-][a-z0-9])"
)
_NUMBERED = re.compile(r"(?P<name>[\u4e00-\u9fff]{1,3})(?P<number>\d+)(?![\d.])(?P<after>.{0,4})")
# Letters that stand before a value, not in a code: N15 and p0.05 are values, P-07 and P0301 codes.
_BEFORE_VALUES = re.compile(r"^(?:(?:ph|ec|at|in|to|of|top|no)[-.]?\d|[tpnk](?:0?\.\d|[1-9]\d?(?![\d-])))")
# A letter of a formula («公式里 C 代表什么», "what is H in the formula"), and how a legend says what it stands for.
_FORMULA = re.compile(r"公式|[算计]式|式[中里子]|\bformula|\bequation")
_LETTER = re.compile(r"(?<![a-z0-9α-ω/'’])[a-zα-ω]\d?(?![a-z0-9α-ω.'’])")
_NO_LETTER = frozenset("aiμ")
_STANDS_FOR = " ="
# «E-12 是什么意思», "what does E-12 mean?"
_ASKS_MEANING = re.compile(
    r"(?:是|有|代表|表示|指)*(?:什么|啥)(?:意思|含义)|(?:代表|表示|指的?是)(?:什么|啥)|的?(?:含义|意思)|"
    r"\bwhat (?:does|do|is the meaning of)\b|\b(?:means?|stands? for)\b|"
    r"\b(?:the )?(?:code|error|alarm|message|fault)\b|故障码?|[代编]码|报警|报错|错误"
)
# What is a unit behind a number or in brackets, and may be a code elsewhere.
_UNIT_SIGN = re.compile(r"[cdhkmμ]?m[23]")
# Words before a number that say how much, not which.
_AMOUNT = re.compile(
    r"(?:稀释|超过|低于|高于|大于|小于|少于|多于|不足|至少|最多|最少|约|为|是|用|加|每|兑|水|到|至|达|在|有|和|或|共|等于)$"
)


def anchors(question: str) -> list[str]:
    """The names in `question`, folded as `folded` does; those in an address that it cites are none."""
    plain = folded(rendered(question))
    found = [
        word
        for word in _CODE.findall(plain)
        if (re.search(r"\d", word) and not _BEFORE_VALUES.match(word) and _is_name(word)) or "_" in word
    ]
    if _FORMULA.search(plain):
        found += [letter + _STANDS_FOR for letter in _LETTER.findall(plain) if letter not in _NO_LETTER]
    found += _DOTTED.findall(plain)
    found += [match[0] for match in _NUMBER_FIRST.finditer(plain) if not _is_value(match[0])]
    for match in _NUMBERED.finditer(plain):
        number = match["number"]
        measured = quantities(number + match["after"])
        if not _AMOUNT.search(match["name"]) and measured and not measured[0].unit:
            found.append(match["name"] + number)
    return list(dict.fromkeys(found))


def is_letter(anchor: str) -> bool:
    """Whether a name is the letter of a formula."""
    return anchor.endswith(_STANDS_FOR)


def only_names(question: str) -> bool:
    """Whether `question` is nothing but such names («E-12», «E-12 E-13？»), or asks what one means: what is said of it
    is then the answer."""
    names = anchors(question)
    if any(map(is_letter, names)):
        return True
    rest = folded(question)
    for name in names:
        rest = rest.replace(name, " ")
    return bool(names) and not any(char.isalnum() for char in _ASKS_MEANING.sub(" ", rest))


def shape(anchor: str) -> str:
    """How a name is built: names of one kind look alike (`KD71`, `LM39`)."""
    return re.sub("[a-z]", "a", re.sub(r"\d", "9", anchor))


def _is_value(code: str) -> bool:
    """Whether a word that begins with a number is a size, or quantities in a row (220v50hz)."""
    if code.startswith("0x"):
        return False
    parts = re.findall(r"\d+[a-z]*", code)
    return _NO_TYPE.match(parts[0]) is not None or all(quantities(part)[0].unit for part in parts)


def _is_name(word: str) -> bool:
    """Whether a word with digits begins like a code (letters first), and is no formula like `x/2`."""
    return re.match(r"[a-z]+[-_.]?\d|[a-z]+[a-z0-9]*[-_]", word) is not None


def _spellings(code: str) -> str:
    """A pattern for `code` with or without the joint before its first digits: zb40, ZB-40 and ZB 40 are one."""
    found = re.match(r"([a-z]+)[-_ ]?(\d.*)", code)
    return re.escape(code) if found is None else rf"{found[1]}[-_ ]?{re.escape(found[2])}"


def stands_in(anchor: str, text: str) -> bool:
    """Whether `anchor` stands in `text` (folded) as a whole; a numbered thing also by the last of its name, one of
    several joined by strokes (`h264/h265`) alone, and the letter of a formula where its meaning is told."""
    if is_letter(anchor):
        letter = re.escape(anchor.removesuffix(_STANDS_FOR))
        told = r"[$\\`*)]*\s*(?:[(（][^()（）]*[)）]\s*)?(?:is|are|the|denotes?|means?|为|是|表示|代表|指|[:：=—–-])"
        return re.search(rf"(?<![a-z0-9α-ω/]){letter}(?![a-z0-9α-ω/]){told}", text) is not None
    if anchor[0].isdigit():
        return re.search(rf"(?<![\d.-])(?<![a-uw-z]){re.escape(anchor)}(?![a-z0-9]|[.-]\d)", text) is not None
    if re.match(r"[a-z]", anchor):
        joined = [part for part in anchor.split("/") if re.search(r"[\d_]", part) and re.search("[a-z]", part)]
        any_of = "|".join(map(_spellings, (anchor, *joined)))
        if _UNIT_SIGN.fullmatch(anchor):
            return re.search(rf"(?<![\d/(（a-z])(?<!\d\s){anchor}(?![a-z0-9/)）])", text) is not None
        return re.search(rf"(?<![a-z0-9])(?:{any_of})(?![a-z0-9])", text) is not None
    name = anchor.rstrip("0123456789")
    number = anchor[len(name) :]
    return any(
        re.search(rf"{re.escape(name[start:])}[\s:：]?{number}(?!\d)", text) is not None for start in range(len(name))
    )
