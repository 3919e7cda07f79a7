"""What goes wrong, on demand: which requests, how often, and what they get instead."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from confluence_site.serving import Request, Response, as_json

Change = Callable[[Response], Response]


@dataclass
class Fault:
    """Requests whose target matches get `change` made to their answer.

    The first `after` of them are left alone, then `times` are changed (-1: all).
    """

    where: str
    change: Change
    times: int = 1
    after: int = 0
    seen: int = 0

    def meets(self, request: Request) -> bool:
        if not re.search(self.where, request.target):
            return False
        self.seen += 1
        return self.seen > self.after and (self.times < 0 or self.seen <= self.after + self.times)


@dataclass
class Faults:
    """All faults now in force; the first that meets a request is the one."""

    active: list[Fault] = field(default_factory=list)

    def add(self, where: str, change: Change, times: int = 1, after: int = 0) -> Fault:
        fault = Fault(where, change, times, after)
        self.active.append(fault)
        return fault

    def apply(self, request: Request, response: Response) -> Response:
        for fault in self.active:
            if fault.meets(request):
                return fault.change(response)
        return response


def status(code: int, body: str = "", **headers: str) -> Change:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda response: Response(code, body.encode(), named)


def throttled(retry_after: str | None, code: int = 429) -> Change:
    return status(code) if retry_after is None else status(code, Retry_After=retry_after)


def slow(seconds: float) -> Change:
    return lambda response: replace(response, wait=seconds)


def dropped(response: Response) -> Response:
    """The connection is closed without an answer."""
    return replace(response, drop=True)


def cut_body(response: Response) -> Response:
    """Half of the bytes that were announced, then the end."""
    return replace(response, cut=len(response.body) // 2)


def cut_json(response: Response) -> Response:
    """Half of the JSON, announced as if it were all."""
    return replace(response, body=response.body[: len(response.body) // 2])


def early_end(response: Response) -> Response:
    """The listing ends here: no next link."""
    return _changed(response, lambda page: page["_links"].pop("next", None))


def empty_page(response: Response) -> Response:
    """None of the results, as when none may be seen; the next link stays."""
    return _changed(response, lambda page: page.update(results=[], size=0))


def next_is(link: Callable[[dict[str, Any]], str]) -> Change:
    """Another next link, made of the page."""
    return lambda response: _changed(response, lambda page: page["_links"].update(next=link(page)))


def _changed(response: Response, change: Callable[[dict[str, Any]], object]) -> Response:
    page = json.loads(response.body)
    change(page)
    return as_json(page, response.status)
