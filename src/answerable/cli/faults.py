"""How a fault leaves: words on standard error, and one JSON document where one was asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from answerable.cli.pipe import harmless, json_text, quiet_pipe, silence
from answerable.errors import AnswerableError, UsageError


def leave(fault: AnswerableError | click.ClickException, argv: Sequence[str]) -> NoReturn:
    """Say what was wrong and end the process with the fault's exit code.

    With `--json` in the arguments, standard output gets
    `{"error": {"type", "message", "hint", "exit"}}` besides.
    """
    named = fault if isinstance(fault, AnswerableError) else _usage(fault)
    with quiet_pipe(named.exit_code):
        try:
            _say(fault, named)
            if _wants_json(argv):
                click.echo(json_text({"error": _plain(named)}))
        except BrokenPipeError:
            raise
        except OSError:  # the stream itself is the fault, as on a full disk: nobody can be told
            silence()
    sys.exit(named.exit_code)


def _say(fault: AnswerableError | click.ClickException, named: AnswerableError) -> None:
    if isinstance(fault, click.ClickException):
        fault.show()
        return
    click.echo(f"error: {harmless(named.message)}", err=True)
    if named.hint:
        click.echo(f"  try: {harmless(named.hint)}", err=True)


def _plain(named: AnswerableError) -> dict[str, str | int]:
    return {
        "type": type(named).__name__,
        "message": named.message,
        "hint": named.hint,
        "exit": named.exit_code,
    }


def _usage(fault: click.ClickException) -> UsageError:
    context = fault.ctx if isinstance(fault, click.UsageError) else None
    return UsageError(fault.format_message(), f"{context.command_path} --help" if context else "")


def _wants_json(argv: Sequence[str]) -> bool:
    words = list(argv)
    return "--json" in (words[: words.index("--")] if "--" in words else words)
