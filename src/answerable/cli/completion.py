"""Shell completion scripts."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from answerable.errors import UsageError


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL: eval "$(answerable completion bash)"."""
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"no completion for {shell}", "one of: bash, zsh, fish")
    click.echo(kind(ctx.find_root().command, {}, "answerable", "_ANSWERABLE_COMPLETE").source())
