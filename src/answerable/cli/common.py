"""What the verbs share: options, tables, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.text import Text

from answerable.cli.pipe import harmless, json_text
from answerable.records.codec import to_plain
from answerable.wire.table import load

if TYPE_CHECKING:
    from answerable.wire.base import KnowledgeBase

F = TypeVar("F", bound=Callable[..., Any])


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # ends the command as cli/pipe.py says

    def render_str(self, text: str, **more: Any) -> Text:
        return super().render_str(harmless(text), **more)


# What is printed is mostly foreign text, in which [/x] and :smile: mean nothing.
out = _Console(highlight=False, markup=False, emoji=False, soft_wrap=not sys.stdout.isatty())
err = _Console(
    stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=not sys.stderr.isatty()
)

kb_option: Callable[[F], F] = click.option(
    "--kb", default=".", metavar="DIR", help="The knowledge base (default: nearest upwards)."
)
json_option: Callable[[F], F] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
set_option: Callable[[F], F] = click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a recipe key for this run, as in --set k1=0.9.",
)


def base(kb: str, overrides: tuple[str, ...] = ()) -> KnowledgeBase:
    """The knowledge base of --kb; what opens it is imported now."""
    opened: KnowledgeBase = load("base", "folder")(kb, overrides)
    return opened


def print_json(value: Any) -> None:
    """One JSON document on standard output; a number that is not finite is a fault."""
    click.echo(json_text(to_plain(value)))


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A progress function; draws a bar with rate and time left on a terminal's standard error."""
    if not err.is_terminal:
        yield lambda stage, done, total: None
        return
    # here and not above, because most commands draw no bar and the import is slow
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:>6}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total, rate="")
            speed = bar.tasks[tasks[stage]].speed
            bar.update(
                tasks[stage],
                completed=done,
                total=total,
                rate=f"{speed:.1f}/s" if speed else "",
            )

        yield report
