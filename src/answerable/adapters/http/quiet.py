"""The HTTP library's own log lines, without what must not be seen."""

from __future__ import annotations

import logging
import re

from answerable.adapters.http.redact import scrubbed

NOISY = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)
_HEADERS = re.compile(r"(\(b?'HTTP/[\d.]+', \d+).*", re.DOTALL)
_EXCEPTION = re.compile(r"(exception=\w+).*", re.DOTALL)


class Quiet(logging.Filter):
    """Rewrites a record before any handler sees it: no header, query or user is left in it.

    At debug level the library writes the headers of every answer, with Location and Set-Cookie,
    and exceptions that hold a line as it was sent.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if "eaders" in text:
            text = _HEADERS.sub(r"\1, headers left out)", text)
        text = _EXCEPTION.sub(r"\1", text)
        record.msg, record.args = scrubbed(text), ()
        if record.exc_info:
            record.exc_info = None
            record.exc_text = None
        return True


def hush() -> None:
    """Put the filter on the library's loggers, once."""
    for name in NOISY:
        logger = logging.getLogger(name)
        if not any(isinstance(one, Quiet) for one in logger.filters):
            logger.addFilter(Quiet())
