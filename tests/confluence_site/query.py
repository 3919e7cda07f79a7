"""CQL as far as a source needs it: parsed by its grammar, so that what is quoted stays a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from confluence_site.world import Content, World

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<sign>!=|>=|<=|[=<>(),])"""
    r"""|(?P<word>[^\s"'()=<>!,]+))""",
    re.S,
)
_RESERVED = {"and", "or", "not", "in", "order", "by", "asc", "desc"}
_OPERATORS = {"=", "!=", ">=", "<=", ">", "<"}
Test = Callable[[World, Content], bool]


class BadQueryError(ValueError):
    """What the site answers 400 to."""


@dataclass(frozen=True)
class Query:
    """A parsed search; `values` are the (field, operator, values) of its clauses in order."""

    test: Test
    order: str = ""
    values: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)


def parse(cql: str) -> Query:
    parser = _Parser(_tokens(cql))
    test = parser.any()
    order = parser.order()
    if parser.at < len(parser.tokens):
        raise BadQueryError(f"unexpected {parser.tokens[parser.at]}")
    return Query(test, order, parser.values)


def _tokens(cql: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    cql = cql.strip()
    while at < len(cql):
        token = _TOKEN.match(cql, at)
        if token is None:
            raise BadQueryError(f"cannot read {cql[at:]!r}")
        kind = str(token.lastgroup)
        value = token[kind]
        found.append((kind, re.sub(r"\\(.)", r"\1", value[1:-1]) if kind == "text" else value))
        at = token.end()
    return found


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.at = tokens, 0
        self.values: list[tuple[str, str, tuple[str, ...]]] = []

    def any(self) -> Test:
        tests = [self.every()]
        while self._word("or"):
            tests.append(self.every())
        return lambda world, one: any(test(world, one) for test in tests)

    def every(self) -> Test:
        tests = [self.clause()]
        while self._word("and"):
            tests.append(self.clause())
        return lambda world, one: all(test(world, one) for test in tests)

    def clause(self) -> Test:
        if self._word("not"):
            inner = self.clause()
            return lambda world, one: not inner(world, one)
        if self._sign("("):
            inner = self.any()
            self._need(")")
            return inner
        kind, name = self._next()
        if kind != "word" or name.lower() in _RESERVED:
            raise BadQueryError(f"no field {name!r}")
        negative = self._word("not")
        if self._word("in"):
            self._need("(")
            values = [self._value()]
            while self._sign(","):
                values.append(self._value())
            self._need(")")
            return self._test(name, "not in" if negative else "in", tuple(values))
        kind, operator = self._next()
        if kind != "sign" or operator not in _OPERATORS:
            raise BadQueryError(f"no operator {operator!r}")
        return self._test(name, operator, (self._value(),))

    def order(self) -> str:
        if not self._word("order"):
            return ""
        if not self._word("by"):
            raise BadQueryError("order without by")
        name = self._next()[1].lower()
        self._word("asc") or self._word("desc")
        return name

    def _test(self, name: str, operator: str, values: tuple[str, ...]) -> Test:
        name = name.lower()
        self.values.append((name, operator, values))
        if name == "lastmodified":
            if not re.fullmatch(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", values[0]):
                raise BadQueryError(f"no time {values[0]!r}")
            return lambda world, one: _compare(world.minute(one.now.when), operator, values[0])
        if name not in _FIELDS:
            raise BadQueryError(f"no field {name!r}")
        held = _FIELDS[name]
        wanted = set(values)
        if operator in ("in", "="):
            return lambda world, one: bool(wanted & held(world, one))
        if operator in ("not in", "!="):
            return lambda world, one: not wanted & held(world, one)
        raise BadQueryError(f"{name} does not know {operator}")

    def _value(self) -> str:
        kind, value = self._next()
        if kind == "sign":
            raise BadQueryError(f"no value {value!r}")
        bare = kind == "word"
        if bare and (value.lower() in _RESERVED or not re.fullmatch(r"[A-Za-z]\w*|\d+", value)):
            raise BadQueryError(f"{value!r} needs quotes")
        return value

    def _next(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise BadQueryError("the query ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def _word(self, word: str) -> bool:
        here = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        found = here[0] == "word" and here[1].lower() == word
        self.at += found
        return found

    def _sign(self, sign: str) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at] == ("sign", sign)
        self.at += found
        return found

    def _need(self, sign: str) -> None:
        if not self._sign(sign):
            raise BadQueryError(f"{sign} is missing")


def _compare(left: str, operator: str, right: str) -> bool:
    right = right if " " in right else right + " 00:00"
    return {
        ">=": left >= right,
        "<=": left <= right,
        ">": left > right,
        "<": left < right,
        "=": left == right,
        "!=": left != right,
    }[operator]


_FIELDS: dict[str, Callable[[World, Content], set[str]]] = {
    "id": lambda world, one: {one.id},
    "space": lambda world, one: {one.space},
    "label": lambda world, one: set(one.labels),
    "type": lambda world, one: {one.type},
    "title": lambda world, one: {one.title},
    "container": lambda world, one: {one.container},
    "ancestor": lambda world, one: {above.id for above in world.ancestors(one)},
}
