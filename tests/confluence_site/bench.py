"""A source or a whole knowledge base on a test site, with time that waits for nobody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from answerable.adapters.sources.around import Around
from answerable.adapters.sources.confluence.source import Confluence, make
from answerable.records.index import Filter, IngestReport
from answerable.wire.base import KnowledgeBase, open_base
from confluence_site.site import Site, site
from confluence_site.world import World

LEXICAL = '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'
FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'


@dataclass
class Time:
    """Time that passes only by waiting."""

    start: datetime = datetime(2026, 11, 4, 9, 59, 30, tzinfo=UTC)
    passed: float = 0.0
    waits: list[float] = field(default_factory=list)

    def now(self) -> str:
        return (self.start + timedelta(seconds=self.passed)).isoformat()

    def seconds(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.passed += seconds


SECRETS = {"WIKI_TOKEN": "QA-TOKEN-9f27c1", "WIKI_USER": "qa-user"}


def around(folder: Path, time: Time | None = None, since: str = "") -> Around:
    time = time or Time()
    return Around(SECRETS.__getitem__, folder, time.now, time.seconds, time.sleep, since)


def source_on(
    at: str, folder: Path, time: Time | None = None, since: str = "", **options: Any
) -> Confluence:
    given = {"url": at, "spaces": ["OPS"], "allow_private": "true", **options}
    return make("wiki", given, around(folder / "own", time, since))


@dataclass
class Wiki:
    """A site, and a knowledge base that is fed from it."""

    site: Site
    folder: Path
    base: KnowledgeBase

    @property
    def world(self) -> World:
        return self.site.world

    def add(self, boundary: str = "space=OPS", *options: str) -> IngestReport:
        given = ["allow_private=true", *options]
        return self.base.add(f"{self.site.target}?{boundary}", given, name="wiki")

    def sync(self, **more: Any) -> IngestReport:
        return self.base.sync(**more)

    def found(self, question: str, *principals: str) -> list[str]:
        """Ids of what a lexical search shows to the one who asks."""
        rankings, _, _ = self.base.search(question, Filter(principals=principals or ALL))
        hits = rankings.rankings["lexical"]
        with self.base.snapshot() as snapshot:
            rows = snapshot.documents()
            uris = [rows[snapshot.chunk(hit.chunk_id).document_id].uri for hit in hits]
        return [uri.removeprefix("wiki/") for uri in dict.fromkeys(uris)]

    def text(self, id: str) -> str:
        row = self.row(id)
        return self.base.document(row.id, row.sha256).text

    def row(self, id: str) -> Any:
        with self.base.snapshot() as snapshot:
            rows = [row for row in snapshot.documents().values() if row.uri == f"wiki/{id}"]
        return rows[0] if rows else None

    def notes(self, report: IngestReport) -> str:
        return "\n".join(note.reason for note in report.notes)


def beside(kb: Wiki, folder: Path, recipe: str = LEXICAL) -> Wiki:
    """A new, empty knowledge base on the same site."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answerable.toml").write_text(recipe)
    return Wiki(kb.site, folder, open_base(folder))


ALL = ("group:staff", "group:hr", "group:ops", "group:lab")


@contextmanager
def wiki(folder: Path, world: World, recipe: str = LEXICAL, **options: Any) -> Iterator[Wiki]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answerable.toml").write_text(recipe)
    with site(world, **options) as made:
        yield Wiki(made, folder, open_base(folder))
