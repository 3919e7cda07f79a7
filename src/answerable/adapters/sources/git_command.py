"""Running git: no shell, no prompt, no hooks, one transport, and secrets in no argument."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from answerable.adapters.http.redact import Redactor, scrubbed
from answerable.errors import ConfigError, ServiceError

_ALWAYS = (
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "fetch.negotiationAlgorithm=noop",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.followRedirects=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
)
_SSH = "ssh -oBatchMode=yes -oConnectTimeout=30"


@dataclass(frozen=True, slots=True)
class Git:
    """git on one repository folder.

    `scheme` is the only transport that is allowed (https, http, ssh, file). `settings` are further
    `key=value`; `hidden` are settings with secrets, which go through the environment as others can
    read a process's arguments. The user's own git configuration holds otherwise.
    """

    folder: Path
    scheme: str
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    settings: tuple[str, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    seconds: float = 900.0

    def __call__(self, *arguments: str, given: bytes = b"") -> bytes:
        """What a git command writes; ServiceError with its last complaint when it fails."""
        settings = [*_ALWAYS, f"protocol.{self.scheme}.allow=always", *self.settings]
        flags = [part for one in settings for part in ("-c", one)]
        command = ["git", f"--git-dir={self.folder}", *flags, *arguments]
        fault = ""
        try:
            done = subprocess.run(
                command, input=given, capture_output=True, env=self._environment(),
                timeout=self.seconds, check=False,
            )  # fmt: skip
            if done.returncode == 0:
                return done.stdout
            fault = done.stderr.decode("utf-8", "replace")
        except FileNotFoundError:
            raise ConfigError(
                "reading git repositories needs git, which is not there", "install git"
            ) from None
        except subprocess.TimeoutExpired:
            fault = f"not done in {self.seconds:g} s"
        raise ServiceError(*self._said(arguments[0], fault), retryable=True)

    def _environment(self) -> dict[str, str]:
        # GIT_DIR and its like of a hook that runs us, and traces that would show headers, go.
        kept = {key: value for key, value in self.environment.items() if not key.startswith("GIT_")}
        kept.pop("SSH_ASKPASS", None)
        kept |= {
            "LC_ALL": "C",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GCM_INTERACTIVE": "never",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_SSH_COMMAND": _SSH,
            "GIT_CONFIG_COUNT": str(len(self.hidden)),
        }
        for number, (key, value) in enumerate(self.hidden.items()):
            kept[f"GIT_CONFIG_KEY_{number}"] = key
            kept[f"GIT_CONFIG_VALUE_{number}"] = value
        return kept

    def _said(self, verb: str, complaint: str) -> tuple[str, str]:
        lines = [line.strip() for line in complaint.splitlines() if line.strip()]
        fatal = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:"))]
        text = Redactor(self.secrets)(scrubbed((fatal or lines or ["no reason given"])[0]))[:300]
        return f"git {verb}: {text.removeprefix('fatal: ')}", _hint(complaint)


def _hint(complaint: str) -> str:
    text = complaint.lower()
    if "username" in text or "authentication" in text or "403" in text or "401" in text:
        return "the repository wants credentials: token_env = NAME of a secret that may read it"
    if "host key" in text or "permission denied" in text:
        return "see that `ssh` to this host works without asking anything"
    if re.search(r"returned error: 30[1278]|redirect", text):
        return "it redirects elsewhere: give the address that a browser ends at"
    if "dubious ownership" in text:
        return "git config --global --add safe.directory FOLDER, if you trust it"
    return ""


def listed(output: bytes) -> Sequence[bytes]:
    """The parts of NUL-separated output."""
    return output.split(b"\0")[:-1]
