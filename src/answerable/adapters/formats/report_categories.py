"""The main metrics by category of question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerable.adapters.formats.markup import Markup, foreign, join, tag
from answerable.adapters.formats.report_lists import Lists, table
from answerable.adapters.formats.report_tables import mean, swatch
from answerable.errors import NotComparable
from answerable.measure.taken import Taken, by_category, headline, tallies, under
from answerable.measure.tally import Tally
from answerable.records.runs import Run

_METRICS = ("right", "answered", "refused")


class Categories:
    """Each arm's scores by category; `body` is None where no question has a category."""

    def __init__(self, runs: Sequence[Run], known: Sequence[Taken]) -> None:
        self._runs = runs
        self._known = [
            by_category(run, scores) for run, scores in zip(runs, _wanted(runs, known), strict=True)
        ]
        self._tallies = [
            {category: tallies(run, scores) for category, scores in found.items()}
            for run, found in zip(runs, self._known, strict=True)
        ]
        self._names = sorted({category for found in self._known for category in found})
        self._metrics = list(
            dict.fromkeys(
                metric for found in self._tallies for row in found.values() for metric in row
            )
        )

    def body(self) -> Markup | None:
        """The headline metric, and what was answered and refused, a row for each category."""
        if not any(self._names):
            return None
        head = tag(
            "tr",
            tag("th", "category"),
            *(tag("th", swatch(at), foreign(run.info.arm)) for at, run in enumerate(self._runs)),
        )
        said = "Answered is of the answerable questions, refused of the unanswerable ones."
        return join([tag("p", said, class_="dim"), table(head, list(self._rows()))])

    def lists(self, named: Lists) -> list[Markup]:
        """The questions under each mean."""
        if not any(self._names):
            return []
        return [
            named.under(
                self._anchor(at, metric, category),
                f"{metric}, {titled(category)}, {self._runs[at].info.arm}",
                self._known[at][category][metric],
                found[category][metric],
            )
            for metric in self._metrics
            for category in self._names
            for at, found in enumerate(self._tallies)
            if metric in found.get(category, {})
        ]

    def rows(self) -> Iterator[tuple[str, str, list[Tally | None]]]:
        """Metric, category and each arm's tally, metric by metric; none without categories."""
        for metric in self._metrics if any(self._names) else ():
            for category in self._names:
                row = [self._tally(at, metric, category) for at in range(len(self._runs))]
                if any(row):
                    yield metric, category, row

    def _rows(self) -> Iterator[Markup]:
        before = ""
        for metric, category, row in self.rows():
            if metric != before:
                yield tag("tr", tag("th", metric, colspan=str(len(self._runs) + 1)), class_="layer")
            before = metric
            cells = (
                tag("td", *mean(one, self._anchor(at, metric, category)))
                for at, one in enumerate(row)
            )
            yield tag("tr", tag("th", foreign(titled(category)), scope="row"), *cells)

    def _tally(self, at: int, metric: str, category: str) -> Tally | None:
        return self._tallies[at].get(category, {}).get(metric)

    def _anchor(self, at: int, metric: str, category: str) -> str:
        return f"c-{at}-{self._metrics.index(metric)}-{self._names.index(category)}"


def _wanted(runs: Sequence[Run], known: Sequence[Taken]) -> list[Taken]:
    try:
        first = [headline(runs, known, runs[0].info.depth)] if runs else []
    except NotComparable:  # an arm of which nothing was measured: it has the others
        first = []
    return [
        {metric: under(metric, scores, run) for metric in first}
        | {metric: scores[metric] for metric in _METRICS if metric in scores}
        for run, scores in zip(runs, known, strict=True)
    ]


def titled(category: str) -> str:
    """A category's name, in words where it has none."""
    return category or "no category"
