"""Contents as the REST API shows them, with what was asked to be expanded."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from confluence_site.world import Content, Space, World


def expanded(expand: str) -> set[str]:
    """`a.b.c` expands a, a.b and a.b.c."""
    found: set[str] = set()
    for one in filter(None, expand.split(",")):
        steps = one.split(".")
        found |= {".".join(steps[: count + 1]) for count in range(len(steps))}
    return found


def content(
    world: World, one: Content, wanted: set[str], cloud: bool, most: int = 200
) -> dict[str, Any]:
    """`most` readers of each kind are shown with a page; more are to be paged."""
    shown: dict[str, Any] = {
        "id": one.id,
        "type": one.type,
        "status": one.status,
        "title": one.title,
        "_links": {"webui": webui(one)},
        "_expandable": {},
    }
    if one.type == "attachment":
        name = quote(one.title)
        shown["extensions"] = {"mediaType": one.media_type, "fileSize": len(one.data)}
        shown["_links"]["download"] = (
            f"/download/attachments/{one.container}/{name}?version={one.now.number}&api=v2"
        )
    if "version" in wanted:
        shown["version"] = {
            "number": one.now.number,
            "when": one.now.when.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "by": user(world, one.now.by, cloud),
        }
    if "space" in wanted:
        shown["space"] = {"key": one.space, "id": world.spaces[one.space].id}
    if "ancestors" in wanted:
        shown["ancestors"] = [
            {"id": above.id, "type": above.type, "title": above.title}
            for above in world.ancestors(one)
        ]
    if "container" in wanted and one.container:
        shown["container"] = {"id": one.container, "type": world.contents[one.container].type}
    if "history" in wanted:
        shown["history"] = {"createdBy": user(world, one.versions[0].by, cloud)}
    if "metadata.labels" in wanted:
        names = [{"prefix": "global", "name": name} for name in one.labels]
        shown["metadata"] = {"labels": {"results": names, "start": 0, "limit": 200}}
    if "restrictions.read" in wanted:
        shown["restrictions"] = {
            "read": {
                "operation": "read",
                "restrictions": readers(
                    world,
                    one.users if "restrictions.read.restrictions.user" in wanted else None,
                    one.groups if "restrictions.read.restrictions.group" in wanted else None,
                    cloud,
                    0,
                    most,
                ),
            }
        }
    bodies = {
        kind: value
        for kind, value in (
            ("storage", one.now.body),
            ("export_view", one.view if one.view is not None else one.now.body),
            ("atlas_doc_format", one.adf or ""),
        )
        if f"body.{kind}" in wanted
    }
    if bodies:
        shown["body"] = {
            kind: {"value": value, "representation": kind} for kind, value in bodies.items()
        }
    return shown


def readers(
    world: World,
    users: tuple[str, ...] | None,
    groups: tuple[str, ...] | None,
    cloud: bool,
    start: int,
    limit: int,
) -> dict[str, Any]:
    """Lists of users and groups; None leaves one out, as a site that does not expand it."""
    shown: dict[str, Any] = {}
    if users is not None:
        part = users[start : start + limit]
        shown["user"] = _list([user(world, one, cloud) for one in part], start, limit)
    if groups is not None:
        part = groups[start : start + limit]
        shown["group"] = _list([group(one) for one in part], start, limit)
    return shown


def user(world: World, id: str, cloud: bool) -> dict[str, Any]:
    name = world.users.get(id, id)
    if cloud:
        return {"type": "known", "accountId": id, "displayName": name}
    return {
        "type": "known",
        "username": id,
        "userKey": world.keys.get(id, ""),
        "displayName": name,
    }


def group(name: str) -> dict[str, Any]:
    return {"type": "group", "name": name, "id": f"id-of-{name}"}


def space_v1(world: World, space: Space) -> dict[str, Any]:
    """Cloud: with permissions expanded; other operations stand beside reading."""
    read = {"operation": "read", "targetType": "space"}
    rows: list[dict[str, Any]] = [
        {
            "operation": {"operation": "create", "targetType": "page"},
            "subjects": {"group": {"results": [group("writers")], "size": 1}},
            "anonymousAccess": False,
        }
    ]
    for name in space.users:
        found = {"user": {"results": [user(world, name, True)], "size": 1}}
        rows.append({"operation": read, "subjects": found, "anonymousAccess": False})
    for name in space.groups:
        found = {"group": {"results": [group(name)], "size": 1}}
        rows.append({"operation": read, "subjects": found, "anonymousAccess": False})
    if space.anonymous:
        rows.append({"operation": read, "anonymousAccess": True})
    return {"id": space.id, "key": space.key, "permissions": rows}


def permissions_v2(space: Space) -> list[dict[str, Any]]:
    """Cloud, second API: principals by id."""
    named = [("user", one) for one in space.users]
    named += [("group", f"id-of-{one}") for one in space.groups]
    rows = [
        {
            "id": f"p{at}",
            "principal": {"type": kind, "id": id},
            "operation": {"key": "read", "targetType": "space"},
        }
        for at, (kind, id) in enumerate(named)
    ]
    other = {"key": "delete", "targetType": "page"}
    return [
        {"id": "other", "principal": {"type": "group", "id": "id-of-x"}, "operation": other},
        *rows,
    ]


def permissions_dc(world: World, space: Space) -> list[dict[str, Any]]:
    """Data Center: users by their keys."""
    read = {"targetType": "space", "operationKey": "read"}
    rows: list[dict[str, Any]] = [
        {
            "operation": {"targetType": "page", "operationKey": "create"},
            "subject": {"type": "group", "name": "writers"},
        }
    ]
    rows += [
        {"operation": read, "subject": {"type": "user", "userKey": world.keys.get(one, one)}}
        for one in space.users
    ]
    rows += [{"operation": read, "subject": {"type": "group", "name": one}} for one in space.groups]
    if space.anonymous:
        rows.append({"operation": read, "subject": {"type": "anonymous"}})
    return rows


def webui(one: Content) -> str:
    if one.type == "attachment":
        return f"/pages/viewpageattachments.action?pageId={one.container}"
    return f"/spaces/{quote(one.space)}/pages/{one.id}/{quote(one.title.replace(' ', '+'), '+')}"


def _list(results: list[dict[str, Any]], start: int, limit: int) -> dict[str, Any]:
    return {"results": results, "start": start, "limit": limit, "size": len(results)}
