"""The report's tables of numbers: the arms, every metric, and each comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerable.adapters.formats.figures import chance, interval, number, signed
from answerable.adapters.formats.markup import Markup, foreign, tag
from answerable.adapters.formats.report_axes import colour
from answerable.adapters.formats.report_lists import table
from answerable.adapters.formats.report_moves import forest
from answerable.measure.bounds import bounds
from answerable.measure.compare import least, shown
from answerable.measure.layers import LAYERS, STAGES, layer
from answerable.measure.taken import Taken
from answerable.measure.tally import Tally
from answerable.records.comparison import Comparison
from answerable.records.runs import Run


def arms(runs: Sequence[Run]) -> Markup:
    """Who ran: one row an arm."""
    names = ("arm", "recipe", "asked", "failed", "pieces", "depth", "seconds", "run at")
    return table(
        tag("tr", *(tag("th", name, class_="r" if name in names[2:7] else None) for name in names)),
        [
            tag(
                "tr",
                tag("th", swatch(at), foreign(run.info.arm), scope="row"),
                tag("td", tag("code", run.info.recipe_hash)),
                tag("td", f"{run.info.questions:,}", class_="r"),
                tag(
                    "td",
                    tag("a", str(len(run.failures)), href="#failures", class_="n")
                    if run.failures
                    else "0",
                    class_="r",
                ),
                tag("td", f"{run.info.pieces:,}", class_="r"),
                tag("td", str(run.info.depth), class_="r"),
                tag("td", f"{run.info.seconds:,.1f}", class_="r"),
                tag("td", run.info.at, "" if run.info.complete else " (not complete)", class_="w"),
            )
            for at, run in enumerate(runs)
        ],
    )


def metrics(
    runs: Sequence[Run],
    tallies: Sequence[Mapping[str, Tally]],
    leads: Mapping[tuple[int, str], str],
    *,
    staged: bool,
) -> Markup | None:
    """Every metric of the answer's way, or (`staged`) of the search's single stages."""
    every = dict.fromkeys(metric for found in tallies for metric in found)
    head = tag(
        "tr",
        tag("th", "metric"),
        *(tag("th", swatch(at), foreign(run.info.arm)) for at, run in enumerate(runs)),
    )
    rows = []
    for name in LAYERS:
        kept = [m for m in every if layer(m) == name and is_staged(m) == staged]
        if kept:
            title = "your own" if name == "own" else name
            rows.append(tag("tr", tag("th", title, colspan=str(len(runs) + 1)), class_="layer"))
        rows += [
            tag(
                "tr",
                tag("th", metric, scope="row"),
                *(
                    tag("td", *mean(found.get(metric), leads.get((at, metric), "")))
                    for at, found in enumerate(tallies)
                ),
            )
            for metric in kept
        ]
    return table(head, rows) if rows else None


def unjudged(runs: Sequence[Run], known: Sequence[Taken]) -> Markup | None:
    """What measures would be were all that is unjudged wrong, or right; None if all is judged."""
    rows = [
        tag(
            "tr",
            tag("th", swatch(at), foreign(run.info.arm), scope="row"),
            tag("td", one.metric),
            *(tag("td", number(value, 3), class_="r") for value in (one.judged, one.low, one.high)),
            tag("td", f"{one.n:,}", class_="r"),
        )
        for at, (run, scores) in enumerate(zip(runs, known, strict=True))
        for one in bounds(scores)
    ]
    names = ("arm", "metric", "judged", "if all unjudged are wrong", "if all are right", "n")
    head = tag("tr", *(tag("th", n, class_=None if n in names[:2] else "r") for n in names))
    return table(head, rows) if rows else None


def comparison(found: Sequence[Comparison], at: Sequence[int]) -> Markup:
    """Candidate against base under every metric; `at` are the comparisons' numbers."""
    ends = [abs(end) for c in found if _share(c) for end in (c.low, c.high, c.delta)]
    most = max([*ends, 0.02])
    head = tag(
        "tr",
        tag("th", "metric"),
        tag("th", "base → candidate", class_="r"),
        tag("th", "difference", tag("br"), "95 % interval", class_="r"),
        tag("th", f"-{most:.2g} … +{most:.2g}", class_="c"),
        *(
            tag("th", name, class_="r")
            for name in ("p", "Holm", "gained", "lost", "same", "n", "skipped")
        ),
        tag("th", "finding"),
    )
    rows = [
        tag(
            "tr",
            tag("th", c.metric, scope="row"),
            tag("td", f"{number(c.base_mean)} → {number(c.candidate_mean)}", class_="r w"),
            tag("td", tag("b", signed(c.delta)), tag("br"), interval(c.low, c.high), class_="r w"),
            tag("td", forest(c, most) if _share(c) else None),
            tag("td", chance(c.p), class_="r"),
            tag("td", chance(c.p_holm), class_="r"),
            tag("td", _led(c.wins, f"g-{place}"), class_="r"),
            tag("td", _led(c.losses, f"d-{place}"), class_="r"),
            tag("td", f"{c.ties:,}", class_="r"),
            tag("td", f"{c.n:,}", class_="r"),
            tag("td", _led(len(c.skipped), f"s-{place}"), class_="r"),
            tag("td", *_found(c), class_="small w"),
        )
        for c, place in zip(found, at, strict=True)
    ]
    return tag("div", table(head, rows), class_="tight")


def is_staged(metric: str) -> bool:
    """Whether a metric is of one stage of the search."""
    return metric.partition(" ")[0] in STAGES


def swatch(arm: int) -> Markup:
    """A spot of an arm's colour."""
    return tag("span", class_="sw", style=f"background:{colour(arm)}")


def mean(found: Tally | None, anchor: str) -> list[Markup]:
    """A mean with interval and counts, leading to its questions."""
    if found is None:
        return [tag("span", "-", class_="dim")]
    known = found.mean
    value = "not measurable" if known.value is None else number(known.value)
    parts = [tag("a", value, href=f"#{anchor}", class_="n")]
    if known.low is not None and known.high is not None:
        places = f" [{number(known.low, 3)}, {number(known.high, 3)}]"
        parts.append(tag("span", places, class_="dim small w"))
    rest = [f"n {known.n:,}"]
    if known.unscored:
        rest.append(f"{known.unscored:,} unscored")
    if found.failures:
        rest.append(f"{found.failures:,} failed")
    parts.append(tag("span", f" {', '.join(rest)}", class_="dim small w"))
    return parts


def _share(found: Comparison) -> bool:
    return (
        max(abs(found.low), abs(found.high)) <= 1
        and max(found.base_mean, found.candidate_mean) <= 1
    )


def _led(count: int, anchor: str) -> Markup:
    return tag("a", str(count), href=f"#{anchor}", class_="n") if count else tag("span", "0")


def _found(c: Comparison) -> list[Markup]:
    side = shown(c)
    if side:
        word, kind = ("better", "up") if side > 0 else ("worse", "down")
        return [tag("b", word, class_=kind)]
    power = "too few to show any"
    if c.detectable is not None:
        power = f"{least(c.detectable)} or more would"
    return [tag("span", "no difference shown", tag("br"), power, class_="dim")]
