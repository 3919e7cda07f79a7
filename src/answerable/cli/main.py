"""The command line: finds the verb, loads only its file, maps errors to exit codes."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from answerable import __version__
from answerable.errors import AnswerableError

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("answerable.cli.index:init", "Make a knowledge base in a folder."),
    "add": ("answerable.cli.index:add", "Register documents and index them."),
    "sync": ("answerable.cli.index:sync", "Bring every source up to date."),
    "status": ("answerable.cli.index:status", "Show what is indexed."),
    "profile": ("answerable.cli.inspect:profile", "Lengths and structure, with a start recipe."),
    "cut": ("answerable.cli.inspect:cut", "Show how one file is read and cut."),
    "search": ("answerable.cli.find:search", "Find pieces."),
    "ask": ("answerable.cli.find:ask", "Get an answer with citations, or an honest refusal."),
    "beir": ("answerable.cli.measure:beir", "Measure retrieval on a BEIR folder."),
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
    try:
        app.main(args=argv, prog_name="answerable", standalone_mode=False)
    except AnswerableError as fault:
        _complain(fault)
        sys.exit(fault.exit_code)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.ClickException as fault:
        fault.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; what was done is kept, run the command again to go on", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _complain(fault: AnswerableError) -> None:
    click.echo(f"error: {fault.message}", err=True)
    if fault.hint:
        click.echo(f"  try: {fault.hint}", err=True)
