"""Git repositories as sources, from their options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from answerable.adapters.http.credentials import basic
from answerable.adapters.http.guard import PORTS, Guard, place_of
from answerable.adapters.sources.around import Around
from answerable.adapters.sources.git_clone import Clone
from answerable.adapters.sources.git_command import Git as Command
from answerable.adapters.sources.git_links import FORGES, forge_of
from answerable.adapters.sources.git_repository import Repository
from answerable.adapters.sources.options import check_options, many, one, truth
from answerable.errors import ConfigError
from answerable.records.docs import EVERYONE, Access

_OPTIONS = (
    "url", "ref", "path", "include", "exclude", "forge", "allow_private", "token_env", "user",
    "readers",
)  # fmt: skip
_REF = re.compile(r"(?!-)(?!.*(?:\.\.|//|@\{|\.lock(?:/|$)))[^\x00-\x20\x7f~^:?*\[\\]+(?<![./])")


def options_of(target: str) -> dict[str, Any]:
    """The options of git+https://, git+ssh:// or git+file:// with ?ref=, path=; ConfigError."""
    whole = urlsplit(target.removeprefix("git+"))
    options: dict[str, Any] = {"url": whole._replace(query="", fragment="").geturl()}
    for key, value in parse_qsl(whole.query):
        options[key] = [*many(options, key), value] if key in options else value
    check_options("git", options, _OPTIONS)
    _check_url(options["url"])
    return options


def make(name: str, options: Mapping[str, Any], around: Around) -> Repository:
    """A git source of these options.

    `url`; `ref`: a branch, tag or commit (the default branch); `path`: folders or files to take;
    `include`, `exclude`: globs; `forge` (github, gitlab, bitbucket, gitea) where the host's name
    does not tell it; `allow_private`: the host may be of an inner network; `token_env`: the name
    of a secret, with `user` where the forge wants a certain one; `readers` (everyone).
    """
    check_options("git", options, _OPTIONS)
    url, ref = one(options, "url"), one(options, "ref")
    parts = _check_url(url)
    if ref and not _REF.fullmatch(ref):
        raise ConfigError(
            f"ref = {ref!r} is no name of a branch or tag", "git help check-ref-format"
        )
    forge = one(options, "forge") or forge_of(url)
    if forge and forge not in FORGES:
        raise ConfigError(f"forge = {forge!r}", f"one of: {', '.join(FORGES)}")
    if forge == "gitlab" and not url.endswith(".git"):
        url = url.rstrip("/") + ".git"  # without it GitLab redirects, which is not followed
    host, port = (parts.hostname or "").lower(), parts.port or PORTS.get(parts.scheme, 22)
    trusted = frozenset({(host, port)}) if truth(options, "allow_private") else frozenset()
    hidden, secrets = _credentials(options, around, url)
    readers = many(options, "readers")
    return Repository(
        name,
        Clone(
            Command(
                around.folder / "repo.git",
                parts.scheme,
                around.environment,
                hidden=hidden,
                secrets=secrets,
            ),
            url,
            ref,
        ),
        Guard(trusted=trusted),
        tuple(path.strip("/") for path in many(options, "path") if path.strip("/.")),
        many(options, "include"),
        many(options, "exclude"),
        forge,
        access=Access(readers) if readers else EVERYONE,
    )


def _check_url(url: str) -> Any:
    parts = urlsplit(url)
    if parts.scheme not in (*PORTS, "ssh", "file"):
        raise ConfigError(f"no git over {parts.scheme or 'no scheme'!r}", "https, ssh or file")
    if parts.password or (parts.scheme in PORTS and "@" in parts.netloc):
        raise ConfigError(
            "an address with a user or password in it would be stored and shown",
            "give the secret's name: --with token_env=NAME (and --with user=USER)",
        )
    if parts.scheme in PORTS:
        place_of(url)
    elif parts.scheme == "file" and (parts.netloc or not parts.path.startswith("/")):
        raise ConfigError(f"{url}: not an absolute path", "git+file:///FOLDER")
    elif parts.scheme == "ssh" and not re.fullmatch(
        r"(?:[\w.+]+@)?\w[\w.-]*(?::\d+)?", parts.netloc
    ):
        raise ConfigError(f"{url}: no host to reach over ssh", "git+ssh://git@HOST/REPOSITORY")
    return parts


def _credentials(
    options: Mapping[str, Any], around: Around, url: str
) -> tuple[dict[str, str], tuple[str, ...]]:
    name, user = one(options, "token_env"), one(options, "user", "x-access-token")
    if not name:
        return {}, ()
    if urlsplit(url).scheme not in PORTS:
        raise ConfigError(f"token_env = {name!r} is for https only", "ssh has keys of its own")
    if urlsplit(url).scheme == "http" and not truth(options, "allow_private"):
        raise ConfigError(f"url = {url!r}: a secret would cross the network in clear", "use https")
    given = basic(user, around.secret(name), f"token_env = {name!r}")
    origin = place_of(url).origin
    return {f"http.{origin}/.extraHeader": f"Authorization: {given.header}"}, given.secrets
