"""Serving elsewhere: push a generation to a place, pull it on another host."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from answerable.cli.common import base, json_option, kb_option, out, print_json, progress_bar
from answerable.config import find_base
from answerable.errors import NotFound
from answerable.wire.remotes import remote_of
from answerable.wire.shipping import pull as pull_from
from answerable.wire.shipping import push as push_to

F = TypeVar("F", bound=Callable[..., Any])

_endpoint: Callable[[F], F] = click.option(
    "--endpoint", default="", metavar="URL", help="The object store, where it is not Amazon's."
)
_token: Callable[[F], F] = click.option(
    "--token-env", default="", metavar="NAME", help="The secret that git over https asks for."
)


@click.command()
@click.argument("target")
@_endpoint
@_token
@kb_option
@json_option
def push(target: str, endpoint: str, token_env: str, kb: str, as_json: bool) -> None:
    """Bring the served generation to TARGET, with its documents and recipe.

    TARGET is a folder, s3://BUCKET/PREFIX or git+https://HOST/REPOSITORY#BRANCH. Only what is not
    there yet travels; who pulls sees the old one until all of it is there.
    """
    opened = base(kb)
    work = opened.settings.store.parent
    remote = remote_of(target, work, endpoint=endpoint, token_env=token_env)
    with progress_bar() as progress:
        done = push_to(opened, remote, progress)
    if as_json:
        print_json({"target": target, **_plain(done)})
        return
    out.print(
        f"generation {done.generation} is at {target}: {done.uploaded} of {done.files} files, "
        f"{done.bytes:,} bytes were sent"
    )


@click.command()
@click.argument("target")
@_endpoint
@_token
@click.option(
    "--force", is_flag=True, help="Replace the index of sources registered here, or a newer one."
)
@kb_option
@json_option
def pull(target: str, endpoint: str, token_env: str, force: bool, kb: str, as_json: bool) -> None:
    """Serve here what was pushed to TARGET.

    Every checksum is verified before one step takes it in; interrupted, it goes on where it was. A
    folder without answerable.toml becomes a knowledge base with the shipped recipe: name it with
    --kb.
    """
    folder = Path(kb)
    if kb == ".":
        with suppress(NotFound):
            folder = find_base(folder)
    remote = remote_of(target, folder / ".answerable", endpoint=endpoint, token_env=token_env)
    with progress_bar() as progress:
        done = pull_from(folder, remote, progress, force=force)
    if as_json:
        print_json({"target": target, **_plain(done)})
        return
    state = "is served now" if done.swapped else "was served already"
    out.print(
        f"generation {done.generation} {state}: {done.downloaded} of {done.files} files, "
        f"{done.bytes:,} bytes were fetched"
    )


def _plain(done: Any) -> dict[str, Any]:
    return {name: getattr(done, name) for name in done.__slots__}
