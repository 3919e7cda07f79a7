"""A place elsewhere by its name: a folder, s3://bucket/prefix, git+https://host/repository#branch."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from answerable import config
from answerable.adapters.http.credentials import basic
from answerable.adapters.remotes.folder import FolderRemote
from answerable.adapters.remotes.remote import Remote
from answerable.adapters.sources.git_command import Git
from answerable.errors import ConfigError, UsageError
from answerable.wire.table import load

_WHO = ("user.name=answerable", "user.email=answerable@localhost", "commit.gpgSign=false")
_GIT = ("https", "http", "ssh", "file")


def remote_of(target: str, work: Path, *, endpoint: str = "", token_env: str = "") -> Remote:
    """The place that a target names; `work` is a folder for what a place needs here.

    `endpoint` is the address of an object store that is not Amazon's; `token_env` the name of the
    secret that may write to a git repository over https.
    """
    parts = urlsplit(target)
    if parts.scheme == "s3":
        if not parts.netloc:
            raise UsageError(f"{target}: no bucket", "write s3://BUCKET/PREFIX")
        return _s3(parts.netloc, parts.path, endpoint)
    if parts.scheme.startswith("git+"):
        return _branch(target, work, token_env)
    if "://" in target:
        raise UsageError(f"{target}: no such place", "a folder, s3://… or git+https://…#branch")
    return FolderRemote(Path(target).expanduser().resolve())


def _s3(bucket: str, prefix: str, endpoint: str) -> Remote:
    try:
        kind = load("remote", "s3")
    except ConfigError as fault:
        if "boto" not in fault.message:
            raise
        raise ConfigError(
            "an object store needs an extra", "pip install 'answerable[s3]'"
        ) from fault
    made: Remote = kind(bucket, prefix, endpoint)
    return made


def _branch(target: str, work: Path, token_env: str) -> Remote:
    url, _, branch = target.removeprefix("git+").partition("#")
    parts = urlsplit(url)
    if parts.scheme not in _GIT:
        raise UsageError(f"{target}: no git over {parts.scheme!r}", f"one of: {', '.join(_GIT)}")
    if not branch:
        raise UsageError(f"{target}: no branch", "write git+https://HOST/REPOSITORY#BRANCH")
    if parts.password or (parts.scheme in ("https", "http") and "@" in parts.netloc):
        raise ConfigError(
            "an address with a user or password in it would be shown", "give --token-env NAME"
        )
    hidden: dict[str, str] = {}
    secrets: tuple[str, ...] = ()
    if token_env:
        if parts.scheme != "https":
            raise ConfigError(f"--token-env {token_env} is for https only", "ssh has its keys")
        given = basic("x-access-token", config.secret(token_env), f"--token-env {token_env}")
        hidden = {f"http.https://{parts.netloc}/.extraHeader": f"Authorization: {given.header}"}
        secrets = given.secrets
    git = Git(
        work / "remote.git",
        parts.scheme,
        config.environment(),
        settings=(
            "user.name=answerable",
            "user.email=answerable@localhost",
            "commit.gpgSign=false",
        ),
        hidden=hidden,
        secrets=secrets,
    )
    made: Remote = load("remote", "branch")(git, url, branch)
    return made
