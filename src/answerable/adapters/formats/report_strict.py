"""What kept answers from the strict pass, counted by cause."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.adapters.formats.markup import Markup, foreign, tag
from answerable.adapters.formats.report_lists import Lists, table
from answerable.adapters.formats.report_tables import swatch
from answerable.measure.strict import CAUSES, by_cause
from answerable.measure.taken import Taken
from answerable.records.runs import Run


def causes(runs: Sequence[Run], known: Sequence[Taken]) -> Markup | None:
    """How many questions of each arm failed for each cause; None where nothing failed."""
    found = [by_cause(scores.get("strict", {}).values()) for scores in known]
    if not any(found):
        return None
    head = tag(
        "tr",
        tag("th", "cause"),
        *(tag("th", swatch(at), foreign(run.info.arm)) for at, run in enumerate(runs)),
    )
    rows = [
        tag(
            "tr",
            tag("th", cause, scope="row"),
            *(tag("td", _led(at, len(one.get(cause, ())))) for at, one in enumerate(found)),
        )
        for cause in CAUSES
        if any(cause in one for one in found)
    ]
    return table(head, rows)


def lists(runs: Sequence[Run], known: Sequence[Taken], named: Lists) -> list[Markup]:
    """The questions of each arm under each cause."""
    made = []
    for at, (run, scores) in enumerate(zip(runs, known, strict=True)):
        found = by_cause(scores.get("strict", {}).values())
        rows = [(item, cause) for cause, items in found.items() for item in items]
        if rows:
            title = f"Not strictly right by cause, {run.info.arm}"
            made.append(named.by_why(f"k-{at}", title, rows))
    return made


def _led(at: int, count: int) -> Markup:
    return tag("a", f"{count:,}", href=f"#k-{at}", class_="n") if count else tag("span", "0")
