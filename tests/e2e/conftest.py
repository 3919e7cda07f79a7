"""A knowledge base over temporary files, driven in process, and the shared cases."""

from __future__ import annotations

import contextlib
import io
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from answerable.cli.main import main
from answerable.records.index import Filter, IngestReport
from answerable.wire.base import KnowledgeBase, open_base

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[2] / "../shared/data"))
CASES = Path(__file__).resolve().parents[1] / "fixtures" / "cases"
LEXICAL = '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'
FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n'


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*argv: object) -> Done:
    """One command in this process, with its streams caught."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(word) for word in argv])
        except SystemExit as leave:
            code = int(leave.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


@dataclass
class Bench:
    """A folder with `answerable.toml` and `docs`."""

    folder: Path
    toml: str = LEXICAL
    sources: list[str] = field(default_factory=lambda: ["docs"])

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "docs").mkdir(exist_ok=True)
        self.configure(self.toml)

    def configure(self, toml: str) -> None:
        (self.folder / "answerable.toml").write_text(toml, encoding="utf-8")

    def write(self, name: str, content: str | bytes, source: str = "docs") -> Path:
        path = self.folder / source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    @property
    def base(self) -> KnowledgeBase:
        return open_base(self.folder)

    def add(self, source: str = "docs") -> IngestReport:
        return self.base.add(str(self.folder / source))

    def uris(self, question: str, filter: Filter | None = None, stage: str = "") -> list[str]:
        """The documents found, best first, without the source's name; each piece counts."""
        base = self.base
        found, chunks, documents = base.search(question, filter)
        ranking = found.rankings[stage] if stage else found.final
        return [
            documents[chunks[hit.chunk_id].document_id].uri.partition("/")[2]
            for hit in ranking
            if hit.chunk_id in chunks
        ]

    def texts(self, question: str, filter: Filter | None = None) -> list[str]:
        found, chunks, documents = self.base.search(question, filter)
        shown = [chunks[hit.chunk_id] for hit in found.final]
        return [documents[c.document_id].text[c.span.start : c.span.end] for c in shown]

    def cli(self, *argv: object) -> Done:
        return run(*argv, "--kb", self.folder)


@pytest.fixture
def bench(tmp_path: Path):
    """Makes benches: `bench(files, toml)`."""
    made: list[Bench] = []

    def make(files: dict[str, str | bytes] | None = None, toml: str = LEXICAL) -> Bench:
        new = Bench(tmp_path / f"kb{len(made)}", toml)
        made.append(new)
        for name, content in (files or {}).items():
            new.write(name, content)
        return new

    return make


@pytest.fixture(name="run")
def run_fixture():
    return run


@pytest.fixture
def read(tmp_path: Path):
    """What `cut --json` shows of a file: read("a.md", "text") or read(path)."""

    def look(name: str | Path, content: str | bytes | None = None, *options: object) -> Any:
        path = Path(name)
        if content is not None:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        done = run("cut", path, "--json", *options)
        assert done.code == 0, done.err
        return done.json

    return look


@pytest.fixture(scope="session")
def cases():
    """The cases of broken input, by id."""
    lines = (CASES / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@pytest.fixture(scope="session")
def case_file():
    """The path of a case's file."""
    return lambda name: CASES / name
