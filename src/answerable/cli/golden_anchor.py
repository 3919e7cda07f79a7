"""A golden set carried over an edit of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from answerable.cli.common import err, json_option, kb_option, out, print_json
from answerable.cli.golden_documents import documents_of, documents_option, golden_argument
from answerable.errors import InputError, NotFound, UsageError
from answerable.flow.golden_check import shortened
from answerable.flow.reanchor import Carried, Carrier, states
from answerable.wire.golden import quarantine, read_golden, rewrite_golden


@click.command()
@golden_argument
@click.option("--write", is_flag=True, help="Replace the lines of FILE that change.")
@documents_option
@kb_option
@json_option
def anchor(path: Path, write: bool, documents: tuple[Path, ...], kb: str, as_json: bool) -> None:
    """Find the quotes of FILE again after its documents were edited.

    A quote that is gone is looked for by resemblance in its document (at least 0.75 alike, and
    0.1 more than any other place), then word for word in the others; what is found so is `moved`
    and worth a look. An item none of whose ways of answering is found, or whose reworded evidence
    no longer holds the accepted answer, is quarantined with the reason. Nothing is written without
    --write.
    """
    if not path.exists():
        raise NotFound(f"no file {path}", "name the whole golden file, without a #GROUP")
    if not path.is_file():
        raise UsageError(f"{path} is no golden file", "give a .jsonl file; import others first")
    given, unread = read_golden(path)
    if unread and write:
        raise InputError(
            f"{path} has {len(unread)} lines that cannot be read: {unread[0]}",
            "mend them first: writing would drop them",
        )
    with documents_of(path, documents, kb) as found:
        carry = Carrier(found.rows, found.read)
        carried = [carry(item) for item in given.items]
    kept = tuple(one.item for one in carried if one.item is not None)
    if write:
        if not kept:
            raise InputError(f"no item of {path} is left", "are these the right documents?")
        quarantine(path, [one for one in carried if one.why])
        rewrite_golden(path, carried)
    changes = list(_changes(carried))
    counts = dict(states(carried))
    if as_json:
        print_json(
            {
                "items": len(given.items),
                **counts,
                "written": write,
                "problems": [*changes, *({"state": "unreadable", "what": w} for w in unread)],
            }
        )
        return
    for change in changes:
        _print(change)
    for what in unread:
        err.print(f"left out: {what}", style="yellow", markup=False)
    out.print(", ".join(f"{count} {state}" for state, count in counts.items()), style="bold")
    if write:
        out.print(f"written to {path}", markup=False)
    elif kept != given.items:
        out.print("nothing is written yet: repeat with --write to keep this")


def _changes(carried: Sequence[Carried]) -> Iterator[dict[str, Any]]:
    """Each place that is not as it was; a lost one says whether its item has another way."""
    for one in carried:
        for place in one.places:
            if place.state == "kept":
                continue
            lost = place.state == "lost"
            yield {
                "state": "quarantined" if lost and one.item is None else place.state,
                "item": one.before.id,
                "document": place.before.document,
                "what": place.why,
                "before": place.before.quote,
                "after": place.after.quote if place.after else None,
                "similarity": None if place.similarity is None else round(place.similarity, 3),
            }


def _print(change: dict[str, Any]) -> None:
    style = {"moved": "yellow", "unsure": "dim"}.get(change["state"], "red")
    alike = "" if change["similarity"] in (None, 1) else f" ({change['similarity']:.2f} alike)"
    out.print(
        f"{change['state']}: {change['item']}: {change['what']}{alike}", style=style, markup=False
    )
    if change["before"]:
        out.print(f"  was: {shortened(change['before'], 160)}", markup=False)
    if change["after"] and change["after"] != change["before"]:
        out.print(f"  now: {shortened(change['after'], 160)}", markup=False)
