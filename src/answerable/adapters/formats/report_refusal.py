"""Refusing in the report: what was refused rightly and wrongly, and the risk of answering more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerable.adapters.formats.figures import number
from answerable.adapters.formats.markup import Markup, foreign, join, tag
from answerable.adapters.formats.report_axes import (
    Frame,
    apart,
    colour,
    dash,
    diamond,
    round_shares,
    shortened,
)
from answerable.adapters.formats.report_lists import Lists, table
from answerable.adapters.formats.report_tables import swatch
from answerable.measure.refusal import Curve, confusion, judged, operating, risk_coverage
from answerable.records.runs import Decision, Run

_FRAME = Frame(right=148)
_SHARES = ("coverage", "risk", "precision", "recall", "F1", "AURC", "ideal", "not placed")
_CELLS = ((True, False), (True, True), (False, False), (False, True))


def by_wrong_answers(runs: Sequence[Run]) -> bool:
    """Whether risk is the share of wrong answers: where every arm with decisions has judged some.

    Otherwise it is the share of unanswerable questions among those answered.
    """
    return all(judged(run.decisions) for run in runs if run.decisions)


def matrix(runs: Sequence[Run]) -> Markup | None:
    """Each arm's confusion matrix, and the shares that follow from it; None without decisions."""
    kept = [(at, run) for at, run in enumerate(runs) if run.decisions]
    if not kept:
        return None
    names = ("arm", "questions", "answered", "refused", *_SHARES)
    head = tag("tr", *(tag("th", n, class_=None if n in names[:2] else "r") for n in names))
    answers = by_wrong_answers(runs)
    return table(head, [row for at, run in kept for row in _rows(at, run, answers)])


def lists(runs: Sequence[Run], named: Lists) -> list[Markup]:
    """The questions in each cell of each matrix."""
    found = []
    for at, run in enumerate(runs):
        for cell, (answerable, refused) in enumerate(_CELLS):
            rows = [
                (d.item_id, _why(d))
                for d in run.decisions
                if d.answerable == answerable and d.refused == refused
            ]
            kind = "answerable" if answerable else "unanswerable"
            done = "refused" if refused else "answered"
            if rows:
                title = f"{run.info.arm}: {kind} and {done} ({len(rows)})"
                found.append(named.by_why(f"r-{at}-{cell}", title, rows))
    return found


def curve(runs: Sequence[Run]) -> Markup | None:
    """Risk over coverage of all arms, and where each stands now; None when nothing is placed."""
    answers = by_wrong_answers(runs)
    found = [risk_coverage(run.decisions, answers=answers) for run in runs]
    shown = [
        (at, run, one, operating(run.decisions, answers=answers))
        for at, (run, one) in enumerate(zip(runs, found, strict=True))
        if one.points
    ]
    if not shown:
        return None
    risks = [point.risk for _, _, one, _ in shown for point in one.points]
    _, high = round_shares([*risks, *(now[1] for *_, now in shown if now)])
    y, grid = _FRAME.shares(0.0, high)
    x, axis = _FRAME.along("questions answered (coverage), the surest first")
    lines = [
        tag(
            "polyline",
            tag("title", f"{run.info.arm}: {_said(one)}"),
            class_="l",
            points=" ".join(f"{x(c):.1f},{y(r):.1f}" for c, r in _corners(one)),
            stroke=colour(at),
            stroke_dasharray=dash(at),
        )
        for at, run, one, _ in shown
    ]
    marks = [
        diamond(
            x(now[0]),
            y(now[1]),
            colour(at),
            f"{run.info.arm} now: of {one.n} placed {now[0]:.1%} answered, risk {now[1]:.1%}",
        )
        for at, run, one, now in shown
        if now
    ]
    wanted = [y(one.points[-1].risk) for _, _, one, _ in shown]
    heights = apart(wanted, 30, _FRAME.top + 4, _FRAME.south - 16)
    names = [
        join(
            [
                tag("text", shortened(run.info.arm), x=_FRAME.east + 8, y=height + 4,
                    fill=colour(at)),
                tag("text", f"AURC {_short(one.aurc)}, ideal {_short(one.best)}",
                    x=_FRAME.east + 8, y=height + 18, class_="tick"),
            ]
        )
        for (at, run, one, _), height in zip(shown, heights, strict=True)
    ]  # fmt: skip
    return _FRAME.picture("Risk by coverage", grid, axis, *lines, *marks, *names)


def _rows(at: int, run: Run, answers: bool) -> Iterator[Markup]:
    found, one = confusion(run.decisions), risk_coverage(run.decisions, answers=answers)
    now = operating(run.decisions, answers=answers)
    shares = (
        found.coverage,
        found.risk if answers else now and now[1],
        found.precision,
        found.recall,
        found.f1,
        one.aurc,
        one.best,
    )
    wrong = f" {found.wrong} wrong" + f", {found.unknown} not judged" * bool(found.unknown)
    yield tag(
        "tr",
        tag("th", swatch(at), foreign(run.info.arm), scope="row", rowspan="2"),
        tag("td", "answerable"),
        tag("td", _led(at, 0, found.answered), tag("span", wrong, class_="dim small"), class_="r"),
        tag("td", _led(at, 1, found.refused), class_="r"),
        *(tag("td", number(share, 3), class_="r", rowspan="2") for share in shares),
        tag("td", str(one.left_out), class_="r", rowspan="2"),
    )
    yield tag(
        "tr",
        tag("td", "unanswerable"),
        tag("td", _led(at, 2, found.babbled), class_="r"),
        tag("td", _led(at, 3, found.declined), class_="r"),
    )


def _led(at: int, cell: int, count: int) -> Markup:
    if not count:
        return tag("span", "0")
    return tag("a", f"{count:,}", href=f"#r-{at}-{cell}", class_="n")


def _why(one: Decision) -> str:
    if one.refused:
        return "refused"
    return {True: "answered wrongly", False: "answered rightly", None: "answered, not judged"}[
        one.wrong
    ]


def _corners(one: Curve) -> list[tuple[float, float]]:
    """The curve's points; questions of equal confidence at its start have one risk."""
    first = one.points[0]
    return [(1 / one.n, first.risk), *((point.coverage, point.risk) for point in one.points)]


def _said(one: Curve) -> str:
    placed = f"{one.n} questions placed, {one.left_out} not"
    return f"AURC {_short(one.aurc)}, ideal {_short(one.best)}; {placed}"


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
