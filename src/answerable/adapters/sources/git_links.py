"""Where a forge shows a file of a repository."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

FORGES = {
    "github": "{home}/blob/{ref}/{path}",
    "gitlab": "{home}/-/blob/{ref}/{path}",
    "bitbucket": "{home}/src/{ref}/{path}",
    "gitea": "{home}/src/{kind}/{ref}/{path}",
}
"""The page of a file, by forge; `kind` is branch, tag or commit."""

_HOSTS = {"codeberg": "gitea", "forgejo": "gitea"}


def forge_of(url: str) -> str:
    """The forge that a host's name tells, '' when it tells none."""
    host = (urlsplit(url).hostname or "").lower()
    names = {**{forge: forge for forge in FORGES}, **_HOSTS}
    return next((forge for name, forge in names.items() if name in host), "")


def link_of(url: str, forge: str, kind: str, ref: str, path: str) -> str:
    """The page of a file, '' without a known forge; ssh addresses have theirs on https."""
    if forge not in FORGES:
        return ""
    parts = urlsplit(url)
    scheme = "http" if parts.scheme == "http" else "https"
    port = f":{parts.port}" if parts.port and parts.scheme != "ssh" else ""
    path_of_home = parts.path.rstrip("/").removesuffix(".git").rstrip("/")
    home = f"{scheme}://{parts.hostname}{port}{path_of_home}"
    return FORGES[forge].format(home=home, kind=kind, ref=quote(ref), path=quote(path))
