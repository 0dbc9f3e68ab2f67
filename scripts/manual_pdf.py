"""The made PDF documents: one function a layout."""

from __future__ import annotations

import random

from manual_words import (
    CLAUSES,
    DEVICES,
    LISTS,
    WORDS,
    Truth,
    contract_title,
    contract_values,
    faults,
    parameters,
    sentences,
)
from pdf_setter import LEFT, RIGHT, Setter
from pdf_writer import A4, PdfPage


def _manual(
    lang: str, index: int, columns: int = 1, header: bool = True
) -> tuple[Setter, str, random.Random, list[tuple[str, str, str]]]:
    """A manual that has begun: title and scope are set."""
    dice = random.Random(1000 * columns + 10 * index + (lang == "zh"))
    kind, model = DEVICES[lang][index % len(DEVICES[lang])]
    words = WORDS[lang]
    truth = Truth()
    setter = Setter(truth, words["header"].format(model) if header else "", words["footer"] if header else "", columns)
    name = f"{kind} {model}"
    setter.columns = 1
    setter.heading(words["title"].format(kind, model), 1)
    setter.columns, setter.top = columns, setter.y
    texts = sentences(lang, name, dice)
    setter.heading(f"1 {words['use']}", 2)
    return setter, name, dice, texts


def _write(setter: Setter, texts: list[tuple[str, str, str]], name: str, lang: str) -> None:
    for text, attribute, value in texts:
        setter.paragraph(text, indent=lang == "zh")
        if attribute:
            setter.truth.fact(name, attribute, value, len(setter.pages))


def manual_conditions(lang: str, index: int) -> tuple[bytes, Truth]:
    """A manual in one column with conditions, lists and a ruled table."""
    setter, name, dice, texts = _manual(lang, index)
    _write(setter, texts[3:7], name, lang)
    setter.heading(f"2 {WORDS[lang]['start']}", 2)
    for number, (text, attribute, value) in enumerate([*texts[:3], texts[7]], start=1):
        setter.item(f"{number})" if index % 2 else "•", text)
        if attribute:
            setter.truth.fact(name, attribute, value, len(setter.pages))
    setter.heading(f"3 {WORDS[lang]['data']}", 2)
    rows = parameters(lang, dice)
    setter.table(rows, [3, 2, 2, 3], "grid", WORDS[lang]["table"].format(1))
    for row in rows[1:]:
        setter.truth.fact(name, row[0], f"{row[1]} {row[2]}", len(setter.pages))
    setter.heading(f"4 {WORDS[lang]['care']}", 2)
    _write(setter, texts[8:], name, lang)
    return setter.data(), setter.truth


def two_columns(lang: str, index: int) -> tuple[bytes, Truth]:
    """Running text in two columns under a title over both, over several pages."""
    setter, name, _dice, _texts = _manual(lang, index, columns=2)
    for part in range(6):
        again = sentences(lang, name, random.Random(77 * part + index))
        joined = [" ".join(text for text, _, _ in again[start : start + 3]) if lang == "en"
                  else "".join(text for text, _, _ in again[start : start + 3]) for start in (0, 3, 6)]  # fmt: skip
        if part:
            setter.heading(f"{part + 1} {WORDS[lang]['care']}", 2)
        for number, text in enumerate(joined):
            setter.paragraph((f"（{part + 1}.{number + 1}）" if lang == "zh" else f"[{part + 1}.{number + 1}] ") + text)
    return setter.data(), setter.truth


def long_table(lang: str, index: int, rules: str = "grid") -> tuple[bytes, Truth]:
    """A table over several pages, its header on each."""
    setter, name, dice, texts = _manual(lang, index)
    _write(setter, texts[:2], name, lang)
    rows = faults(lang, dice, 70)
    setter.table(rows, [1.4, 3, 5], rules, WORDS[lang]["fault_table"].format(1))
    for row in rows[1:]:
        setter.truth.fact(row[0], LISTS[lang]["fault"][2], row[2])
    _write(setter, texts[2:4], name, lang)
    return setter.data(), setter.truth


def three_lines(lang: str, index: int) -> tuple[bytes, Truth]:
    """Tables with horizontal lines only, as in journals."""
    setter, name, dice, texts = _manual(lang, index)
    _write(setter, texts[:2], name, lang)
    setter.table(parameters(lang, dice), [3, 2, 2, 3], "lines", WORDS[lang]["table"].format(1))
    _write(setter, texts[2:5], name, lang)
    setter.table(parameters(lang, dice, 5), [3, 2, 2, 3], "none", WORDS[lang]["table"].format(2))
    _write(setter, texts[5:7], name, lang)
    return setter.data(), setter.truth


def two_columns_table(lang: str, index: int) -> tuple[bytes, Truth]:
    """Two columns with a narrow table in one of them."""
    setter, name, dice, _texts = _manual(lang, index, columns=2)
    for part in range(4):
        again = [text for text, _, _ in sentences(lang, name, random.Random(31 * part + index))]
        glue = "" if lang == "zh" else " "
        mark = f"（{part + 1}）" if lang == "zh" else f"[{part + 1}] "
        setter.paragraph(mark + glue.join(again[:4]))
        setter.paragraph(mark + glue.join(again[4:]))
        if part == 1:
            rows = [row[:3] for row in parameters(lang, dice, 6)]
            setter.table(rows, [3, 2, 2], "grid", WORDS[lang]["table"].format(1))
    return setter.data(), setter.truth


def merged_cells(lang: str, index: int) -> tuple[bytes, Truth]:
    """A drawn table with a header of two rows and cells merged down and across."""
    setter, name, dice, texts = _manual(lang, index)
    _write(setter, texts[:2], name, lang)
    words = {
        "zh": ("季节", "用量（kg/亩）", "基肥", "追肥", "备注", "春季", "秋季", "旱地", "水田", "雨天停用"),
        "en": (
            "Season",
            "Dose (kg/ha)",
            "basal",
            "top",
            "Remark",
            "Spring",
            "Autumn",
            "dry field",
            "paddy",
            "not in rain",
        ),
    }[lang]
    season, dose, basal, top, remark, spring, autumn, dry, wet, rain = words
    numbers = [str(dice.randint(5, 60)) for _ in range(8)]
    page, y0, high = setter.page, setter.y + 4, 24.0
    xs = [LEFT, LEFT + 80, LEFT + 170, LEFT + 260, LEFT + 350, RIGHT]
    ys = [y0 + place * high for place in range(7)]
    for x, top_y, end in ((xs[0], 0, 6), (xs[1], 0, 6), (xs[2], 0, 6), (xs[3], 1, 6), (xs[4], 0, 6), (xs[5], 0, 6)):
        page.line(x, ys[top_y], x, ys[end])
    for row, parts in enumerate([[(0, 5)], [(2, 4)], [(0, 5)], [(1, 4)], [(0, 5)], [(1, 5)], [(0, 5)]]):
        for first, last in parts:
            page.line(xs[first], ys[row], xs[last], ys[row])

    def put(column: int, row: float, text: str) -> None:
        page.text(xs[column] + 5, ys[0] + (row + 0.65) * high, text, 9)

    put(0, 0.5, season)
    put(1, 0.5, remark)
    put(2, 0, dose)
    put(2, 1, basal)
    put(3, 1, top)
    put(4, 0.5, remark + " 2")
    put(0, 2.5, spring)
    put(0, 4.5, autumn)
    put(4, 2.5, rain)
    for row, (ground, first) in enumerate(((dry, 0), (wet, 2), (dry, 4), (wet, 6))):
        put(1, 2 + row, ground)
        put(2, 2 + row, numbers[first])
        put(3, 2 + row, numbers[first + 1])
    put(4, 4, "A-1")
    put(4, 5, "A-2")
    setter.y = ys[6] + 24
    setter.truth.tables.append([
        [season, remark, f"{dose} {basal}", f"{dose} {top}", f"{remark} 2"],
        [spring, dry, numbers[0], numbers[1], rain], [spring, wet, numbers[2], numbers[3], rain],
        [autumn, dry, numbers[4], numbers[5], "A-1"], [autumn, wet, numbers[6], numbers[7], "A-2"],
    ])  # fmt: skip
    _write(setter, texts[2:5], name, lang)
    return setter.data(), setter.truth


def footnotes(lang: str, index: int) -> tuple[bytes, Truth]:
    """Paragraphs with footnotes at the lower end of each page."""
    setter, name, _dice, _texts = _manual(lang, index)
    bodies = {
        "zh": ["数据来自样机试验，环境温度 20 °C。", "海拔 1000 m 以上应降低功率使用。", "润滑油牌号见铭牌。"],
        "en": [
            "Measured on a prototype at 20 °C.",
            "Reduce the power above 1000 m of altitude.",
            "For the grade of oil see the plate.",
        ],
    }[lang]
    number = 1
    for part in range(6):
        again = sentences(lang, name, random.Random(13 * part + index))
        for place, (text, _, _) in enumerate(again):
            marked = (f"（{part + 1}-{place + 1}）" if lang == "zh" else f"[{part + 1}-{place + 1}] ") + text
            if place == 2 and number <= 3:
                setter.paragraph(marked, note=str(number))
                setter.footnote(str(number), bodies[number - 1])
                number += 1
            else:
                setter.paragraph(marked)
    return setter.data(), setter.truth


def contract(lang: str, index: int, version: int = 1) -> tuple[bytes, Truth]:
    """A purchase contract; two versions differ in price, date and warranty."""
    truth = Truth()
    kind, model = DEVICES[lang][index % 6]
    title = contract_title(lang, kind, version)
    setter = Setter(truth, f"HT-2026-{index:03d}", WORDS[lang]["footer"])
    setter.heading(title, 1)
    parties = (
        ("甲方：农艺服务站", "乙方：设备供应部")
        if lang == "zh"
        else ("Party A: agronomy desk", "Party B: equipment desk")
    )
    for party in parties:
        setter.paragraph(party)
    values = contract_values(index, version)
    for number, (name, text) in enumerate(CLAUSES[lang], start=1):
        setter.heading(f"第{'一二三四五'[number - 1]}条 {name}" if lang == "zh" else f"Article {number} {name}", 2)
        setter.paragraph(text.format(f"{kind} {model}", *values))
    truth.fact(title, "price", values[1])
    truth.fact(title, "delivery", values[2])
    truth.fact(title, "warranty", values[6])
    return setter.data(), truth


def sideways(lang: str, index: int) -> tuple[bytes, Truth]:
    """A table on a page that is turned, with a stamp that runs upwards beside the text."""
    setter, name, dice, texts = _manual(lang, index, header=False)
    _write(setter, texts[:3], name, lang)
    stamp = "受控文件 仅供内部使用" if lang == "zh" else "CONTROLLED COPY - INTERNAL USE"
    setter.page.text(30, 600, stamp, 9, angle=90)
    setter.truth.absent.append(stamp)
    setter.table(parameters(lang, dice, 6), [3, 2, 2, 3], "grid", WORDS[lang]["table"].format(1))
    # The same content as a landscape page that is stored upright and turned by the viewer.
    turned = PdfPage(A4[0], A4[1], rotate=90)
    rows = [[*row, str(number * 7)] for number, row in enumerate(faults(lang, random.Random(index), 9))]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            _turned_text(turned, (80, 140, 280, 600)[column], 120 + 26 * row, cell)
    setter.pages.append(turned)
    setter.truth.tables.append(rows)
    return setter.data(), setter.truth


def _turned_text(page: PdfPage, x: float, y: float, text: str) -> None:
    """Text that stands at (x, y) and is level after the page was turned clockwise by 90 degrees."""
    page.text(y, page.height - x, text, 10, angle=90)
