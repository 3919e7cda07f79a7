"""The questions under the report's numbers, and where a number leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from answerable.adapters.formats.figures import evidence, rank, signed
from answerable.adapters.formats.markup import Markup, foreign, join, tag
from answerable.measure.taken import Taken
from answerable.measure.tally import Tally
from answerable.records.comparison import Movement
from answerable.records.evals import Score
from answerable.records.runs import Run

FEW, MANY = 400, 100
"""Questions listed under one number in runs of up to 2,000 questions, and in longer ones."""


class Lists:
    """Collects which questions the report names, so that each is described once, at its end."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._texts = {item: text for run in runs for item, text in run.questions}
        self._numbers = {item: at for at, item in enumerate(self._texts)}
        self._named: set[str] = set()
        self.most = FEW if len(self._texts) <= 2000 else MANY

    def href(self, item: str) -> str:
        """The address of a question's row, which will be there."""
        self._named.add(item)
        if item not in self._numbers:
            self._numbers[item] = len(self._numbers)
        return f"#q-{self._numbers[item]}"

    def link(self, item: str) -> Markup:
        """A question's id, leading to its row."""
        return tag("a", foreign(item), href=self.href(item))

    def under(self, anchor: str, title: str, scores: Mapping[str, Score], tally: Tally) -> Markup:
        """The questions behind one arm's mean, grouped by value, the least first."""
        known = [(one.value, item) for item, one in scores.items() if one.value is not None]
        known.sort(key=lambda pair: pair[0])
        kept = known[: self.most]
        grouped = [
            (value, [item for _, item in rows]) for value, rows in groupby(kept, lambda p: p[0])
        ]
        if len(grouped) <= 12:
            totals = {value: sum(v == value for v, _ in known) for value, _ in grouped}
            lines = [
                tag("p", tag("b", f"{value:.4g}"), f" ({totals[value]}): ", self._row(items))
                for value, items in grouped
            ]
        else:
            pairs = (join([self.link(item), f" {value:.4g}"]) for value, item in kept)
            lines = [tag("p", join(pairs, ", "))]
        left = len(known) - len(kept)
        if left:
            more = f"and {left:,} more of higher value, in the run's scores.jsonl"
            lines.append(tag("p", more, class_="dim"))
        unscored = [(one.why, item) for item, one in scores.items() if one.value is None]
        for why, rows in groupby(sorted(unscored), lambda pair: pair[0]):
            items = [item for _, item in rows]
            lines.append(
                tag(
                    "p",
                    "not measurable: ",
                    foreign(why or "no reason given"),
                    f" ({len(items)}): ",
                    self._row(items),
                )
            )
        return tag("div", tag("h4", foreign(f"{title}: {tally}")), *lines, class_="list", id=anchor)

    def moved(self, anchor: str, title: str, moves: Sequence[Movement]) -> Markup:
        """The questions at one end of a comparison, farthest first."""
        pairs = [
            join([self.link(m.item_id), f" {signed(m.after - m.before)}"])
            for m in moves[: self.most]
        ]
        left = len(moves) - len(pairs)
        more = f", and {left:,} more (compare --json has all)" if left else ""
        body = tag("p", join(pairs, ", ") or "none", more)
        return tag("div", tag("h4", foreign(title)), body, class_="list", id=anchor)

    def by_why(self, anchor: str, title: str, rows: Sequence[tuple[str, str]]) -> Markup:
        """Questions grouped by why they are named."""
        ordered = sorted(rows, key=lambda row: row[1])
        lines = []
        for why, group in groupby(ordered, lambda row: row[1]):
            items = [item for item, _ in group]
            lines.append(tag("p", foreign(why), f" ({len(items)}): ", self._row(items)))
        return tag("div", tag("h4", foreign(title)), *lines, class_="list", id=anchor)

    def _row(self, items: Sequence[str]) -> Markup:
        left = len(items) - self.most
        more = f" and {left:,} more" if left > 0 else ""
        return join([join((self.link(item) for item in items[: self.most]), ", "), more])

    def index(self) -> Markup:
        """Every question that was named: its text, and where its evidence stood in each run."""
        stood = [{one.item_id: one for one in run.standings} for run in self._runs]
        head = tag(
            "tr",
            tag("th", "id"),
            tag("th", "question"),
            *(tag("th", foreign(run.info.arm), ": rank, evidence") for run in self._runs),
        )
        rows = [
            tag(
                "tr",
                tag("td", foreign(item)),
                tag("td", foreign(self._texts.get(item, "")), class_="q"),
                *(
                    tag("td", foreign(f"{rank(known[item])}, {evidence(known[item])}"))
                    if item in known
                    else tag("td", "-")
                    for known in stood
                ),
                id=f"q-{at}",
            )
            for item, at in self._numbers.items()
            if item in self._named
        ]
        return _table(head, rows)


def anchors(taken: Sequence[Taken]) -> dict[tuple[int, str], str]:
    """The anchor of each (run, metric)'s list."""
    names = dict.fromkeys(metric for scores in taken for metric in scores)
    return {
        (run, metric): f"l-{run}-{at}"
        for at, metric in enumerate(names)
        for run, scores in enumerate(taken)
        if metric in scores
    }


def _table(head: Markup, rows: Iterable[Markup]) -> Markup:
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll")


table = _table
