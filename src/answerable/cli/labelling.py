"""Passages graded in the terminal, by single keys or, where input is piped, by lines."""

from __future__ import annotations

import sys

import click

from answerable.cli.common import out
from answerable.records.labels import GRADES, Pooled
from answerable.wire.labelling import Labelling

_KEYS = ("0", "1", "2", "3", "s", "b", "q")


def label_in_terminal(labelling: Labelling, labeller: str) -> None:
    """Show what `labeller` has not graded yet, one by one, and keep each grade at once."""
    left = labelling.left(labeller)
    total = len(labelling.passages)
    if not left:
        out.print(f"{labeller} has graded all {total} passages", markup=False)
        return
    out.print("  ".join(f"{grade} {words}" for grade, words in reversed(GRADES.items())))
    out.print("s skip  b back  q end", style="dim")
    at = given = 0
    while at < len(left):
        _show(left[at], total - len(left) + at + 1, total)
        key = _key()
        if key == "q":
            break
        if key == "b":
            at = max(0, at - 1)
            continue
        if key != "s":
            labelling.add(left[at], labeller, int(key))
            given += 1
        at += 1
    out.print(f"{given} grades kept in {labelling.labels}", markup=False)


def _show(passage: Pooled, number: int, total: int) -> None:
    out.rule(f"{number} of {total}", style="dim")
    out.print(passage.question, style="bold", markup=False)
    out.print(passage.title or passage.document, style="dim", markup=False)
    out.print(passage.text, markup=False)


def _key() -> str:
    """The next key that means something; the end of the input ends."""
    while True:
        if sys.stdin.isatty():
            given = click.getchar()
        else:
            line = sys.stdin.readline()
            if not line:
                return "q"
            given = line.strip()
        key = given.lower()
        if key in _KEYS:
            return key
        if key in ("\x03", "\x04"):
            return "q"
        out.print(f"{given!r} is none of {' '.join(_KEYS)}", style="yellow", markup=False)
