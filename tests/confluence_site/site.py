"""A Confluence site over HTTP: both deployments, with their paging, caps, and ways to say no."""

from __future__ import annotations

import hmac
import json
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from confluence_site import shapes
from confluence_site.faults import Faults
from confluence_site.query import BadQueryError, parse
from confluence_site.serving import Request, Response, Served, as_json, serve
from confluence_site.world import Content, World

CAP_WITH_BODY, CAP_EXPANDED, CAP = 50, 200, 1000


@dataclass
class Site:
    """`world` behind HTTP. `authorization` is the header that is let in, '' for anybody.

    `most_readers`: shown with a page. `first_api`: whether Cloud's old space resource is there, or
    Data Center's list of permissions. `before` is called with each request.
    """

    world: World
    cloud: bool = True
    authorization: str = ""
    most_readers: int = 200
    first_api: bool = True
    permissions: bool = True
    restrictions: bool = True
    faults: Faults = field(default_factory=Faults)
    served: Served = field(default_factory=Served)
    _found: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    _cursors: dict[str, tuple[list[str], int]] = field(default_factory=dict)

    @property
    def context(self) -> str:
        return "/wiki" if self.cloud else "/confluence"

    @property
    def url(self) -> str:
        return self.served.url + self.context

    @property
    def target(self) -> str:
        """The URI of a source, without its boundary."""
        return f"confluence+{self.url}"

    def searches(self) -> list[Request]:
        return [one for one in self.served.log if one.path.endswith("/content/search")]

    def answer(self, request: Request) -> Response:
        if self.authorization and request.headers.get("authorization") != self.authorization:
            return Response(401, b"who are you? " + str(request.headers).encode())
        return self.faults.apply(request, self._answer(request))

    def _answer(self, request: Request) -> Response:
        path = request.path
        if not path.startswith(self.context + "/"):
            return _no(404)
        steps = [unquote(step) for step in path.removeprefix(self.context + "/").split("/")]
        match steps:
            case ["rest", "api", "content", "search"]:
                return self._search(request)
            case ["rest", "api", "content", id]:
                return self._one(id, request)
            case ["rest", "api", "content", id, "restriction", "byOperation", "read"]:
                return self._restrictions(id, request)
            case ["rest", "api", "content", page, "child", "attachment", id, "download"] if (
                self.cloud
            ):
                where = f"{self.context}/media/{id}?token=QA-MEDIA-TOKEN&client=x"
                return Response(302, b"", {"Location": where})
            case ["media", id]:
                return self._bytes(self.world.contents.get(id))
            case ["download", "attachments", page, name] if not self.cloud:
                return self._bytes(self._attachment(page, name))
            case ["rest", "api", "space", key]:
                return self._space(key, request)
            case ["rest", "api", "space", key, "permissions"] if not self.cloud:
                return self._space_permissions(key)
            case ["api", "v2", "spaces"] if self.cloud:
                return self._spaces_v2(request)
            case ["api", "v2", "spaces", id, "permissions"] if self.cloud:
                return self._permissions_v2(id, request)
            case ["rest", "api", "user"]:
                return self._user(request)
            case ["rest", "api", "group", "by-id"] if self.cloud:
                name = request.query.get("id", "").removeprefix("id-of-")
                return as_json(shapes.group(name))
        return _no(404)

    def _search(self, request: Request) -> Response:
        query = request.query
        wanted = shapes.expanded(query.get("expand", ""))
        cap = CAP_WITH_BODY if "body" in wanted else CAP_EXPANDED if wanted else CAP
        limit = min(int(query.get("limit", "25")), cap)
        if self.cloud and "cursor" in query:
            if query["cursor"] not in self._cursors:
                return _no(400, "no such cursor")
            ids, start = self._cursors[query["cursor"]]
        else:
            # Only Data Center looks at `start`.
            start = 0 if self.cloud else int(query.get("start", "0"))
            try:
                ids = self._ids(query.get("cql", ""))
            except BadQueryError as fault:
                return _no(400, str(fault))
        found = [
            self.world.contents[id]
            for id in ids[start : start + limit]
            if id in self.world.contents and self.world.is_found(self.world.contents[id])
        ]
        page: dict[str, Any] = {
            "results": [self._shown(one, wanted) for one in found],
            "start": start,
            "limit": limit,
            "size": len(found),
            "_links": {"base": self.url, "context": self.context},
        }
        if not self.cloud:
            page["totalSize"] = len(ids)
        if start + limit < len(ids):
            page["_links"]["next"] = self._next(request, ids, start + limit, limit)
        return as_json(page)

    def _ids(self, cql: str) -> list[str]:
        key = (cql, self.world.changes)
        if key not in self._found:
            query = parse(cql)
            self._found = {
                key: [
                    one.id
                    for one in self.world.contents.values()
                    if self.world.is_found(one) and query.test(self.world, one)
                ]
            }
        return self._found[key]

    def _next(self, request: Request, ids: list[str], start: int, limit: int) -> str:
        """As given by the real sites: without the context path."""
        kept = [
            (name, value)
            for name, value in parse_qsl(urlsplit(request.target).query)
            if name not in ("cursor", "start", "limit")
        ]
        if self.cloud:
            cursor = b64encode(f"raw:{len(self._cursors)}:{start}".encode() + b"\xff=").decode()
            self._cursors[cursor] = (ids, start)
            more = [("limit", str(limit)), ("cursor", cursor)]
        else:
            more = [("limit", str(limit)), ("start", str(start))]
        return f"/rest/api/content/search?{urlencode([*kept, *more])}"

    def _one(self, id: str, request: Request) -> Response:
        one = self.world.contents.get(id)
        if one is None or one.status != "current" or one.space not in self.world.spaces:
            return _no(404)
        return as_json(self._shown(one, shapes.expanded(request.query.get("expand", ""))))

    def _shown(self, one: Content, wanted: set[str]) -> dict[str, Any]:
        if not self.restrictions:
            wanted = {name for name in wanted if not name.startswith("restrictions")}
        return shapes.content(self.world, one, wanted, self.cloud, self.most_readers)

    def _restrictions(self, id: str, request: Request) -> Response:
        one = self.world.contents.get(id)
        if one is None or one.status != "current":
            return _no(404)
        start = int(request.query.get("start", "0"))
        limit = min(int(request.query.get("limit", "100")), max(self.most_readers, 2))
        shown = shapes.readers(self.world, one.users, one.groups, self.cloud, start, limit)
        return as_json({"operation": "read", "restrictions": shown})

    def _space(self, key: str, request: Request) -> Response:
        space = self.world.spaces.get(key)
        if space is None:
            return _no(404)
        if self.cloud and not self.first_api:
            return _no(410, "gone, use v2")
        if not self.cloud or space.hidden or "permissions" not in request.query.get("expand", ""):
            return as_json({"id": space.id, "key": key})
        return as_json(shapes.space_v1(self.world, space))

    def _space_permissions(self, key: str) -> Response:
        space = self.world.spaces.get(key)
        if space is None or not self.first_api:
            return _no(404)
        if space.hidden:
            return _no(403)
        return as_json(shapes.permissions_dc(self.world, space))

    def _spaces_v2(self, request: Request) -> Response:
        keys = request.query.get("keys", "").split(",")
        found = [
            {"id": str(one.id), "key": one.key}
            for one in self.world.spaces.values()
            if one.key in keys
        ]
        return as_json({"results": found, "_links": {"base": self.url}})

    def _permissions_v2(self, id: str, request: Request) -> Response:
        space = next((one for one in self.world.spaces.values() if str(one.id) == id), None)
        if space is None or space.hidden:
            return _no(403 if space else 404)
        rows = shapes.permissions_v2(space)
        start = int(request.query.get("cursor", "0"))
        page: dict[str, Any] = {"results": rows[start : start + 2], "_links": {"base": self.url}}
        if start + 2 < len(rows):
            # The second API names the path from the root.
            page["_links"]["next"] = (
                f"{self.context}/api/v2/spaces/{id}/permissions?cursor={start + 2}"
            )
        return as_json(page)

    def _user(self, request: Request) -> Response:
        query, by_key = request.query, {key: name for name, key in self.world.keys.items()}
        if self.cloud:
            id = query.get("accountId", "")
        else:
            id = by_key.get(query.get("key", ""), "") or query.get("username", "")
        if id not in self.world.users:
            return _no(404)
        return as_json(shapes.user(self.world, id, self.cloud))

    def _attachment(self, page: str, name: str) -> Content | None:
        return next(
            (
                one
                for one in self.world.contents.values()
                if one.container == page and one.type == "attachment" and one.title == name
            ),
            None,
        )

    def _bytes(self, one: Content | None) -> Response:
        if one is None or one.status != "current":
            return _no(404)
        return Response(200, one.data, {"Content-Type": one.media_type or "application/x-any"})


def _no(code: int, why: str = "") -> Response:
    return as_json({"statusCode": code, "message": why}, code)


def basic(user: str, token: str) -> str:
    return "Basic " + b64encode(f"{user}:{token}".encode()).decode()


def notice(page: str, secret: str, event: str = "page_updated") -> tuple[bytes, dict[str, str]]:
    """Body and headers of a webhook as the site sends it."""
    body = json.dumps({"event": event, "page": {"id": page}, "timestamp": 1}).encode()
    signature = hmac.new(secret.encode(), body, "sha256").hexdigest()
    return body, {"X-Hub-Signature": f"sha256={signature}", "X-Event-Key": event}


@contextmanager
def site(world: World, **options: Any) -> Iterator[Site]:
    made = Site(world, **options)
    with serve(made.answer) as served:
        made.served = served
        yield made


__all__ = ["Site", "basic", "notice", "site"]
