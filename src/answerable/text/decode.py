"""Bytes to text: which character encoding, and what could not be read."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from answerable.errors import InputError

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What the WHATWG Encoding Standard reads under these labels.
_ALIASES = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_SAMPLE = 1 << 20
_EBCDIC = ["cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140"]
# Bytes inside a word that are letters in windows-1250 and signs in windows-1252, and the letters
# s and z with caron at the edge of a word, which Western European words do not have.
_CENTRAL = re.compile(
    rb"[A-Za-z\xc0-\xff][\x8a\x8d\x8e\x9a\x9d\x9e\xb3\xb9\xbe\xbf][A-Za-z\xc0-\xff]"
    rb"|\b[\x8a\x8e\x9a\x9e][a-z]|[a-z][\x9a\x9e]\b"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with line feeds only and no byte-order mark; `notes` says what was replaced."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def charset_of(media_type: str) -> str:
    """The charset parameter of a media type, '' if it has none."""
    found = _CHARSET.search(media_type)
    return found.group(1) if found else ""


def decode(body: bytes, declared: str = "") -> Decoded:
    """The text of `body`: by its byte-order mark, as UTF-8, as declared, or as detected.

    Bytes that fit no encoding become U+FFFD and are counted in a note. InputError for binary
    content (NUL bytes that are not UTF-16 or UTF-32).
    """
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _lenient(body[len(mark) :], encoding)
    if b"\0" in body:
        return _lenient(body, _wide(body))
    try:
        return _clean(body.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if _is_damaged_utf8(body):
        return _lenient(body, "utf-8")
    named = _codec(declared)
    if named and named != "utf-8":
        return _lenient(body, named)
    return _lenient(body, _guess(body[:_SAMPLE]))


def _wide(body: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, told by where its NUL bytes stand."""
    head = body[:4096]
    shares = [head[i::4].count(0) / max(1, len(head[i::4])) for i in range(4)]
    first, second, third, fourth = (share > 0.3 for share in shares)
    layouts = {
        (False, True, True, True): "utf-32-le",
        (True, True, True, False): "utf-32-be",
        (False, True, False, True): "utf-16-le",
        (True, False, True, False): "utf-16-be",
    }
    found = layouts.get((first, second, third, fourth))
    if found is None:
        raise InputError(
            f"binary content: {body.count(0)} NUL bytes in {len(body)}, "
            f"the first at byte {body.index(0)}",
            "leave the file out, or hand it over under its own format",
        )
    return found


def _is_damaged_utf8(body: bytes) -> bool:
    """Whether valid UTF-8 sequences outnumber the broken ones (or only the last is cut)."""
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
    sound = sum(char > "\x7f" for char in text) - text.count("\ufffd")
    if sound > broken:
        return True
    reader = codecs.getincrementaldecoder("utf-8")()
    try:
        reader.decode(body, final=False)
    except UnicodeDecodeError:
        return False
    return len(reader.getstate()[0]) > 1


def _codec(label: str) -> str:
    try:
        name = codecs.lookup(label.strip()).name if label.strip() else ""
    except LookupError:
        return ""
    try:
        b"a".decode(name or "utf-8")
    except (LookupError, UnicodeError):
        return ""
    return _ALIASES.get(name, name)


def _guess(sample: bytes) -> str:
    """Japanese told by its kana (charset-normalizer takes it for Korean), else as detected."""
    for encoding in ("cp932", "euc_jp"):
        text = sample.decode(encoding, "ignore")
        wide = sum(char > "\x7f" for char in text)
        if wide > 4 and sum("\u3041" <= char <= "\u30fe" for char in text) > 0.25 * wide:
            return encoding
    found = from_bytes(sample, cp_exclusion=_EBCDIC).best()
    guess = _codec(found.encoding) if found else ""
    high = [char for char in sample.decode(guess or "ascii", "ignore") if char > "\x7f"]
    if guess and len(high) >= 8 and sum(char > "\u036f" for char in high) > len(high) / 2:
        return guess
    western = "cp1250" if _CENTRAL.search(sample) else "cp1252"
    try:
        sample.decode(western)
    except UnicodeDecodeError:
        return guess or "utf-8"
    return western


def _lenient(body: bytes, encoding: str) -> Decoded:
    encoding = encoding or "utf-8"
    try:
        return _clean(body.decode(encoding), encoding)
    except UnicodeDecodeError:
        pass
    text = body.decode(encoding, "replace")
    own = "\ufffd".encode(encoding, "ignore")
    lost = text.count("\ufffd") - (body.count(own) if own else 0)
    places = "place" if lost == 1 else "places"
    return _clean(text, encoding, f"{lost} {places} not valid {encoding}, replaced by U+FFFD")


def _clean(text: str, encoding: str, *notes: str) -> Decoded:
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, encoding, notes)
