"""Sources of the outside as tests make them: an own folder, a clock that only sleep moves."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from answerable.adapters.sources import git, web
from answerable.adapters.sources.around import Around
from answerable.adapters.sources.git_repository import Repository
from answerable.errors import ConfigError
from answerable.ports import Listing
from remote_site import Time


def around(folder: Path, time: Time | None = None, since: str = "", **secrets: str) -> Around:
    clock = time or Time()

    def secret(name: str) -> str:
        if name not in secrets:
            raise ConfigError(f"{name} is not set")
        return secrets[name]

    return Around(secret, folder, clock.now, clock.seconds, clock.sleep, since, dict(os.environ))


def web_at(url: str, folder: Path, since: str = "", **options: Any) -> web.Web:
    time = options.pop("time", None)
    given = {**web.options_of(url), "allow_private": "true", **options}
    return web.make("kb", given, around(folder, time, since, TOKEN="QA-TOKEN-9f27c1"))


def git_at(url: str, folder: Path, **options: Any) -> Repository:
    options = {**git.options_of(url), **options}
    return git.make("kb", options, around(folder, TOKEN="QA-TOKEN-9f27c1"))


def uris(listing: Listing) -> list[str]:
    return [entry.uri for entry in listing.entries]


def sitemap(site: Any, *pages: str, **dates: str) -> str:
    rows = "".join(
        f"<url><loc>{site.url}{page}</loc>"
        + (f"<lastmod>{dates[page]}</lastmod>" if page in dates else "")
        + "</url>"
        for page in pages
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{space}">{rows}</urlset>'
