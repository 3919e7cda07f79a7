"""Pages as they were fetched, kept so that only what changed is sent again."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kept:
    """A page without its body: where it was found in the end, what its server and it say.

    No URL in it holds a secret. `asked` is when its server was asked last (ISO 8601 UTC); `lastmod`
    what the sitemap said then.
    """

    found_at: str
    revision: str
    asked: str
    media_type: str
    etag: str = ""
    modified: str = ""
    lastmod: str = ""
    noindex: bool = False
    canonical: str = ""
    links: tuple[str, ...] = ()


class WebCache:
    """A file a page in `folder`, named by a hash of its URL: a line of JSON, then the body.

    Damaged ones count as not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, url: str) -> Kept | None:
        """What is kept of a URL."""
        try:
            with self._path(url).open("rb") as file:
                fields = json.loads(file.readline())
                return Kept(**{**fields, "links": tuple(fields["links"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def body(self, url: str, revision: str) -> bytes | None:
        """The body of that revision, None when it is not kept (whole)."""
        kept = self.get(url)
        if kept is None or kept.revision != revision:
            return None
        with self._path(url).open("rb") as file:
            file.readline()
            body = file.read()
        return body if revision_of(kept.media_type, body) == revision else None

    def put(self, url: str, kept: Kept, body: bytes) -> None:
        """Keep a page in the place of what was kept of its URL."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(url)
        new = path.with_suffix(".new")
        new.write_bytes(json.dumps(asdict(kept)).encode() + b"\n" + body)
        new.replace(path)

    def forget_all_but(self, urls: Collection[str]) -> None:
        """Remove the pages that are not listed any more."""
        names = {self._path(url).name for url in urls}
        for path in self._folder.glob("*"):
            if path.name not in names:
                path.unlink(missing_ok=True)

    def _path(self, url: str) -> Path:
        return self._folder / sha256(url.encode("utf-8", "replace")).hexdigest()[:32]


def revision_of(media_type: str, body: bytes) -> str:
    """A hash of the bytes and how they are to be read."""
    return sha256(media_type.encode() + b"\n" + body).hexdigest()[:24]
