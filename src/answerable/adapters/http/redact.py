"""Taking secrets out of whatever is shown or kept."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit, urlunsplit

HIDDEN = "***"

_NAMES = (
    r"token|secret|passw(?:or)?d|passwd|pwd|api[_-]?key|key|auth|authorization|credential"
    r"|signature|sig|session|sid|jsessionid|jwt|ticket|code|nonce|assertion|cookie"
)
# A parameter is one of these, or ends or begins with one as a word of its own.
_PARAMETER = re.compile(rf"(?:.*[_.\-])?(?:{_NAMES})(?:[_.\-].*)?|\w*(?:token|secret)", re.I)
_LOOKS_SECRET = re.compile(r"eyJ[\w-]{8,}\.[\w-]*|(?:gh[pousr]|glpat|xox[abp]|ATATT)[\w-]{8,}")
_SCHEMES = re.compile(r"\b(basic|bearer|digest|token|negotiate|apikey)(\s+)[\w+/=~.-]{6,}", re.I)
_HEADERS = re.compile(
    r"\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:key|token|auth)[\w-]*)"
    r"(['\"]\s*,\s*b?['\"]|['\"]?\s*[:=]\s*b?['\"]?)(?!\*\*\*)[^\r\n'\"]+",
    re.I,
)
_URL = re.compile(r"\b(https?|git\+\w+|ssh)://[^\s'\"<>\\]+", re.I)
_PAIR = re.compile(rf"(?<![\w.-])((?:[\w.\-]*[_.\-])?(?:{_NAMES}))=[^\s&'\"<>;,)]+", re.I)


class Redactor:
    """Replaces known secrets, in every form they may be written, by ***.

    The forms: as it is, in base64 (both alphabets, wherever it stands in what was encoded),
    percent-encoded, escaped for JSON. Secrets under 4 characters are left, as all texts hold them.
    """

    __slots__ = ("_pattern",)

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets for form in _forms(secret)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.I)

    def __repr__(self) -> str:
        return "Redactor()"

    def __call__(self, text: str) -> str:
        """`text` without the secrets."""
        return self._pattern.sub(HIDDEN, text)


def scrubbed(text: str) -> str:
    """`text` without what looks secret, known or not.

    Authorization schemes with their values, the values of such headers and parameters, and users
    and queries of URLs go; host, path and status stay.
    """
    text = _URL.sub(lambda found: _bare(found[0]), text)
    text = _SCHEMES.sub(rf"\1\2{HIDDEN}", text)
    text = _HEADERS.sub(rf"\1\2{HIDDEN}", text)
    text = _PAIR.sub(rf"\1={HIDDEN}", text)
    return _LOOKS_SECRET.sub(HIDDEN, text)


def shareable(link: str) -> str:
    """A link as it may be stored and shown: without user, password and secret parameters.

    RFC 6750 section 5.3. What names a page (`pageId`, `p`, ...) stays.
    """
    try:
        parts = urlsplit(link)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return link.partition("?")[0]
    secret = [bool(_PARAMETER.fullmatch(k) or _LOOKS_SECRET.search(v)) for k, v in pairs]
    if host == parts.netloc and not any(secret) and not _fragile(parts.fragment):
        return link
    kept = [
        f"{quote(k, '')}={quote(v, '/:')}"
        for (k, v), hide in zip(pairs, secret, strict=True)
        if not hide
    ]
    fragment = "" if _fragile(parts.fragment) else parts.fragment
    return urlunsplit((parts.scheme, host, parts.path, "&".join(kept), fragment))


def _fragile(fragment: str) -> bool:
    """Whether a fragment carries a token, as OAuth's implicit flow hands one over."""
    return bool(_PAIR.search(fragment) or _LOOKS_SECRET.search(fragment))


def _bare(url: str) -> str:
    scheme, _, rest = url.partition("://")
    place = re.split(r"[?#]", rest)[0]
    host, slash, path = place.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def _forms(secret: str) -> set[str]:
    if len(secret) < 4:
        return set()
    raw = secret.encode("utf-8")
    forms = {secret, quote(secret, ""), quote_plus(secret), json.dumps(secret)[1:-1]}
    forms |= {json.dumps(secret, ensure_ascii=False)[1:-1], quote(quote(secret, ""), "")}
    for ahead in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            forms.add(_inner(encode(b"\0" * ahead + raw).decode("ascii"), ahead, len(raw)))
    return {form for form in forms if len(form) >= 4}


def _inner(packed: str, ahead: int, size: int) -> str:
    """The characters of `packed` that are the same whatever stands before and behind."""
    start = -(-ahead * 8 // 6)
    end = (ahead + size) * 8 // 6
    return packed[start:end]
