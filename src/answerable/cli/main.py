"""The command line: finds the verb, loads only its file, maps errors to exit codes."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from answerable import __version__
from answerable.cli.faults import leave
from answerable.cli.pipe import quiet_pipe, steady_streams
from answerable.errors import AnswerableError, InputError

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("answerable.cli.index:init", "Make a knowledge base in a folder."),
    "add": ("answerable.cli.index:add", "Register documents and index them."),
    "sync": ("answerable.cli.sync:sync", "Bring every source up to date."),
    "status": ("answerable.cli.sync:status", "Show what is indexed."),
    "push": ("answerable.cli.ship:push", "Bring the index to a folder, bucket or git branch."),
    "pull": ("answerable.cli.ship:pull", "Serve what was pushed elsewhere."),
    "drop": ("answerable.cli.undo:drop", "Forget a source and its documents."),
    "rollback": ("answerable.cli.undo:rollback", "Go back to the generation before."),
    "profile": ("answerable.cli.inspect:profile", "Lengths and structure, with a start recipe."),
    "cut": ("answerable.cli.inspect:cut", "Show how one file is read and cut."),
    "search": ("answerable.cli.find:search", "Find pieces."),
    "ask": ("answerable.cli.find:ask", "Get an answer with citations, or an honest refusal."),
    "freeze": ("answerable.cli.experiment:freeze", "Lock all that an experiment stands on."),
    "run": ("answerable.cli.experiment:run", "Ask and score the arms of a frozen experiment."),
    "compare": ("answerable.cli.compare:compare", "Compare two runs question by question."),
    "metrics": ("answerable.cli.metrics:metrics", "Measure a TREC run against judgements."),
    "beir": ("answerable.cli.measure:beir", "Measure retrieval on a BEIR folder."),
    "golden": ("answerable.cli.golden:golden", "Check, convert, label and re-anchor questions."),
    "tune": (
        "answerable.cli.tune:tune",
        "Find a better cut, fusion or thresholds on your questions.",
    ),
    "gate": ("answerable.cli.gate:gate", "Decide by rules whether a run may be released."),
    "drift": ("answerable.cli.drift:drift", "Watch metrics over time under control limits."),
    "audit": ("answerable.cli.audit:audit", "List, show and verify the trail of questions."),
    "doctor": ("answerable.cli.doctor:doctor", "Check config, index, database and model."),
    "demo": ("answerable.cli.demo:demo", "Run the main job on the shipped example."),
    "completion": ("answerable.cli.completion:completion", "Print shell completion."),
}


class LazyGroup(click.Group):
    """A group that imports a command's file only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with quiet_pipe():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with quiet_pipe():
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", message="answerable %(version)s")
def app() -> None:
    """Answers from your documents: cut, found and checked by measurement.

    Every command takes --kb DIR (the folder with answerable.toml; default: the nearest one
    upwards from here) and most take --json.
    """


def main(argv: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    steady_streams()
    given = sys.argv[1:] if argv is None else argv
    try:
        app.main(args=argv, prog_name="answerable", standalone_mode=False)
    except (AnswerableError, click.ClickException) as fault:
        leave(fault, given)
    except OSError as fault:  # a disk that is full or not to be read, where no adapter named it
        leave(InputError(f"{fault.filename or 'a file'}: {fault.strerror or fault}"), given)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; what was done is kept, run the command again to go on", err=True)
        sys.exit(130)
