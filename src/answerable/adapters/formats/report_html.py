"""A report as one page: styles and pictures inside, no script, nothing from a network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from answerable.adapters.formats import (
    report_ends,
    report_recipes,
    report_refusal,
    report_strict,
    report_tables,
)
from answerable.adapters.formats.figures import chance, corrected, interval, number, signed
from answerable.adapters.formats.markup import Markup, foreign, join, tag
from answerable.adapters.formats.report_categories import Categories
from answerable.adapters.formats.report_lists import Lists, anchors, table
from answerable.adapters.formats.report_moves import bars, slopes
from answerable.adapters.formats.report_pictures import by_depth, by_words
from answerable.adapters.formats.report_style import STYLE
from answerable.measure.compare import shown, verdict
from answerable.measure.taken import Taken, taken, tallies
from answerable.measure.tally import Tally
from answerable.records.comparison import Comparison
from answerable.records.runs import Run, Standing

_EXPLAINED = (
    ("complete@k", "share of questions whose evidence stands whole within the first k pieces"),
    ("95 % interval", "2,000 resamples of the questions, seeded; the same seed, the same interval"),
    ("p", "random exchange of the two arms' scores, question by question"),
    ("Holm", "p corrected for all metrics beside the first, which decides and is tested alone"),
    ("no difference shown", "Holm's p is over 0.05; this is not to say that two arms are equal"),
    ("can show", "the smallest true difference that so many questions show with 80 % power"),
    ("unscored", "not measurable for that question: counted, and never taken for 0"),
    ("cut", "a border of the cutting runs through the evidence; the place is document:character"),
)


def report(runs: Sequence[Run], comparisons: Sequence[Comparison] = ()) -> str:
    """The report of one or more runs of an experiment, and of comparisons between them.

    For each pair of arms the first comparison is the one whose questions are shown at both ends.
    Comparisons name runs by their arm: of two runs of one arm the first is the base.
    """
    known = [taken(run) for run in runs]
    found = [tallies(run, scores) for run, scores in zip(runs, known, strict=True)]
    lists, categories = Lists(runs), Categories(runs, known)
    parts = (
        ("metrics", "Metrics", _metrics(runs, known, found)),
        ("categories", "By category", categories.body()),
        ("refusing", "Refusing", _refusing(runs)),
        ("strict", "Not strictly right", report_strict.causes(runs, known)),
    )
    sections = [(anchor, name, body) for anchor, name, body in parts if body]
    pairs = _pairs(comparisons)
    body = [
        _pictures(runs, found),
        *(tag("section", tag("h2", name), body, id=anchor) for anchor, name, body in sections),
        *(_pair(at, group, comparisons, runs, lists) for at, group in enumerate(pairs)),
        _failures(runs, lists),
        _unmeasured(runs, found, known, lists),
        _under(runs, known, found, comparisons, categories, lists),
    ]
    title = runs[0].info.experiment if runs else "no run"
    page = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", f"{title}: report"),
            tag("style", Markup(STYLE)),
        ),
        tag(
            "body",
            _top(title, runs, [group[0] for group in pairs]),
            _nav([part[:2] for part in sections], bool(pairs)),
            tag("main", *body),
            _foot(),
        ),
        lang="en",
    )
    return f"<!doctype html>\n{page}\n"


def _pairs(comparisons: Sequence[Comparison]) -> list[list[Comparison]]:
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for one in comparisons:
        groups.setdefault((one.base, one.candidate), []).append(one)
    return list(groups.values())


def _top(title: str, runs: Sequence[Run], first: Sequence[Comparison]) -> Markup:
    said = []
    if runs:
        info = runs[0].info
        checkers = sorted({run.info.checker for run in runs})
        codes = sorted({_short(run.info.code) + "+" * run.info.dirty for run in runs})
        said = [
            f"{len(runs)} arm{'s' if len(runs) > 1 else ''}",
            f"{max(run.info.questions for run in runs):,} questions",
            f"lock version {info.lock_version} ",
            f"checker {', '.join(checkers)}",
            f"golden set {info.golden_sha256[:12]}",
            f"code {', '.join(codes)}",
            f"seed {info.seed}",
        ]
    lock = tag("code", runs[0].info.sha256[:12]) if runs else None
    line = join((part if "lock" not in part else join([part, lock]) for part in said), " · ")
    cards = [_card(one, at) for at, one in enumerate(first)]
    return tag(
        "header",
        tag("h1", foreign(title)),
        tag("p", line, class_="dim wide"),
        report_tables.arms(runs),
        report_recipes.recipes(runs),
        tag("div", *cards, class_="cards") if cards else None,
        class_="top",
    )


def _card(one: Comparison, number_: int) -> Markup:
    means = f"{number(one.base_mean)} → {number(one.candidate_mean)}"
    delta = f"{signed(one.delta)} {interval(one.low, one.high)}, p {chance(one.p)}{corrected(one)}"
    hidden = [note for note in one.notes if note.startswith("the mean hides")]
    anchor = f"#pair-{number_}"
    return tag(
        "div",
        tag("p", foreign(one.candidate), " against ", foreign(one.base), class_="dim small"),
        tag("p", foreign(verdict(one)), class_="say"),
        tag("p", tag("b", one.metric), f" {means}: {delta}"),
        tag(
            "p",
            tag("a", f"{one.wins} gained", href=anchor, class_="up"),
            ", ",
            tag("a", f"{one.losses} lost", href=anchor, class_="down"),
            f", {one.ties} the same, n = {one.n}",
        ),
        *(tag("p", note, class_="note small") for note in hidden),
        class_=f"card {('open', 'better', 'worse')[shown(one)]}",
    )


def _nav(sections: Sequence[tuple[str, str]], compared: bool) -> Markup:
    parts = [("pictures", "Pictures"), *sections]
    parts += [("comparisons", "Comparisons")] if compared else []
    parts += [("failures", "Failures"), ("unmeasured", "Not measurable"), ("lists", "Questions")]
    links = (tag("a", name, href=f"#{anchor}") for anchor, name in parts)
    return tag("nav", tag("div", *links))


def _pictures(runs: Sequence[Run], found: Sequence[Mapping[str, Tally]]) -> Markup:
    drawn = [
        _figure(
            "Recall by depth", "share of questions whose evidence stands whole", by_depth(runs)
        ),
        _figure(
            "Words against recall",
            "diamond: the pieces that go to the model; line: within a budget of words",
            by_words(runs, found),
        ),
        _figure(
            "Risk by coverage",
            f"share of {_risk(runs)} among those answered; diamond: what is answered now",
            report_refusal.curve(runs),
        ),
    ]
    shown = [one for one in drawn if one is not None]
    none = tag(
        "p", "No evidence or refusal could be placed, so there is nothing to draw.", class_="dim"
    )
    body = tag("div", *shown, class_="figures") if shown else none
    return tag("section", tag("h2", "Pictures"), body, id="pictures")


def _figure(title: str, about: str, drawn: Markup | None) -> Markup | None:
    if drawn is None:
        return None
    caption = tag("figcaption", tag("b", title), tag("span", about, class_="dim"))
    return tag("figure", caption, drawn)


def _metrics(
    runs: Sequence[Run], known: Sequence[Taken], found: Sequence[Mapping[str, Tally]]
) -> Markup:
    leads, unjudged = anchors(known), report_tables.unjudged(runs, known)
    staged = report_tables.metrics(runs, found, leads, staged=True)
    return join(
        [
            tag(
                "p", "Means with 95 % intervals. Each number leads to its questions.", class_="dim"
            ),
            report_tables.metrics(runs, found, leads, staged=False),
            tag("details", tag("summary", "what is not judged"), unjudged) if unjudged else None,
            tag("details", tag("summary", "each stage of the search"), staged) if staged else None,
        ]
    )


def _refusing(runs: Sequence[Run]) -> Markup | None:
    matrix = report_refusal.matrix(runs)
    if matrix is None:
        return None
    said = (
        f"Risk is the share of {_risk(runs)} among those answered, AURC its mean over all "
        "coverages, ideal what a perfect order of the same questions would have. Precision and "
        "recall are of refusing. Not placed: without a confidence or an answer to judge. A diamond "
        "off its curve: those refused are not the least sure."
    )
    return join([tag("p", said, class_="dim"), matrix])


def _risk(runs: Sequence[Run]) -> str:
    return "wrong answers" if report_refusal.by_wrong_answers(runs) else "unanswerable questions"


def _pair(
    at: int,
    group: Sequence[Comparison],
    every: Sequence[Comparison],
    runs: Sequence[Run],
    lists: Lists,
) -> Markup:
    first = group[0]
    numbers = {id(one): number_ for number_, one in enumerate(every)}
    base, candidate = _side(runs, first.base), _side(list(reversed(runs)), first.candidate)
    slope = _figure(
        "Where the evidence stood",
        "rank before and after, with the number of questions; a line for those that moved",
        slopes(first, base, candidate),
    )
    difference = _figure(
        f"Difference of each question that moved: {first.metric}",
        "from the most gained to the most lost",
        bars(first, lists.href),
    )
    common = tag(
        "div",
        tag("h3", "What those that moved have in common"),
        report_ends.traits(first.traits),
        class_="card",
    )
    staged = [one for one in group[1:] if report_tables.is_staged(one.metric)]
    plain = [one for one in group if one not in staged]
    return tag(
        "section",
        tag("span", id="comparisons") if not at else None,
        tag("h2", foreign(first.candidate), " against ", foreign(first.base)),
        report_tables.comparison(plain, [numbers[id(one)] for one in plain]),
        tag(
            "details",
            tag("summary", "each stage of the search"),
            report_tables.comparison(staged, [numbers[id(one)] for one in staged]),
        )
        if staged
        else None,
        tag("h3", f"Movement at both ends: {first.metric}, within {first.depth} pieces"),
        *(tag("p", note, class_="note") for note in first.notes),
        tag("div", slope, tag("div", difference, common), class_="ends"),
        report_ends.ends(first, lists),
        id=f"pair-{at}",
    )


def _side(runs: Sequence[Run], arm: str) -> Mapping[str, Standing]:
    run = next((run for run in runs if run.info.arm == arm), None)
    return {one.item_id: one for one in run.standings} if run else {}


def _failures(runs: Sequence[Run], lists: Lists) -> Markup:
    names = ("arm", "question", "at", "cause")
    rows = [
        tag(
            "tr",
            tag("td", foreign(run.info.arm)),
            tag("td", lists.link(one.item_id)),
            tag("td", foreign(one.stage)),
            tag("td", foreign(one.cause)),
        )
        for run in runs
        for one in run.failures[: lists.most]
    ]
    body = table(tag("tr", *(tag("th", name) for name in names)), rows)
    none = tag("p", "No question failed.", class_="dim")
    return tag("section", tag("h2", "Failures"), body if rows else none, id="failures")


def _unmeasured(
    runs: Sequence[Run],
    found: Sequence[Mapping[str, Tally]],
    known: Sequence[Taken],
    lists: Lists,
) -> Markup:
    """Items without a value: metrics that leave out the same ones for the same why are one row."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for run, taken_ in zip(runs, known, strict=True):
        for metric, scores in taken_.items():
            missing = sorted((one.why, item) for item, one in scores.items() if one.value is None)
            for why, group in groupby(missing, lambda pair: pair[0]):
                key = (run.info.arm, why, tuple(item for _, item in group))
                groups.setdefault(key, []).append(metric)
    rows = [
        tag(
            "tr",
            tag("td", foreign(arm)),
            tag("td", foreign(why or "no reason given")),
            tag("td", str(len(items)), class_="r"),
            tag("td", join((lists.link(item) for item in items[:40]), ", "),
                f" and {len(items) - 40:,} more" if len(items) > 40 else ""),
            tag("td", ", ".join(names), class_="small dim"),
        )
        for (arm, why, items), names in groups.items()
    ]  # fmt: skip
    head = tag("tr", *(tag("th", n) for n in ("arm", "why", "items", "which", "under")))
    none = tag("p", "Every metric measured every question it is about.", class_="dim")
    body = table(head, rows) if rows else none
    return tag("section", tag("h2", "Not measurable"), body, id="unmeasured")


def _under(
    runs: Sequence[Run],
    known: Sequence[Taken],
    found: Sequence[Mapping[str, Tally]],
    comparisons: Sequence[Comparison],
    categories: Categories,
    lists: Lists,
) -> Markup:
    named = [
        lists.under(anchor, f"{metric}, {runs[at].info.arm}", known[at][metric], found[at][metric])
        for (at, metric), anchor in anchors(known).items()
    ]
    named += categories.lists(lists)
    named += report_refusal.lists(runs, lists)
    named += report_strict.lists(runs, known, lists)
    for at, one in enumerate(comparisons):
        about = f"{one.metric}, {one.candidate} against {one.base}"
        if one.gained:
            named.append(lists.moved(f"g-{at}", f"Gained ({one.wins}): {about}", one.gained))
        if one.lost:
            named.append(lists.moved(f"d-{at}", f"Lost ({one.losses}): {about}", one.lost))
        if one.skipped:
            title = f"Skipped ({len(one.skipped)}): {about}"
            named.append(lists.by_why(f"s-{at}", title, one.skipped))
    return tag(
        "section",
        tag("h2", "Questions"),
        tag("p", "What stands under each number, and every question named above.", class_="dim"),
        *named,
        tag("h3", "Every question named"),
        lists.index(),
        id="lists",
        class_="lists",
    )


def _foot() -> Markup:
    entries = (part for name, said in _EXPLAINED for part in (tag("dt", name), tag("dd", said)))
    return tag("footer", tag("h3", "How to read this"), tag("dl", *entries))


def _short(code: str) -> str:
    """A version whose commit is cut to twelve digits."""
    return re.sub(r"\b([0-9a-f]{12})[0-9a-f]{8,}\b", r"\1", code)
