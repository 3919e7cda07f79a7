"""E-mail messages (.eml; RFC 5322 and MIME) to canonical text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from answerable.errors import InputError
from answerable.records.docs import Document, Known, RawDoc
from answerable.text.canonical import Canvas
from answerable.text.decode import decode
from answerable.text.parsers.html import draw
from answerable.text.parsers.zipped import open_parts

_SHOWN = ("From", "To", "Cc", "Date")
_QUOTED = re.compile(r"> ?")
_HEADER = re.compile(rb"\A(?:From .*\r?\n)?(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n)*)+", re.MULTILINE)
_OLE = b"\xd0\xcf\x11\xe0"


def parse(raw: RawDoc, known: Known) -> Document:
    """A message: its subject as title, who wrote to whom and when, its text with what it quotes.

    Of text and web page the web page is read. Attachments are documents of their own (see the
    folder source). InputError for a file that is no message or is without words.
    """
    if raw.body.startswith(_OLE):
        open_parts(raw, "eml")
    if not _HEADER.match(raw.body.lstrip()[:65536]):
        raise InputError(f"{raw.uri}: not a message: it has no header lines", "save it as .eml")
    try:
        message = message_from_bytes(raw.body.lstrip(), policy=policy.default)
    except Exception as fault:  # the standard library names no errors of its own here
        raise InputError(f"{raw.uri}: a damaged message: {fault!r}", "save it anew") from fault
    assert isinstance(message, EmailMessage)
    canvas = Canvas()
    subject = header(message, "Subject")
    meta: dict[str, str] = {}
    if subject:
        canvas.heading(1, subject)
    lines = []
    for name in _SHOWN:
        words = date_of(message) if name == "Date" else header(message, name)
        if words:
            lines.append(f"{name}: {words}")
            meta[name.lower()] = words
    if lines:
        canvas.paragraph("\n".join(lines))
    drawn = len(canvas.blocks)
    _draw_body(canvas, message)
    names = [name for name, _ in attachments(message)]
    if names:
        canvas.paragraph("Attachments: " + ", ".join(names))
    if not subject and len(canvas.blocks) == drawn:
        raise InputError(f"no text in {raw.uri}", "the message has neither subject nor text")
    if "author" not in meta and "from" in meta:
        meta["author"] = meta["from"]
    return canvas.finish(raw, "mail", subject, meta=tuple(meta.items()))


def header(message: EmailMessage, name: str) -> str:
    """A header line in words; '' if it is not there or cannot be read."""
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, IndexError, AttributeError, TypeError, LookupError):
        return ""


def date_of(message: EmailMessage) -> str:
    """When the message was sent, ISO 8601 in UTC; as written if it is no date."""
    written = header(message, "Date")
    try:
        sent = parsedate_to_datetime(written)
        return sent.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if sent.tzinfo else str(sent)
    except (ValueError, TypeError, IndexError, OverflowError):
        return written


def attachments(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of what is attached; messages inside are `.eml` files, pictures in the text
    are not attached."""
    for number, part in enumerate(_leaves(message), 1):
        inner = part.get_content_type() == "message/rfc822"
        name = _file_name(part)
        placed = bool(part.get("Content-ID")) and part.get_content_maintype() == "image"
        if not (inner or name) or placed:
            continue
        body = _bytes(part)
        if inner:
            held = part.get_payload()
            first = held[0] if isinstance(held, list) and held else None
            body = first.as_bytes() if isinstance(first, EmailMessage) else body
            name = name or f"message-{number}.eml"
            name = name if name.lower().endswith(".eml") else f"{name}.eml"
        yield name, body


def _leaves(message: EmailMessage) -> Iterator[EmailMessage]:
    """Parts that hold no others, except for attached messages, which are not entered."""
    pile: list[object] = [message]
    while pile:
        part = pile.pop()
        if not isinstance(part, EmailMessage):
            continue
        held = part.get_payload()
        if part.get_content_type() != "message/rfc822" and isinstance(held, list):
            pile += reversed(held)
        else:
            yield part


def _draw_body(canvas: Canvas, message: EmailMessage) -> None:
    plain: list[EmailMessage] = []
    rich: list[EmailMessage] = []
    for part in _leaves(message):
        if _file_name(part):
            continue
        kind = part.get_content_type()
        if kind == "text/html":
            rich.append(part)
        elif kind == "text/plain":
            plain.append(part)
    before = len(canvas.blocks)
    for part in rich:
        draw(canvas, _text(part))
    if len(canvas.blocks) == before:
        for part in plain:
            _draw_plain(canvas, _text(part))


def _draw_plain(canvas: Canvas, text: str) -> None:
    """Paragraphs between empty lines; lines that begin with `>` are quoted from another message."""
    block: list[str] = []
    quoted = False
    for line in [*text.split("\n"), ""]:
        mark = _QUOTED.match(line)
        words = re.sub(r"^(?:> ?)+", "", line).strip()
        if block and (not words or bool(mark) != quoted):
            (canvas.quote if quoted else canvas.paragraph)("\n".join(block))
            block = []
        if words:
            quoted = bool(mark)
            block.append(words)


def _text(part: EmailMessage) -> str:
    return decode(_bytes(part), part.get_content_charset() or "").text


def _bytes(part: EmailMessage) -> bytes:
    try:
        body = part.get_payload(decode=True)
    except (ValueError, AssertionError, LookupError):
        return b""
    return body if isinstance(body, bytes) else b""


def _file_name(part: EmailMessage) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, TypeError, LookupError, AttributeError):
        return ""
    return " ".join(str(name).replace("\\", "/").rsplit("/", 1)[-1].split())
