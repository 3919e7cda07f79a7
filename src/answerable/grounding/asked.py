"""What kind of answer a question asks for, by its question words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from answerable.grounding.quantities import CURRENCIES, UNITS

_RULES: tuple[tuple[str, str], ...] = (
    (
        "identifier",
        r"\bwhich (?:\w+ )?(?:form|code|command|exception|function|article|version|port|key)\b"
        r"|\bwhat (?:\w+ )?(?:command|code|port|version|form)\b|\bwhat is the name of the command\b"
        r"|\b(?:welche[rsn]?|welches) (?:formular|befehl|code|version|artikel)\b",
    ),
    ("range", r"\bbetween (?:which|what)\b|\b(?:which|what) (?:range|limits)\b|\bzwischen welche"),
    (
        "measure",
        r"\b(?:which|what) (?:current|voltage|pressure|temperature|length|width|height|weight|"
        r"distance|speed|size|depth)\b|\bhow (?:far|deep|high|tall|wide|heavy|hot|cold|big|large)\b"
        r"|\bhow much (?:did|do|does|may|can|will) .*\bweigh\b|\bwie ?viel wieg(?:t|en)\b"
        r"|\bwie (?:weit|tief|hoch|breit|schwer|groß)\b",
    ),
    (
        "number",
        r"\bextension\b|\b(?:tele)?phone number\b|\bdurchwahl\b|\btelefonnummer\b",
    ),
    (
        "percentage",
        r"(?<!\d )\b(?:percent(?:age)?|per cent|prozent\w*)\b|\bwhat share\b"
        r"|\b(?:what|which|how (?:much|large|high)|wie ?viel|wie hoch|welche[rsnm]?)\b"
        r"(?: \w+){0,2} (?:discount|rabatt)\b",
    ),
    (
        "duration",
        r"\bhow long\b|\bhow (?:soon|quickly|fast)\b|\bhow much (?:notice|time)\b"
        r"|\b(?:how many|number of)(?: \w+){0,2} "
        r"(?:seconds|minutes|hours|days|weeks|months|years)\b"
        r"|\bwie lange?\b|\bwie schnell\b|\bwie viele (?:\w+ )?(?:sekunden|minuten|stunden|tage|"
        r"wochen|monate|jahre)\b|\bcombien de temps\b|\bcu[aá]nto tiempo\b|\bjak długo\b"
        r"|\bquanto tempo\b|どのくらいの間|何(?:日間|時間|週間|か月)",
    ),
    (
        "quantity",
        r"\bhow much (?:did|do|does|has|have|will) .*"
        r"\b(?:increase|rise|change|grow|fall|drop|vary)",
    ),
    (
        "amount",
        r"\bhow much (?:is|are|does|do|did|was|were|must|will|would|money)\b|\bcosts?\b|\bprice\b"
        r"|\bfee\b|\bpay per\b|\bsalary\b|\bin (?:\w+ )?(?:euros?|dollars?|pounds?|crowns?)\b"
        r"|\bwhat do i get (?:per|for)\b|\b(?:which|what) (?:amount|sum)\b|\bmost .* could get\b"
        r"|\bwas kostet\b|\bwie ?viel kostet\b|\bwie teuer\b|\bpreis\b|\bgebühr\b"
        r"|\bcombien (?:coûte|cela)\b|\bcu[aá]nto cuesta\b|\bile kosztuje\b|いくら",
    ),
    (
        "number",
        r"\bhow many\b|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bile\b"
        r"|何(?:個|人|本|枚)",
    ),
    ("quantity", r"\bhow much\b"),
    (
        "time",
        r"\bwhat time\b|\bat what (?:time|hour)\b|\buhrzeit\b|\bum wie ?viel uhr\b|何時",
    ),
    ("day", r"\b(?:which|what) day\b|\bwelche[mnr] tag\b|何曜日"),
    (
        "date",
        r"\bwhen\b|\b(?:what|which) (?:date|year|month)\b|\bwann\b|\bquand\b|\bcu[aá]ndo\b"
        r"|\bkiedy\b|いつ",
    ),
    # `Who` inside a sentence is part of a name.
    (
        "person",
        r"^who(?:m|se)?\b|(?-i:\bwho(?:m|se)?\b)|\bwer\b|\bwem\b|\bwen\b|\bqui\b|\bqui[eé]n\b|\bkto\b|誰",
    ),
    (
        "place",
        r"\bwhere\b|(?:^|, )(?:in|at|on) (?:which|what) "
        r"(?!(?:way|manner|case|order|year|month|century|decade|season|language|form)s?\b)\w+\b"
        r"|\bwo\b|\bwohin\b|\boù\b|\bd[oó]nde\b|\bgdzie\b|どこ",
    ),
)
_KINDS = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in _RULES)
_OPEN = frozenset(("date", "person", "place"))

_YES_NO = re.compile(
    r"^(?:(?:and|but|so|hi|hello|please)[, ]+)?"
    r"(?:is|are|was|were|am|do|does|did|can|could|may|might"
    r"|must|shall|should|will|would|has|have|had|isn't|aren't|don't|doesn't|can't|"
    r"ist|sind|war|darf|dürfen|kann|können|muss|müssen|soll|sollen|hat|haben|gibt|wird|werden|"
    r"est-ce|peut-on|puis-je|czy|¿?(?:es|se puede|puedo))\b",
    re.I,
)
_COUNTED = re.compile(
    r"\b(?:how many|number of|wie ?viele?|combien de|cu[aá]nt[oa]s|ile)((?: [\w'’-]+){1,3})"
    r"|\bin ((?:\w+ )?(?:euros?|dollars?|pounds?|crowns?|francs?|percent|eur|usd|gbp|chf))\b",
    re.I,
)
_IN_WHICH = re.compile(r"\b(?:in|at|on) (?:which|what) (\w+)", re.I)
_NAMED = re.compile(
    r"\b(?:which|what|welche[rsnm]?) (?:\w+ )?(form|code|command|exception|function|article|"
    r"version|port|key|formular|befehl|artikel)\b",
    re.I,
)
_LAST = re.compile(r"(?:^|[.!?。]\s+|[.!?。])([^.!?。]+[?？]?\s*)$")


@dataclass(frozen=True, slots=True)
class Asked:
    """The kind of answer asked for ('' when it is open) and the units that it must be in.

    `kind` is one of yesno, identifier, number, percentage, duration, amount, time, day, date,
    person and place; `units` are names of `quantities` (empty: any). `noun` are the words that
    name what is counted or looked for, case folded (`how many spare keys`, `which port`).
    """

    kind: str
    units: frozenset[str] = frozenset()
    noun: tuple[str, ...] = ()


def asked(question: str) -> Asked:
    """What a question asks for, by the words of its last sentence, else by all of them."""
    kind = _kind(question)
    units = _units(question) if kind in ("duration", "amount", "number") else frozenset()
    return Asked(kind, units, _noun(question, kind))


def _noun(question: str, kind: str) -> tuple[str, ...]:
    if kind == "identifier" and (named := _NAMED.search(question)):
        return (named[1].casefold(),)
    if kind == "place" and (within := _IN_WHICH.search(question)):
        return (within[1].casefold(),)
    if kind == "number" and (counted := _COUNTED.search(question)) and counted[1]:
        return tuple(counted[1].casefold().split())
    return ()


def _units(question: str) -> frozenset[str]:
    names = set()
    for match in _COUNTED.finditer(question):
        words = (match[1] or match[2]).casefold().split()
        names |= {unit for word in words if (unit := UNITS.get(word) or CURRENCIES.get(word))}
    return frozenset(names)


def _kind(question: str) -> str:
    text = " ".join(question.split())
    last = _LAST.search(text)
    core = last[1].strip() if last and len(last[1].split()) > 1 else text
    if _YES_NO.match(core) and not re.search(r"\bor\b|\boder\b", core, re.I):
        return "yesno"
    for words in (core, text):
        for kind, pattern in _KINDS:
            if pattern.search(words):
                return _first(words) if kind in _OPEN else kind
    return ""


def _first(words: str) -> str:
    """Of `when`, `who` and `where` the one that stands first: `Who spoke when it began?`."""
    at = {kind: m.start() for kind, p in _KINDS if kind in _OPEN and (m := p.search(words))}
    return min(at, key=lambda kind: at[kind])
