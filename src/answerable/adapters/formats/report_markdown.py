"""A report as Markdown: for an issue, a pull request or a step summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from answerable.adapters.formats.figures import (
    chance,
    evidence,
    interval,
    number,
    placed,
    rank,
    sentence,
    signed,
    where,
)
from answerable.adapters.formats.report_categories import Categories, titled
from answerable.measure.bounds import bounds
from answerable.measure.compare import power, shown
from answerable.measure.layers import LAYERS, layer
from answerable.measure.recipes import keys, other_depth
from answerable.measure.refusal import confusion, risk_coverage
from answerable.measure.taken import Taken, taken, tallies
from answerable.measure.tally import Tally
from answerable.records.comparison import Comparison, Movement
from answerable.records.runs import Run

_MENTION = re.compile(r"(?<!\w)@(?=\w)")
_MARKS = re.compile(r"([\\`*_\[\]<>|~#])")


def report(runs: Sequence[Run], comparisons: Sequence[Comparison] = (), ends: int = 10) -> str:
    """The report of runs and of comparisons between them, with `ends` questions at each end.

    For each pair of arms the first comparison is the one whose questions are shown.
    """
    parts = []
    if runs:
        info = runs[0].info
        parts.append(f"## {text(info.experiment)}")
        parts.append(
            f"{len(runs)} arm{'s' * (len(runs) > 1)}, {info.questions} questions, "
            f"lock {info.sha256[:12]} version {info.lock_version}, checker {text(info.checker)}"
        )
        parts += [f"> {text(note)}" for run in runs if (note := other_depth(run))]
        differing, _ = keys(runs)
        if differing:
            parts += ["What the arms differ in:", _recipes(differing, runs)]
        known = [taken(run) for run in runs]
        parts.append(_metrics(runs, known))
        parts += _bounds(runs, known)
        parts += _refusals(runs)
        parts += _categories(runs, known)
    seen: set[tuple[str, str]] = set()
    for first in comparisons:
        pair = (first.base, first.candidate)
        if pair not in seen:
            seen.add(pair)
            group = [one for one in comparisons if (one.base, one.candidate) == pair]
            parts += _pair(group, ends)
    failures = [
        f"- {text(run.info.arm)}: `{_code(one.item_id)}` at {text(one.stage)}: {text(one.cause)}"
        for run in runs
        for one in run.failures
    ]
    if failures:
        parts += ["### Failures", "\n".join(failures[:100])]
    return "\n\n".join(parts) + "\n"


def text(value: str) -> str:
    """Foreign text on one line that stays text, and that notifies nobody."""
    return _MENTION.sub("@<!-- -->", _MARKS.sub(r"\\\1", " ".join(value.split())))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _recipes(differing: Sequence[str], runs: Sequence[Run]) -> str:
    known = [dict(run.recipe) for run in runs]
    rows = [[text(key), *(text(recipe.get(key, "-")) for recipe in known)] for key in differing]
    return table(["key", *(text(run.info.arm) for run in runs)], rows)


def _metrics(runs: Sequence[Run], known: Sequence[Taken]) -> str:
    found = [tallies(run, scores) for run, scores in zip(runs, known, strict=True)]
    every = dict.fromkeys(metric for one in found for metric in one)
    rows = [
        [layer(metric), text(metric), *(_mean(one.get(metric)) for one in found)]
        for name in LAYERS
        for metric in every
        if layer(metric) == name
    ]
    return table(["layer", "metric", *(text(run.info.arm) for run in runs)], rows)


def _bounds(runs: Sequence[Run], known: Sequence[Taken]) -> list[str]:
    rows = [
        [text(run.info.arm), text(one.metric), number(one.judged, 3), number(one.low),
         number(one.high), str(one.n)]
        for run, scores in zip(runs, known, strict=True)
        for one in bounds(scores)
    ]  # fmt: skip
    if not rows:
        return []
    head = ["arm", "metric", "judged", "if all unjudged are wrong", "if all are right", "n"]
    return ["#### What is not judged", table(head, rows)]


def _refusals(runs: Sequence[Run]) -> list[str]:
    rows = []
    for run in runs:
        if not run.decisions:
            continue
        found, curve = confusion(run.decisions), risk_coverage(run.decisions)
        counts = (found.answered, found.wrong, found.refused, found.babbled, found.declined)
        shares = (found.coverage, found.risk, found.precision, found.recall, curve.aurc)
        rows.append([text(run.info.arm), *map(str, counts), *(number(one, 3) for one in shares)])
    if not rows:
        return []
    head = ["arm", "answerable answered", "of them wrong", "answerable refused"]
    head += ["unanswerable answered", "unanswerable refused"]
    return [
        "#### Refusals",
        table([*head, "coverage", "risk", "refusal precision", "recall", "AURC"], rows),
    ]


def _categories(runs: Sequence[Run], known: Sequence[Taken]) -> list[str]:
    rows = [
        [text(metric), text(titled(category)), *map(_mean, row)]
        for metric, category, row in Categories(runs, known).rows()
    ]
    if not rows:
        return []
    head = ["metric", "category", *(text(run.info.arm) for run in runs)]
    return ["#### By category", table(head, rows)]


def _mean(found: Tally | None) -> str:
    if found is None:
        return "-"
    mean = found.mean
    rest = [f"n {mean.n}"]
    rest += [f"{mean.unscored} unscored"] if mean.unscored else []
    rest += [f"{found.failures} failed"] if found.failures else []
    if mean.value is None or mean.low is None or mean.high is None:
        return f"not measurable, {', '.join(rest)}"
    places = text(f"[{number(mean.low, 3)}, {number(mean.high, 3)}]")
    return f"{number(mean.value)} {places} {', '.join(rest)}"


def _pair(group: Sequence[Comparison], ends: int) -> list[str]:
    first = group[0]
    parts = [
        f"### {text(first.candidate)} against {text(first.base)}",
        f"**{text(sentence(first))}**",
    ]
    parts += [f"> {text(note)}" for note in first.notes]
    if len(group) > 1:
        parts.append(_comparisons(group))
    for name, moves in (("gained", first.gained), ("lost", first.lost)):
        if moves:
            parts.append(f"#### Most {name} ({len(moves)}), {text(first.metric)}")
            parts.append(_end(moves[:ends]))
    rows = [
        [
            one.end,
            text(one.trait),
            f"{one.here} of {one.of_here}",
            f"{one.all} of {one.of_all}",
            text(chance(one.p)),
            text(chance(one.p_holm)),
        ]
        for one in first.traits[:10]
    ]
    if rows:
        parts.append("#### What they have in common")
        parts.append(table(["end", "trait", "here", "of all", "p", "Holm"], rows))
    if first.skipped:
        listed = ", ".join(f"`{_code(item)}` ({text(why)})" for item, why in first.skipped[:20])
        more = f" and {len(first.skipped) - 20} more" if len(first.skipped) > 20 else ""
        parts.append(f"Skipped ({len(first.skipped)}): {listed}{more}")
    return parts


def _comparisons(group: Sequence[Comparison]) -> str:
    head = ["metric", "base", "candidate", "difference", "95 % interval", "p", "Holm"]
    rows = [
        [
            text(c.metric),
            number(c.base_mean),
            number(c.candidate_mean),
            signed(c.delta),
            text(interval(c.low, c.high)),
            text(chance(c.p)),
            text(chance(c.p_holm)),
            f"{c.wins} / {c.losses} / {c.ties}",
            str(c.n),
            ("no difference shown; " + power(c), "better", "worse")[shown(c)],
        ]
        for c in group
    ]
    return table([*head, "gained / lost / same", "n", "finding"], rows)


def _end(moves: Sequence[Movement]) -> str:
    rows = [
        [
            f"`{_code(move.item_id)}` {text(move.question)}",
            f"{move.before:.4g} → {move.after:.4g}",
            f"{rank(move.base)} → {rank(move.candidate)}",
            text(f"{evidence(move.base)} → {evidence(move.candidate)}"),
            text(where(placed(move.base, move.candidate))),
            text(", ".join(placed(move.base, move.candidate).absent)),
        ]
        for move in moves
    ]
    return table(["question", "score", "rank", "evidence", "stands in", "words missing"], rows)


def _code(value: str) -> str:
    """An id inside backticks."""
    return " ".join(value.replace("`", "'").replace("|", "\\|").split())
