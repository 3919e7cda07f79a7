"""Checks of everything a knowledge base stands on."""

from __future__ import annotations

import sys

import click

from answerable.cli.common import base, json_option, kb_option, out, print_json
from answerable.wire.doctor import examine


@click.command()
@kb_option
@json_option
def doctor(kb: str, as_json: bool) -> None:
    """Check configuration, index files, database, model and fit; exit 3 if one fails."""
    checks = examine(base(kb))
    if as_json:
        print_json({"checks": checks})
    else:
        for check in checks:
            mark, style = ("ok", "green") if check.ok else ("FAULT", "red")
            out.print(mark, style=style, end=" ")
            out.print(f"{check.name}: {check.detail}")
            if check.fix and not check.ok:
                out.print(f"   fix: {check.fix}", markup=False)
    if not all(check.ok for check in checks):
        sys.exit(3)
