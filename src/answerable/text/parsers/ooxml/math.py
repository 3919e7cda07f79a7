"""Equations of Office files (OMML, ECMA-376 part 1, 22.1) as one readable line.

The line follows Unicode's plain-text form of mathematics (UTN 28): `x^2`, `a_1`, `(a+b)/c`.
"""

from __future__ import annotations

from answerable.text.parsers.ooxml.parts import Element, child, children, name_of, path, value

_DEFAULT_OPERATOR = "∫"
_DEFAULT_ACCENT = "\u0302"
_SKIP = frozenset({"m:ctrlPr", "m:rPr", "w:rPr", "w:del", "w:moveFrom"})


def equation(element: Element) -> str:
    """The words of an `m:oMath` or `m:oMathPara`; several equations stand on lines of their own."""
    if name_of(element) == "m:oMathPara":
        lines = [_inside(inner) for inner in children(element, "m:oMath")]
    else:
        lines = [_inside(element)]
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def _inside(element: Element | None) -> str:
    """All children one after another, a built form set apart from letters that follow it."""
    text = ""
    formed = False
    for inner in element if element is not None else ():
        part = _one(inner)
        name = name_of(inner)
        if part and text[-1:].isalnum() and part[0].isalnum() and (formed or name == "m:func"):
            text += " "
        text += part
        formed = name in _FORMS if part else formed
    return text


def _one(element: Element) -> str:
    name = name_of(element)
    if name in _SKIP or name.endswith("Pr"):
        return ""
    if name in ("m:t", "w:t"):
        return element.text or ""
    if name == "w:br":
        return " "
    draw = _FORMS.get(name)
    return draw(element) if draw else _inside(element)


def _part(element: Element, name: str) -> str:
    return _inside(child(element, name))


def _fraction(element: Element) -> str:
    above, below = _part(element, "m:num"), _part(element, "m:den")
    if value(path(element, "m:fPr", "m:type"), "val") == "noBar":
        return f"({above} choose {below})" if below else above
    return f"{_grouped(above)}/{_grouped(below)}"


def _power(element: Element) -> str:
    return _grouped(_part(element, "m:e")) + "^" + _grouped(_part(element, "m:sup"))


def _index(element: Element) -> str:
    return _grouped(_part(element, "m:e")) + "_" + _grouped(_part(element, "m:sub"))


def _both(element: Element) -> str:
    low, high = _grouped(_part(element, "m:sub")), _grouped(_part(element, "m:sup"))
    return f"{_grouped(_part(element, 'm:e'))}_{low}^{high}"


def _before(element: Element) -> str:
    low, high = _grouped(_part(element, "m:sub")), _grouped(_part(element, "m:sup"))
    return f"_{low}^{high} {_part(element, 'm:e')}"


def _root(element: Element) -> str:
    degree = _part(element, "m:deg").strip()
    inner = _part(element, "m:e")
    return f"√[{degree}]({inner})" if degree else f"√({inner})"


def _operator(element: Element) -> str:
    written = path(element, "m:naryPr", "m:chr")
    sign = value(written, "val") if written is not None else _DEFAULT_OPERATOR
    low, high = _part(element, "m:sub"), _part(element, "m:sup")
    limits = (f"_{_grouped(low)}" if low.strip() else "") + (
        f"^{_grouped(high)}" if high.strip() else ""
    )
    return f"{sign}{limits} {_part(element, 'm:e')}"


def _fenced(element: Element) -> str:
    properties = child(element, "m:dPr")
    signs = [
        value(found, "val") if (found := child(properties, name)) is not None else usual
        for name, usual in (("m:begChr", "("), ("m:sepChr", "|"), ("m:endChr", ")"))
    ]
    inner = [_inside(part) for part in children(element, "m:e")]
    if len(inner) == 1 and inner[0].startswith("(") and _is_one(inner[0]) and signs[0] == "(":
        return inner[0]
    return signs[0] + signs[1].join(inner) + signs[2]


def _function(element: Element) -> str:
    name, argument = _part(element, "m:fName").strip(), _part(element, "m:e")
    if argument.lstrip().startswith(("(", "[")):
        return name + argument.lstrip()
    return f"{name} {argument}" if argument.strip().isalnum() else f"{name}({argument.strip()})"


def _under(element: Element) -> str:
    return f"{_part(element, 'm:e')}_{_grouped(_part(element, 'm:lim'))}"


def _over(element: Element) -> str:
    return f"{_part(element, 'm:e')}^{_grouped(_part(element, 'm:lim'))}"


def _accent(element: Element) -> str:
    written = path(element, "m:accPr", "m:chr")
    mark = value(written, "val") if written is not None else _DEFAULT_ACCENT
    inner = _part(element, "m:e")
    return inner + mark if len(inner) == 1 else f"({inner}){mark}"


def _matrix(element: Element) -> str:
    rows = (
        ", ".join(_inside(cell) for cell in children(row, "m:e"))
        for row in children(element, "m:mr")
    )
    return "[" + "; ".join(rows) + "]"


def _lines(element: Element) -> str:
    return "; ".join(_inside(inner) for inner in children(element, "m:e"))


_FORMS = {
    "m:f": _fraction,
    "m:sSup": _power,
    "m:sSub": _index,
    "m:sSubSup": _both,
    "m:sPre": _before,
    "m:rad": _root,
    "m:nary": _operator,
    "m:d": _fenced,
    "m:func": _function,
    "m:limLow": _under,
    "m:limUpp": _over,
    "m:acc": _accent,
    "m:m": _matrix,
    "m:eqArr": _lines,
}


def _grouped(text: str) -> str:
    """Text as one operand: in brackets unless it is one already."""
    text = text.strip()
    return text if text.isalnum() or len(text) <= 1 or _is_one(text) else f"({text})"


def _is_one(text: str) -> bool:
    """Whether one pair of brackets encloses all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return at == len(text) - 1
    return False
