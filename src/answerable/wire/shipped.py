"""What a shipment brings, checked before it is used: its recipe and its documents."""

from __future__ import annotations

import json
import tomllib
import zlib
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

from answerable import config
from answerable.errors import ConfigError, InputError
from answerable.records.codec import from_plain
from answerable.records.docs import Document
from answerable.records.recipe import Recipe
from answerable.text.canonical import content_hash, document_id
from answerable.wire.table import names

LARGEST_LINE, LARGEST_PACK = 256 * 1024 * 1024, 2 * 1024 * 1024 * 1024
"""Bytes unpacked: of one document, of one pack."""
_STEP = 1 << 20
_REASONS = ("as it was shipped with the index",)


def recipe_text(recipe: Recipe) -> str:
    """The recipe as an `answerable.toml` that holds nothing else."""
    return config.write_recipe(recipe, _REASONS)


def recipe_in(path: Path) -> Recipe:
    """The recipe of a shipped file, whatever else stands there; ConfigError if it is none."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as fault:
        raise ConfigError(f"the shipped recipe is not TOML: {fault}", "push again") from fault
    halves = {half: table.get(half, {}) for half in ("ingest", "ask")}
    return config.read_recipe(halves, "the shipped recipe")


def refuse_parts(recipe: Recipe) -> None:
    """ConfigError for a part that is not built in: it would run what the place names."""
    ingest = recipe.ingest
    named = [("ingest.cut.by", "cutter", rule.by) for rule in ingest.cut]
    named += [
        ("ingest.situate.by", "chat", ingest.situate.by),
        ("ingest.analyzer.name", "analyzer", ingest.analyzer.name),
        ("ingest.embedder.name", "embedder", ingest.embedder.name),
    ]
    for key, family, name in named:
        if name and name not in names(family):
            raise ConfigError(
                f"the shipped recipe names a part that is not built in: {key} = {name!r}",
                f"if you trust it, write the recipe into {config.FILE} yourself",
            )


def documents_in(path: Path, named: AbstractSet[tuple[str, str]]) -> Iterator[Document]:
    """The documents of a pack, of which each must be one `named` by (id, sha256) in the index.

    InputError for a pack that is damaged or too large, and for a document that is not what its id
    and its sha256 say.
    """
    try:
        for line in _lines(path):
            document = from_plain(Document, json.loads(line.decode("utf-8", "surrogatepass")))
            if document.id != document_id(document.uri) or document.sha256 != content_hash(
                document.title, document.type, document.text, document.blocks
            ):
                raise InputError(f"{document.uri!r} does not hold what it says")
            if (document.id, document.sha256) not in named:
                raise InputError(f"{document.uri!r} is not in the index")
            yield document
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError, InputError) as fault:
        raise InputError(
            f"the shipped documents {path.name[:12]} are damaged: {fault}",
            "push again from the host that has the index",
        ) from fault


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a pack, unpacked step by step within the bounds."""
    reader = zlib.decompressobj()
    data = path.read_bytes()
    line: list[bytes] = []
    held = total = 0
    while not reader.eof:
        step = reader.decompress(data, _STEP)
        data = reader.unconsumed_tail
        if not step and not data:
            break
        first, *more = step.split(b"\n")
        line.append(first)
        held += len(first)
        for piece in more:
            yield b"".join(line)
            line, held = [piece], len(piece)
        total += len(step)
        if held > LARGEST_LINE or total > LARGEST_PACK:
            raise InputError(f"it unpacks to more than {total:,} bytes")
    if not reader.eof:
        raise InputError("it ends too early")
    yield b"".join(line)
