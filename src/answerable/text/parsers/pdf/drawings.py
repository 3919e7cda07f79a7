"""Drawings inside drawings: how much a page of a PDF makes its reader work, before it is read.

pdfium follows every use of a form (ISO 32000-2, 8.10) and cannot be stopped, so that ten forms of
ten uses each are ten thousand million drawings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from itertools import islice
from typing import Any
from zlib import decompressobj
from zlib import error as broken

from answerable.errors import InputError

MOST_BYTES = 50_000_000
"""What one page may come to, in bytes of instructions with every form counted at every use."""
_PER_USE = 1000
"""What a use of a form takes by itself, in bytes of instructions."""
_STREAM = re.compile(rb"[>\s]stream\r?\n")
_HEAD, _MOST_STREAMS = 4000, 200_000
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_FILTER = re.compile(rb"/Filter\s*(?:\[\s*/(\w+)\s*(/\w+)?|/(\w+))")
_NO_DRAWING = re.compile(rb"/(?:Image|FontFile\d?|Length1|ObjStm|XRef|Metadata|ICCBased|N)\b")
_USE = re.compile(rb"/([^\s/<>\[\]()]+)\s+Do\b")
_FEW_USES, _CAP, _MOST_LOOKED_AT = 20_000, 10**18, 20_000_000
_DEEPEST = 60
_FAULTS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError)


def refuse_bombs(body: bytes, uri: str) -> None:
    """InputError for a file with a page that would take beyond all measure to read.

    Only where the forms of the whole file could multiply to that are its pages counted one by one.
    """
    uses, branching, sure = _most_uses(body)
    if sure and not branching and uses <= _FEW_USES:
        return
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError as Unreadable
    except ImportError:
        _refuse_uncounted(uses, branching, uri)
        return
    try:
        reader = PdfReader(BytesIO(body))
        if reader.is_encrypted:
            reader.decrypt("")
        costs: dict[Any, int] = {}
        for number, page in enumerate(reader.pages, 1):
            cost = _cost(page.get_contents(), page, costs, 0)
            if cost > MOST_BYTES:
                raise InputError(
                    f"page {number} of {uri} is {cost:,} bytes of drawings inside drawings",
                    f"at most {MOST_BYTES:,} are read: print the file to a new PDF",
                )
    except (Unreadable, *_FAULTS):
        _refuse_uncounted(uses, branching, uri)


def _refuse_uncounted(uses: int, branching: bool, uri: str) -> None:
    if branching or uses > _FEW_USES:
        raise InputError(
            f"{uri} may come to {uses:,} drawings inside drawings, and cannot be counted",
            "print the file to a new PDF",
        )


def _most_uses(body: bytes) -> tuple[int, bool, bool]:
    """How many drawings a page can come to; whether any form uses several; whether all is told.

    Along any way down that does not turn back each form stands once, so that the product of the
    uses in all of them is a bound. One that turns back is harmless only where nothing branches.
    """
    inside, most, sure = 1, 1, True
    for found in islice(_STREAM.finditer(body), _MOST_STREAMS):
        start = body.rfind(b"obj", max(0, found.start() - _HEAD), found.start() + 1)
        about = body[start : found.start() + 1] if start >= 0 else b""
        about = _ESCAPED.sub(lambda hit: bytes([int(hit.group(1), 16)]), about)
        form = b"/Form" in about
        if not form and _NO_DRAWING.search(about):
            continue
        end = body.find(b"endstream", found.end())
        data = body[found.end() : end if end >= 0 else len(body)]
        filters = _FILTER.search(about)
        if filters:
            try:
                first, second = filters.group(1) or filters.group(3), filters.group(2)
                if second or first not in (b"FlateDecode", b"Fl"):
                    raise broken
                data = decompressobj().decompress(data, _MOST_LOOKED_AT)
            except broken:
                sure = sure and not form
                continue
        uses = len(_USE.findall(data))
        if form:
            inside = min(inside * max(uses, 1), _CAP)
        else:
            most = max(most, uses)
    return inside * most, inside > 1, sure


def _cost(stream: Any, owner: Any, costs: dict[Any, int], depth: int) -> int:
    if stream is None:
        return 0
    data: bytes = stream.get_data()
    forms = _forms(owner)
    total = len(data)
    if not forms or depth > _DEEPEST:
        return total
    uses: dict[str, int] = {}
    for name in _USE.findall(data):
        key = "/" + name.decode("latin-1")
        uses[key] = uses.get(key, 0) + 1
    for key, times in uses.items():
        if key not in forms:
            continue
        form = forms[key]
        at = getattr(form, "idnum", None), key if not hasattr(form, "idnum") else ""
        if at not in costs:
            inner = form.get_object()
            if inner.get("/Subtype") == "/Form":
                costs[at] = MOST_BYTES  # of a form inside itself there is no end
                costs[at] = _cost(inner, inner, costs, depth + 1)
            else:
                costs[at] = 0
        total += times * (_PER_USE + costs[at])
    return total


def _forms(owner: Any) -> Mapping[str, Any]:
    resources = owner.get("/Resources")
    if resources is None:
        return {}
    objects = resources.get_object().get("/XObject")
    if objects is None:
        return {}
    held = objects.get_object()
    return {name: held.raw_get(name) for name in held}
