"""What a robots.txt lets a reader fetch (RFC 9309)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

LIMIT = 500 * 1024
"""How many bytes are read at least (RFC 9309, 2.5), and here at most."""
_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_PACKED = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules that hold for one reader, its delay in seconds, and the sitemaps named."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, target: str) -> bool:
        """Whether path and query may be fetched: the longest rule decides, allow at a tie."""
        target = _normal(target.partition("#")[0] or "/").replace("*", "%2A").replace("$", "%24")
        if target == "/robots.txt":
            return True
        fitting = [(len(rule), allow) for rule, allow in self.rules if _fits(rule, target)]
        return max(fitting)[1] if fitting else True


ALL_ALLOWED = Robots()


def robots_of(body: bytes, agent: str) -> Robots:
    """The rules for `agent`: those of all groups that name it, else of those for `*`."""
    text = body[:LIMIT].decode("utf-8-sig", "replace")
    groups: dict[str, list[tuple[str, bool]]] = {}
    delays: dict[str, float] = {}
    sitemaps: list[str] = []
    names: list[str] = []
    open_head = False
    for line in re.split(r"\r\n|\r|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            if not open_head:
                names = []
            open_head = True
            if found := _TOKEN.match(value):
                names.append(found[0].lower())
                groups.setdefault(names[-1], [])
        elif key in ("allow", "disallow"):
            open_head = False
            for name in names:
                if value:
                    groups[name].append((_normal(value), key == "allow"))
        elif key == "crawl-delay" and re.fullmatch(r"\d{1,6}(\.\d*)?", value):
            delays.update(dict.fromkeys(names, float(value)))
        elif key == "sitemap":
            sitemaps.append(value)
    mine = agent.lower() if agent.lower() in groups else "*"
    return Robots(tuple(groups.get(mine, ())), delays.get(mine, 0.0), tuple(sitemaps))


def _fits(rule: str, target: str) -> bool:
    """Whether a rule covers the beginning of `target`; `*` is anything, a last `$` the end."""
    anchored = rule.endswith("$")
    first, *rest = rule.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    at = len(first)
    last = rest.pop() if rest and anchored else None
    for part in rest:
        found = target.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if last is not None:
        return target.endswith(last) and len(target) - len(last) >= at
    return not anchored or at == len(target)


def _normal(text: str) -> str:
    """Percent-encoding as RFC 9309 2.2.2 compares it: only of what needs it, in capitals."""

    def settled(found: re.Match[str]) -> str:
        char = chr(int(found[1], 16))
        return char if _UNRESERVED.fullmatch(char) else found[0].upper()

    return _PACKED.sub(settled, quote(text, safe="%!$&'()*+,;=:@/?~[]|\"<>\\^`{} "))
