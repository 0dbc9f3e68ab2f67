"""A small PDF writer for documents with known truth: text at exact places, lines, areas, pictures; nothing is embedded.

Latin text is set in Helvetica, Chinese in STSong-Light with the encoding UniGB-UCS2-H (ISO 32000-1, 9.7.5.2): both are
standard names, from which every reader can extract the text.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

# Advance widths of Helvetica and Helvetica-Bold for the characters 32..126 in 1/1000 em (Adobe's font metrics).
_HELVETICA = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584
584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278
278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500
500 334 260 334 584
"""
_BOLD = """
278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584
584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333
278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556
500 389 280 389 584
"""
_WIDTHS = tuple(
    {chr(32 + place): int(width) for place, width in enumerate(table.split())} for table in (_HELVETICA, _BOLD)
)
A4 = (595.0, 842.0)


def is_wide(char: str) -> bool:
    """Whether a character is set in the Chinese font. Bullets are in every Latin one, on any machine."""
    return ord(char) > 0xFF and char != "•"


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide `text` is in points."""
    return sum(1000 if is_wide(char) else _WIDTHS[bold].get(char, 556) for char in text) * size / 1000


def wrapped(text: str, width: float, size: float, bold: bool = False, first_indent: float = 0.0) -> list[str]:
    """`text` in lines of at most `width` points: Latin words stay whole, Chinese breaks anywhere, no line begins with a
    closing mark."""
    pieces: list[str] = []
    word = ""
    for char in text:
        if is_wide(char) or char == " ":
            pieces += [word, char] if word else [char]
            word = ""
        else:
            word += char
    pieces += [word] if word else []
    lines: list[str] = []
    line = ""
    room = width - first_indent
    for piece in pieces:
        closing = piece and piece[0] in "，。、；：！？）》”%"
        if line and text_width(line + piece, size, bold) > room and not closing:
            lines.append(line.rstrip())
            line, room = "", width
        line += piece if line or piece != " " else ""
    return [*lines, line.rstrip()] if line.strip() else lines


@dataclass
class PdfPage:
    """A page; `y` counts from the top, text stands on its baseline."""

    width: float = A4[0]
    height: float = A4[1]
    rotate: int = 0
    parts: list[bytes] = field(default_factory=list)
    images: list[tuple[bytes, int, int]] = field(default_factory=list)  # RGB pixels, width, height

    def text(self, x: float, y: float, text: str, size: float = 10, bold: bool = False, angle: int = 0) -> float:
        """Draw `text` and give the x where it ends. `angle` 90: upwards."""
        runs: list[str] = []
        for char in text:
            if runs and is_wide(runs[-1][-1]) == is_wide(char):
                runs[-1] += char
            else:
                runs.append(char)
        place = 0.0
        for run in runs:
            wide = is_wide(run[0])
            data = run.encode("utf-16-be") if wide else run.encode("cp1252", "replace")
            font = "C1" if wide else ("F2" if bold else "F1")
            dx, dy = (0.0, place) if angle == 90 else (place, 0.0)
            turn = "0 1 -1 0" if angle == 90 else "1 0 0 1"
            # Chinese has no bold cut here: fill and outline make one, as word processors do.
            weight = "2 Tr 0.3 w" if wide and bold else "0 Tr"
            self.parts.append(
                f"BT /{font} {size:g} Tf {weight} {turn} {x + dx:.2f} {self.height - y + dy:.2f} Tm <".encode()
                + data.hex().encode() + b"> Tj ET\n"
            )  # fmt: skip
            place += text_width(run, size, bold)
        return x + place

    def line(self, x0: float, y0: float, x1: float, y1: float, thick: float = 0.6) -> None:
        """Draw a straight line."""
        self.parts.append(f"{thick} w {x0:.2f} {self.height - y0:.2f} m {x1:.2f} {self.height - y1:.2f} l S\n".encode())

    def area(self, x0: float, y0: float, x1: float, y1: float, grey: float) -> None:
        """Fill a rectangle with `grey` (0 black, 1 white)."""
        box = f"{x0:.2f} {self.height - y1:.2f} {x1 - x0:.2f} {y1 - y0:.2f} re f"
        self.parts.append(f"{grey} g {box} 0 g\n".encode())

    def image(self, x0: float, y0: float, x1: float, y1: float, pixels: bytes, wide: int, high: int) -> None:
        """Draw RGB `pixels`, `wide` x `high`, into a rectangle."""
        name = f"I{len(self.images)}"
        self.images.append((pixels, wide, high))
        self.parts.append(
            f"q {x1 - x0:.2f} 0 0 {y1 - y0:.2f} {x0:.2f} {self.height - y1:.2f} cm /{name} Do Q\n".encode()
        )


def write_pdf(pages: list[PdfPage]) -> bytes:
    """The bytes of a PDF with `pages`."""
    objects: list[bytes] = [
        b"", b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>",
        b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /FontDescriptor 7 0 R"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> >>",
        b"<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0"
        b" /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
    ]  # fmt: skip
    kids: list[int] = []
    for page in pages:
        named = []
        for place, (pixels, wide, high) in enumerate(page.images):
            data = zlib.compress(pixels)
            head = (
                f"<< /Type /XObject /Subtype /Image /Width {wide} /Height {high} /ColorSpace /DeviceRGB"
                f" /BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
            )
            objects.append(head.encode() + data + b"\nendstream")
            named.append(f"/I{place} {len(objects)} 0 R")
        content = zlib.compress(b"".join(page.parts))
        objects.append(
            f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode() + content + b"\nendstream"
        )
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.width:g} {page.height:g}] /Rotate {page.rotate}"
            f" /Resources << /Font << /F1 3 0 R /F2 4 0 R /C1 5 0 R >> /XObject << {' '.join(named)} >> >>"
            f" /Contents {len(objects)} 0 R >>".encode()
        )
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(kids)} >>".encode()
    out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)
