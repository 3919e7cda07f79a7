"""The whole error tree: what was wrong, where, and the way out."""

from __future__ import annotations


class AnswerableError(Exception):
    """Any fault that Answerable names; `message` says what, `hint` says the way out.

    `exit_code` is the process status and `http_status` the response status of the fault.
    """

    exit_code = 3
    http_status = 500

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class ConfigError(AnswerableError):
    """A value in the configuration cannot be used."""

    exit_code = 2
    http_status = 500


class UsageError(AnswerableError):
    """A command or call was given arguments that do not fit together."""

    exit_code = 2
    http_status = 400


class NotComparable(AnswerableError):
    """Two results do not measure the same thing."""

    exit_code = 2
    http_status = 409


class InputError(AnswerableError):
    """A document, golden item or other input cannot be read."""

    exit_code = 3
    http_status = 422


class NotFound(AnswerableError):
    """What was asked for by name is not there."""

    exit_code = 3
    http_status = 404


class Forbidden(AnswerableError):
    """The principal may not see it."""

    exit_code = 3
    http_status = 403


class StaleIndex(AnswerableError):
    """The index was built by another recipe or model than the one in use."""

    exit_code = 4
    http_status = 409


class ServiceError(AnswerableError):
    """An outside service failed; `retryable` says whether trying again can help."""

    exit_code = 5
    http_status = 503

    def __init__(self, message: str, hint: str = "", *, retryable: bool = False) -> None:
        super().__init__(message, hint)
        self.retryable = retryable
