"""A small PDF writer: text, lines and pages placed to the point, as plain bytes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

FONTS = {"": "Helvetica", "b": "Helvetica-Bold", "m": "Courier"}


@dataclass
class Made:
    """One page; y is measured from the top edge, as people do."""

    width: float = 595.0
    height: float = 842.0
    rotate: int = 0
    marks: list[str] = field(default_factory=list)
    links: list[tuple[float, float, float, float, str]] = field(default_factory=list)

    def text(self, x, y, words, size=10.0, font="", turn=0):
        matrix = {
            0: "1 0 0 1",
            90: "0 1 -1 0",
            180: "-1 0 0 -1",
            270: "0 -1 1 0",
            45: ".7 .7 -.7 .7",
        }
        name = {"": "F1", "b": "F2", "m": "F3"}[font]
        body = words.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(")
        body = body.replace(b")", b"\\)").decode("latin-1")
        self.marks.append(
            f"BT /{name} {size} Tf {matrix[turn]} {x} {self.height - y} Tm ({body}) Tj ET"
        )
        return self

    def lines(self, x, y, lines, size=10.0, font="", step=12.0):
        for number, words in enumerate(lines):
            self.text(x, y + number * step, words, size, font)
        return self

    def line(self, x0, y0, x1, y1):
        self.marks.append(f"{x0} {self.height - y0} m {x1} {self.height - y1} l S")
        return self

    def box(self, x, y, wide, high):
        self.marks.append(f"{x} {self.height - y - high} {wide} {high} re S")
        return self


def made_pdf(pages: Sequence[Made], title: str = "") -> bytes:
    """The file of these pages, with a correct table of cross references."""
    objects: list[bytes] = [b"", b""]
    fonts = []
    for name in FONTS.values():
        font = f"/Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding"
        objects.append(f"<< {font} >>".encode())
        fonts.append(len(objects))
    resources = " ".join(f"/F{n} {at} 0 R" for n, at in enumerate(fonts, 1))
    kids = []
    for page in pages:
        stream = "\n".join(page.marks).encode("latin-1")
        objects.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(stream), stream))
        content = len(objects)
        annotations = []
        for x0, y0, x1, y1, target in page.links:
            rectangle = f"[{x0} {page.height - y1} {x1} {page.height - y0}]"
            objects.append(
                f"<< /Type /Annot /Subtype /Link /Rect {rectangle} /Border [0 0 0] "
                f"/A << /S /URI /URI ({target}) >> >>".encode()
            )
            annotations.append(f"{len(objects)} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page.width} {page.height}] "
            f"/Rotate {page.rotate} /Resources << /Font << {resources} >> >> "
            f"/Annots [{' '.join(annotations)}] /Contents {content} 0 R >>".encode()
        )
        kids.append(len(objects))
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{listed}] >>".encode()
    info = ""
    if title:
        objects.append(f"<< /Title ({title}) >>".encode())
        info = f" /Info {len(objects)} 0 R"
    return put_together(objects, info)


def put_together(objects: Sequence[bytes], info: str = "") -> bytes:
    """The file of these objects, numbered from 1; the first is its catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += (
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R{info} >>\nstartxref\n{start}\n%%EOF\n"
    ).encode()
    return bytes(out)
