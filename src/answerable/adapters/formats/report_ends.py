"""Both ends of a comparison in the report: who gained and lost, and what they share."""

from __future__ import annotations

from collections.abc import Sequence

from answerable.adapters.formats.figures import chance, evidence, placed, rank
from answerable.adapters.formats.markup import Markup, foreign, join, tag
from answerable.adapters.formats.report_lists import Lists, table
from answerable.measure.compare import SHOWN
from answerable.records.comparison import Comparison, Movement, TraitCount
from answerable.records.runs import Standing

OPEN = 10
"""Questions shown at each end before one opens the rest."""


def ends(found: Comparison, lists: Lists) -> Markup:
    """The most gained and the most lost, with where their evidence stood."""
    return join(
        [
            tag("h4", f"Most gained ({len(found.gained)})", class_="up"),
            _end(found.gained, lists),
            tag("h4", f"Most lost ({len(found.lost)})", class_="down"),
            _end(found.lost, lists),
        ]
    )


def traits(found: Sequence[TraitCount], most: int = 6) -> Markup:
    """What is over-represented at an end, with counts and chances."""
    if not found:
        return tag("p", "No trait is more frequent at an end than among all questions.")
    head = tag(
        "tr",
        tag("th", "trait"),
        *(tag("th", name, class_="r") for name in ("at this end", "of all", "p", "Holm")),
    )
    rows = []
    for end in ("gained", "lost"):
        kept = [one for one in found if one.end == end][:most]
        if kept:
            rows.append(tag("tr", tag("th", end, colspan="5"), class_="layer"))
        rows += [
            tag(
                "tr",
                tag(
                    "td",
                    tag("b" if one.p_holm <= SHOWN else "span", foreign(one.trait)),
                    class_="t",
                ),
                tag(
                    "td",
                    f"{one.here} of {one.of_here} ({one.here / one.of_here:.0%})",
                    class_="r w",
                ),
                tag("td", f"{one.all} of {one.of_all} ({one.all / one.of_all:.0%})", class_="r w"),
                tag("td", chance(one.p), class_="r"),
                tag("td", chance(one.p_holm), class_="r"),
            )
            for one in kept
        ]
    beyond = sum(one.p_holm <= SHOWN for one in found)
    said = (
        "Traits in bold are over-represented beyond chance (hypergeometric, Holm over all traits "
        "looked at)."
        if beyond
        else "None is over-represented beyond chance (hypergeometric, Holm over all traits)."
    )
    return join([tag("div", table(head, rows), class_="tight"), tag("p", said, class_="dim small")])


def _end(moves: Sequence[Movement], lists: Lists) -> Markup:
    if not moves:
        return tag("p", "None.", class_="dim")
    first = _table(moves[:OPEN], lists)
    rest = moves[OPEN : lists.most]
    if not rest:
        return first
    summary = tag("summary", f"{len(rest)} more")
    left = len(moves) - lists.most
    more = tag("p", f"and {left:,} more; compare --json has all", class_="dim")
    return join([first, tag("details", summary, _table(rest, lists), more if left > 0 else None)])


def _table(moves: Sequence[Movement], lists: Lists) -> Markup:
    names = ("question", "score", "rank", "evidence", "stands in", "words missing from it")
    return table(
        tag("tr", *(tag("th", name) for name in names)), [_row(move, lists) for move in moves]
    )


def _row(move: Movement, lists: Lists) -> Markup:
    place = placed(move.base, move.candidate)
    about = [place.type] if place.type else []
    about += [f"{place.words:,} words"] if place.words else []
    about += [f"heading depth {place.headings}"] if place.headings else []
    where = [foreign(place.uri), tag("br"), tag("span", ", ".join(about), class_="dim small")]
    return tag(
        "tr",
        tag("td", lists.link(move.item_id), " ", foreign(move.question), class_="q"),
        tag("td", f"{move.before:.4g} → {move.after:.4g}", class_="w"),
        tag("td", f"{rank(move.base)} → {rank(move.candidate)}", class_="w"),
        tag("td", _chip(move.base), " → ", _chip(move.candidate), class_="u"),
        tag("td", *where if place.uri else ["-"], class_="u"),
        tag("td", join((foreign(word) for word in place.absent[:8]), ", ") or "none"
            if place.uri else "-"),
    )  # fmt: skip


def _chip(standing: Standing) -> Markup:
    kind = standing.state.partition(" ")[0]
    name = "not placed" if standing.state == "unmeasured" else standing.state
    chip = tag("span", foreign(name), class_=f"chip {kind}")
    said = evidence(standing)
    if said in (name, "not placed"):
        return chip
    cut = said.removeprefix(f"{name}, ").removeprefix("cut ")
    return join([chip, " ", tag("span", foreign(cut), class_="dim small")])
