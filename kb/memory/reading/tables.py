"""Tables as GitHub Markdown, for every format the same."""

from __future__ import annotations

from collections.abc import Sequence

Rows = Sequence[Sequence[str]]


def escape_cell(text: str) -> str:
    """A cell's text on one line of a table: `|` escaped, line ends as `<br>`."""
    return "<br>".join(" ".join(line.split()) for line in text.strip().splitlines()).replace("|", "\\|")


def markdown_table(rows: Rows) -> str:
    """`rows` as a GitHub Markdown table; the first row is its header. Short rows are filled up. '' for no rows."""
    width = max((len(row) for row in rows), default=0)
    if not width:
        return ""
    lines = ["| " + " | ".join([*map(escape_cell, row), *[""] * (width - len(row))]) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def body_rows(table: str) -> list[str]:
    """The lines of a Markdown table below its header."""
    return table.split("\n")[2:]


def split_title(rows: Rows) -> tuple[str, Rows]:
    """A table's title where its first row is one cell over all columns, and the rows below it."""
    if len(rows) >= 2 and len(rows[0]) >= 2 and rows[0][0] and len(set(rows[0])) == 1 and len(set(rows[1])) > 1:
        return rows[0][0], rows[1:]
    return "", rows


def joined_header(rows: Rows) -> Rows:
    """With a header of two rows as one: a cell over several columns stands before what it covers (`Dose spring`).

    Two rows are a header when a merged cell of the first reaches over columns that the second tells apart, and
    another one reaches down into the second.
    """
    if len(rows) < 3 or len(rows[0]) < 2:
        return rows
    first, second = rows[0], rows[1]
    across = any(
        left and left == right and lower_left != lower_right
        for left, right, lower_left, lower_right in zip(first, first[1:], second, second[1:], strict=False)
    )
    down = any(upper and upper == lower for upper, lower in zip(first, second, strict=False))
    if not (across and down):
        return rows
    header = [
        upper if upper == lower else f"{upper} {lower}".strip() for upper, lower in zip(first, second, strict=False)
    ]
    return joined_header([header, *rows[2:]])
