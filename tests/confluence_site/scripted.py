"""A site that answers a search as the file of a case says, by its cursor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from confluence_site.serving import Request, Response, Served, as_json, serve


@contextmanager
def scripted(responses: Sequence[Mapping[str, Any]], fallen: str) -> Iterator[Served]:
    """`responses` as in the cases; `fallen` is the base URL they were written for."""

    def answer(request: Request) -> Response:
        if not request.path.endswith("/content/search"):
            return as_json({"message": "not part of the case"}, 404)
        cursor = request.query.get("cursor")
        for one in responses:
            if one["when"]["cursor"] == cursor:
                return as_json(one["body"], one.get("status", 200))
        return as_json({"message": "unknown cursor"}, 400)

    with serve(answer) as served:
        for one in responses:
            links = one["body"].get("_links", {})
            for name, link in links.items():
                links[name] = link.replace(fallen, served.url + "/wiki")
        yield served
