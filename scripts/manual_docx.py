"""The made DOCX documents: one function a construct."""

from __future__ import annotations

import random

from docx_writer import Cell, Docx, comment, deleted, footnote, inserted, paragraph, run, table
from manual_words import CLAUSES, DEVICES, WORDS, Truth, contract_title, contract_values, parameters, sentences


def _docx(lang: str, index: int) -> tuple[Docx, Truth, str, random.Random, list[tuple[str, str, str]]]:
    dice = random.Random(9000 + index + (lang == "zh"))
    kind, model = DEVICES[lang][index % 6]
    document, truth = Docx(), Truth()
    title = WORDS[lang]["title"].format(kind, model)
    document.body.append(paragraph(run(title), "T"))
    truth.headings.append((1, title))
    truth.order.append(title)
    name = f"{kind} {model}"
    return document, truth, name, dice, sentences(lang, name, dice)


def _heading(document: Docx, truth: Truth, level: int, text: str) -> None:
    document.body.append(paragraph(run(text), f"H{level}"))
    truth.headings.append((level + 1, text))
    truth.order.append(text)


def _say(
    document: Docx, truth: Truth, name: str, texts: list[tuple[str, str, str]], number: tuple[int, int] | None = None
) -> None:
    for text, attribute, value in texts:
        document.body.append(paragraph(run(text), "", number))
        truth.order.append(text)
        if attribute:
            truth.fact(name, attribute, value)


def docx_lists(lang: str, index: int) -> tuple[bytes, Truth]:
    """Headings, numbered lists of three levels, bullets."""
    document, truth, name, dice, texts = _docx(lang, index)
    _heading(document, truth, 1, WORDS[lang]["use"])
    _say(document, truth, name, texts[3:5])
    _heading(document, truth, 1, WORDS[lang]["start"])
    _say(document, truth, name, texts[:2], (1, 0))
    _say(document, truth, name, texts[5:7], (1, 1))
    _say(document, truth, name, texts[7:8], (1, 2))
    _say(document, truth, name, texts[2:3], (1, 0))
    _heading(document, truth, 2, WORDS[lang]["care"])
    _say(document, truth, name, texts[8:], (2, 0))
    rows = parameters(lang, dice)
    document.body.append(table([[Cell(cell) for cell in row] for row in rows]))
    truth.tables.append(rows)
    return document.data(), truth


def docx_merged(lang: str, index: int) -> tuple[bytes, Truth]:
    """Tables with cells merged both ways, and a table inside of a cell."""
    document, truth, name, dice, texts = _docx(lang, index)
    _say(document, truth, name, texts[:3])
    season, dose, unit = ("季节", "用量", "基肥") if lang == "zh" else ("Season", "Dose", "basal")
    top, spring, autumn = ("追肥", "春季", "秋季") if lang == "zh" else ("top", "Spring", "Autumn")
    numbers = [str(dice.randint(5, 60)) for _ in range(6)]
    document.body.append(table([
        [Cell(season, high="restart"), Cell(dose, wide=2)],
        [Cell(high="continue"), Cell(unit), Cell(top)],
        [Cell(spring, high="restart"), Cell(numbers[0]), Cell(numbers[1])],
        [Cell(high="continue"), Cell(numbers[2]), Cell(numbers[3])],
        [Cell(autumn), Cell(numbers[4], wide=2)],
    ]))  # fmt: skip
    truth.tables.append([
        [season, f"{dose} {unit}", f"{dose} {top}"], [spring, numbers[0], numbers[1]],
        [spring, numbers[2], numbers[3]], [autumn, numbers[4], numbers[4]],
    ])  # fmt: skip
    _say(document, truth, name, texts[3:5])
    inner = table([[Cell("pH"), Cell("6.5")], [Cell("EC"), Cell("1.2")]])
    document.body.append(table([[Cell(season), Cell(dose)], [Cell(spring), Cell(inner=inner)]]))
    truth.tables.append([[season, dose], [spring, "pH | 6.5<br>EC | 1.2"]])
    _say(document, truth, name, texts[5:6])
    return document.data(), truth


def docx_notes(lang: str, index: int) -> tuple[bytes, Truth]:
    """Footnotes and comments."""
    document, truth, name, _dice, texts = _docx(lang, index)
    notes = (
        ["数据来自样机试验。", "海拔 1000 m 以上应降低功率。"]
        if lang == "zh"
        else ["Measured on a prototype.", "Reduce power above 1000 m."]
    )
    remark = "请复核该数值。" if lang == "zh" else "Please check this value."
    for place, (text, attribute, value) in enumerate(texts[:6]):
        content = run(text)
        if place in (1, 3):
            content += footnote(place)
            document.footnotes[place] = notes[place // 2]
        if place == 4:
            content += comment(1)
        document.body.append(paragraph(content))
        truth.order.append(text)
        if attribute:
            truth.fact(name, attribute, value)
    document.comments[1] = ("reviewer-desk", "2026-03-04", remark)
    truth.footnotes += notes
    truth.comments.append(remark)
    return document.data(), truth


def docx_revisions(lang: str, index: int) -> tuple[bytes, Truth]:
    """Tracked changes: the text as it is when all are accepted."""
    document, truth, name, dice, texts = _docx(lang, index)
    old, new = str(dice.randint(10, 40)), str(dice.randint(50, 90))
    before, after = ("预热时间为 ", " 分钟。") if lang == "zh" else ("The preheating time is ", " minutes.")
    change = deleted(old, "agronomy-desk", "2026-02-01") + inserted(new, "agronomy-desk", "2026-02-01")
    document.body.append(paragraph(run(before) + change + run(after)))
    truth.order.append(f"{before}{new}{after}")
    truth.fact(name, "preheating", new)
    gone = "此条作废，不再执行。" if lang == "zh" else "This clause is void and no longer applies."
    document.body.append(paragraph(deleted(gone, "agronomy-desk", "2026-02-02")))
    truth.absent += [gone, f"{before}{old}"]
    _say(document, truth, name, texts[:4])
    return document.data(), truth


def docx_contract(lang: str, index: int, version: int = 1) -> tuple[bytes, Truth]:
    """A contract whose articles Word numbers."""
    document, truth = Docx(), Truth()
    kind, model = DEVICES[lang][index % 6]
    title = contract_title(lang, kind, version)
    document.body.append(paragraph(run(title), "T"))
    truth.headings.append((1, title))
    values = contract_values(index, version)
    for number, (name, text) in enumerate(CLAUSES[lang], start=1):
        if lang == "zh":
            document.body.append(paragraph(run(name), "H1", (3, 0)))
            truth.headings.append((2, f"第{'一二三四五'[number - 1]}条 {name}"))
        else:
            _heading(document, truth, 1, name)
        body = text.format(f"{kind} {model}", *values)
        document.body.append(paragraph(run(body)))
        truth.order.append(body)
    truth.fact(title, "price", values[1])
    return document.data(), truth
