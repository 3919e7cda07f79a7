"""Writes docs/reference/cli.md from the commands themselves: `python docs/generate_cli.py`."""

from collections.abc import Iterator
from pathlib import Path

import click

from answerable.cli.main import COMMANDS, app

TARGET = Path(__file__).parent / "reference" / "cli.md"

INTRO = """# Command line

Written by `python docs/generate_cli.py`; do not edit.

`answerable COMMAND [OPTIONS]`. `-h` or `--help` explains each command, `--version` names the
version.

- `--kb DIR` names the knowledge base: the folder with `answerable.toml`; default is the nearest one
  upwards from here.
- `--json` prints one JSON document on standard output and nothing else there; messages, notes and
  progress go to standard error. Numbers that are not finite never appear.
- `--set KEY=VALUE` changes a [recipe key](recipe.md) for this run. A short key is enough where it
  is the only one of its name: `k1`, `search.mode`. Another `ingest` key makes the index stale.
- Exit codes stand in [errors.md](errors.md).
"""


def page() -> str:
    """The whole page."""
    return "\n".join([INTRO, *(section for name in COMMANDS for section in _command(name))])


def _command(name: str) -> Iterator[str]:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    yield from _section(name, command, 2)
    if isinstance(command, click.Group):
        for verb, inner in sorted(command.commands.items()):
            yield from _section(f"{name} {verb}", inner, 3)


def _section(name: str, command: click.Command, level: int) -> Iterator[str]:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    options = [p for p in command.params if isinstance(p, click.Option)]
    words = [_argument(argument) for argument in arguments]
    if isinstance(command, click.Group):
        words.append("COMMAND")
    if options:
        words.append("[OPTIONS]")
    yield f"{'#' * level} {name}\n"
    yield f"`{' '.join(['answerable', name, *words])}`\n"
    yield "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n")) + "\n"
    if options:
        yield "| option | default | what |\n|---|---|---|"
        yield "\n".join(map(_option, options)) + "\n"


def _argument(argument: click.Argument) -> str:
    name = argument.metavar or (argument.name or "").upper()
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    if not option.is_flag:
        names += f" {_kind(option)}"
    default = option.default
    # A flag is off unless given, and click marks "no default" by other objects than None.
    shown = "" if option.is_flag or not isinstance(default, str | int | float) else f"`{default}`"
    words = option.help or ""
    return f"| {names} | {shown} | {words}{' Repeatable.' if option.multiple else ''} |"


def _kind(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return " \\| ".join(map(str, option.type.choices))
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.types.IntParamType):
        return "INTEGER"
    return "NUMBER" if isinstance(option.type, click.types.FloatParamType) else "TEXT"


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(page(), encoding="utf-8")
