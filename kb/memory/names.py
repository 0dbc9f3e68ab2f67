"""Names of things: one key for many spellings, what is only a company's legal form, and how alike two names are."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from kb.memory.schema import EntityType
from kb.search.normalise import normalise

# Legal forms, the longest first: they do not tell companies apart, unless both names carry different ones.
_HAN_FORMS = (
    "(?:集团)?股份有限公司|(?:集团)?有限责任公司|(?:集团)?有限公司|集团公司|总公司|分公司|公司|集团"
)  # fmt: skip
_LATIN_FORMS = (
    r"co\.?,?\s*ltd\.?|company limited|limited|ltd\.?|llc|l\.l\.c\.?|inc\.?|incorporated|corporation|corp\.?|company|"
    r"co\.?|"
    r"gmbh(?: & co\.? kg)?|ag|kg|s\.?a\.?r?\.?l?\.?|b\.?v\.?|n\.?v\.?|plc|p\.l\.c\.?|pty\.? ltd\.?|s\.?p\.?a\.?|"
    r"s\.?r\.?l\.?|oyj?|ab|a/s|llp|k\.?k\.?"
)
_HAN_FORM = re.compile(rf"(?P<core>.{{2,}}?)(?P<form>{_HAN_FORMS})$")
_LATIN_FORM = re.compile(rf"^(?P<core>.{{2,}}?)[\s,]+(?P<form>{_LATIN_FORMS})$")
_ARTICLE = re.compile(r"^(?:the|an?|this|said)\s+")
# Not the point of a number: P-1.5 is not P-15.
_NOISE = re.compile(r"(?:[\s\"'“”‘’「」『』《》<>〈〉·•()（）\[\]【】,，。:：;；!！?？]|(?<!\d)\.|\.(?!\d))+")
_CODE = re.compile(r"[a-z]+[-_/ ]?\d|\d[-_/ ]?[a-z]|\d{3,}")
# What may stand, or not, between the letters and digits of one code: XM-200 and XM200.
_IN_CODE = re.compile(r"(?<=[a-z])[-_](?=\d)|(?<=\d)[-_](?=[a-z])")
# Words that name the thing a document is about, not a thing of their own.
_POINTING = """
设备 本设备 该设备 本机 该机 本产品 该产品 产品 机器 系统 本系统 装置 本装置 仪器 本仪器 整机 主机 机组 单位 公司
本公司 我公司 贵公司 我司 贵司 本合同 合同 协议 本协议 本文 本规范 本标准 本规程 本手册 本条款 本条 项目 本项目
双方 各方 甲乙双方 用户 客户 工作人员 操作人员 人员 其 它 他 她 此 这 该 以上 上述 下列 如下 以下
device unit machine equipment product system instrument apparatus appliance company agreement contract document
manual party parties user operator customer it this that these those they he she we you there which who all each both
clause section
"""
_GENERIC = frozenset(_POINTING.split())
MERGE_AT = 0.85
ASK_AT = 0.60


def key_of(name: str) -> str:
    """One key for all spellings of a name: width, case, traditional characters, spaces, quotes and articles aside."""
    plain = _ARTICLE.sub("", normalise(name).strip())
    return _NOISE.sub("", plain) or plain.strip()


def is_generic(name: str) -> bool:
    """Whether `name` only points (本设备, the unit) and needs its document to mean something."""
    key = key_of(name)
    return not key or key in _GENERIC or (key.startswith(("本", "该", "此")) and key[1:] in _GENERIC)


def core_of(name: str) -> tuple[str, str]:
    """A company's name without its legal form, and the form; ('', '') parts where there is none."""
    plain = _ARTICLE.sub("", normalise(name).strip())
    found = _HAN_FORM.match(_NOISE.sub("", plain)) or _LATIN_FORM.match(plain.strip(" ."))
    if found is None:
        return key_of(plain), ""
    return _NOISE.sub("", found["core"]), re.sub(r"[\s.,]", "", found["form"])


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two names are, part by part, each 0..1; `total` is what decides.

    `name` same key; `core` same without legal form, or without the hyphens of a code; `contained` one stands in the
    other; `characters` shared pairs (Dice); `type` whether the types agree; `evidence` a document says so; `against`
    what speaks against it.
    """

    name: float = 0.0
    core: float = 0.0
    contained: float = 0.0
    characters: float = 0.0
    type: float = 0.0
    evidence: float = 0.0
    against: float = 0.0

    @property
    def total(self) -> float:
        """The strongest part, less what speaks against; a different type halves it."""
        best = max(self.name, self.evidence, 0.9 * self.core, 0.8 * self.contained, 0.72 * self.characters)
        return round(max(0.0, best * (1.0 if self.type else 0.5) - self.against), 3)

    def as_dict(self) -> dict[str, float]:
        """The parts by name, those that are zero left out, and the total."""
        parts = {part.name: round(getattr(self, part.name), 3) for part in fields(self)}
        return {name: value for name, value in parts.items() if value} | {"total": self.total}


def likeness(a: str, b: str, type_a: EntityType, type_b: EntityType, evidence: float = 0.0) -> Likeness:
    """Compare two names. `evidence` is how surely a document says that they are the same (0..1)."""
    same_type = type_a == type_b or EntityType.THING in (type_a, type_b)
    key_a, key_b = key_of(a), key_of(b)
    if key_a == key_b:
        return Likeness(name=1.0, core=1.0, contained=1.0, characters=1.0, type=float(same_type), evidence=evidence)
    against = 0.0
    if _codes(a) != _codes(b):
        # XM-2000 and XM-3000 differ in one character and are two machines.
        against = 0.5
    organisation = EntityType.ORGANISATION in (type_a, type_b)
    core = contained = 0.0
    if organisation:
        (core_a, form_a), (core_b, form_b) = core_of(a), core_of(b)
        if core_a == core_b:
            # Two different legal forms may be two companies: a person decides.
            core = 1.0 if not (form_a and form_b) or _same_form(form_a, form_b) else 0.85
        if "分公司" in (form_a, form_b) and form_a != form_b:
            against = max(against, 0.3)
    elif _without_hyphens(key_a) == _without_hyphens(key_b):
        core = 1.0
    short, long = sorted((key_a, key_b), key=len)
    if len(short) >= 3 and short in long and not (_codes(long) - _codes(short)):
        contained = min(1.0, 0.6 + 0.4 * len(short) / len(long))
    return Likeness(0.0, core, contained, _dice(key_a, key_b), float(same_type), evidence, against)


def _without_hyphens(key: str) -> str:
    return _IN_CODE.sub("", key)


def _same_form(a: str, b: str) -> bool:
    """Whether two legal forms say the same: Co., Ltd. and Limited, 有限公司 and 公司."""
    groups = (
        {"有限公司", "有限责任公司", "公司"}, {"集团", "集团公司", "集团有限公司"},
        {"coltd", "ltd", "limited", "companylimited", "co", "company"},
        {"inc", "incorporated", "corp", "corporation"}, {"llc"},
    )  # fmt: skip
    return a == b or any(a in group and b in group for group in groups)


def _codes(name: str) -> set[str]:
    """Model and part numbers in a name, and its bare numbers."""
    plain = normalise(name)
    found = {re.sub(r"[-_/ ]", "", word) for word in re.findall(r"[a-z0-9]+(?:[-_/.][a-z0-9]+)*", plain)}
    return {word for word in found if re.search(r"\d", word)}


def has_code(name: str) -> bool:
    """Whether a name holds a model or part number."""
    return _CODE.search(normalise(name)) is not None


def _dice(a: str, b: str) -> float:
    """Shared pairs of characters, 0..1 (Dice's coefficient)."""
    pairs_a, pairs_b = ([key[place : place + 2] for place in range(len(key) - 1)] for key in (a, b))
    if not pairs_a or not pairs_b:
        return 0.0
    left = list(pairs_b)
    shared = 0
    for pair in pairs_a:
        if pair in left:
            left.remove(pair)
            shared += 1
    return 2 * shared / (len(pairs_a) + len(pairs_b))


def blocks(name: str) -> set[str]:
    """The keys under which a name is looked for when others like it are sought: whole, core, first and last pieces."""
    key, (core, _) = key_of(name), core_of(name)
    found = {key, core, _without_hyphens(key)}
    if len(core) >= 4:
        found |= {core[:4], core[-4:]}
    if len(key) >= 4:
        found |= {key[:4], key[-4:]}
    return {piece for piece in found if piece}
