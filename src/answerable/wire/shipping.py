"""The served generation brought to another place, and from there to other hosts.

Every file lies there under its SHA-256, so that only what is missing travels:

    CURRENT.json                  which shipment is current, and which was before
    shipments/SHA256.json         what a generation consists of
    files/SHA256                  the index's files, documents in packs, the recipe
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from answerable import config
from answerable.adapters.remotes.remote import Remote
from answerable.adapters.staged_file import write_whole
from answerable.adapters.stores.embedded.damage import damaged, whole_digest
from answerable.adapters.stores.embedded.document_table import ROWS, named_in
from answerable.adapters.stores.embedded.manifest import Manifest, decode_manifest
from answerable.errors import InputError, NotFound, ServiceError, StaleIndex, UsageError
from answerable.flow.stale import refuse_stale
from answerable.ports import Progress
from answerable.records.codec import canonical_json
from answerable.records.index import GenerationInfo, IndexedDocument
from answerable.wire.base import KnowledgeBase, open_base, silent
from answerable.wire.shipped import documents_in, recipe_in, recipe_text, refuse_parts

FORMAT = 1
POINTER = "CURRENT.json"
SHIPPED = "shipped.toml"


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push did: `files` belong to the shipment, `uploaded` of them were not there yet."""

    generation: str
    shipment: str
    files: int
    uploaded: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull did; `recipe` is the hash of the recipe that the answers were meant for."""

    generation: str
    shipment: str
    recipe: str
    files: int
    downloaded: int
    bytes: int
    swapped: bool


def push(base: KnowledgeBase, remote: Remote, progress: Progress = silent) -> Pushed:
    """Bring the served generation with its documents and recipe to a place; the pointer goes last.

    What an interruption leaves there is used by the next push. The shipment before stays whole for
    those who are still fetching it; what neither needs is removed.
    """
    parcel = base.store.parcel()
    if parcel is None:
        raise NotFound("nothing is indexed yet", "run `answerable add PATH` first")
    refuse_stale(parcel.info, base.ingest_hash, base.fingerprint)
    recipe = recipe_text(base.recipe).encode()
    there = remote.names()
    sent = size = 0
    with TemporaryDirectory(prefix="answerable-push-") as folder:
        staged = Path(folder) / "staged"

        def keep(name: str, data: bytes) -> None:
            staged.write_bytes(data)
            remote.put(name, staged)

        files: dict[str, Path] = dict(parcel.files)
        packs = []
        for digest, data in (*packed(base, _rows(base)), (sha256(recipe).hexdigest(), recipe)):
            packs.append(digest)
            files[digest] = Path(folder) / digest
            files[digest].write_bytes(data)
        for number, (digest, source) in enumerate(files.items(), 1):
            if f"files/{digest}" not in there:
                sent += 1
                size += _put(remote, digest, source)
            progress("push", number, len(files))
        shipment = canonical_json(
            {
                "format": FORMAT,
                "generation": parcel.info.name,
                "manifest": parcel.manifest,
                "index": [digest for digest, _ in parcel.files],
                "documents": packs[:-1],
                "recipe": packs[-1],
                "embedder": parcel.info.embedder,
                "recipe_hash": base.recipe.hash(),
                "ingest_hash": base.ingest_hash,
            }
        ).encode()
        name = sha256(shipment).hexdigest()
        before = _pointer(remote, Path(folder)) if POINTER in there else []
        if before[:1] != [name]:
            keep(f"shipments/{name}.json", shipment)
            remote.finish()
            shipments = [name, *(one for one in before if one != name)][:2]
            keep(POINTER, canonical_json({"format": FORMAT, "shipments": shipments}).encode())
            remote.finish()
            _tidy(remote, shipments, Path(folder))
    return Pushed(parcel.info.name, name, len(files), sent, size)


def pull(
    folder: Path,
    remote: Remote,
    progress: Progress = silent,
    opened: Callable[[Path], KnowledgeBase] = open_base,
    *,
    force: bool = False,
) -> Pulled:
    """Serve in a folder what was pushed to a place; every checksum is verified before the swap.

    A folder without answerable.toml gets the shipped recipe, nothing else of that file. What was
    fetched before an interruption is not fetched again. Raises StaleIndex when the folder's recipe
    does not fit, ConfigError when that recipe names a part that is not built in; unless `force`,
    UsageError when the folder has sources of its own or serves a newer generation.
    """
    work = folder / ".answerable" / "pull"
    work.mkdir(parents=True, exist_ok=True)
    names = _pointer(remote, work)
    shipment = _shipment(remote, names[0], work)
    fetching = _Fetching(remote, work)
    recipe = recipe_in(fetching.file(shipment["recipe"]))
    source = fetching.file(shipment["manifest"])
    manifest = decode_manifest(source, source.read_bytes())
    shipped = manifest.info
    if not (folder / config.FILE).is_file():
        refuse_parts(recipe)
        write_whole(folder / config.FILE, recipe_text(recipe))
    base = opened(folder)
    if base.ingest_hash != shipped.ingest_hash:
        refuse_parts(recipe)
        write_whole(folder / ".answerable" / SHIPPED, recipe_text(recipe))
        raise StaleIndex(
            f"the shipped index was made by ingest recipe {shipped.ingest_hash}, "
            f"the recipe of {folder} is {base.ingest_hash}",
            f"take [ingest] over from {folder / '.answerable' / SHIPPED}",
        )
    if base.fingerprint != shipped.embedder:
        raise StaleIndex(
            f"the shipped index holds vectors of {shipped.embedder or 'no model'}, "
            f"here is {base.fingerprint or 'no model'}",
            "install the version of Answerable that pushed it",
        )
    own = [row.name for row in base.database.sources()]
    if own and not force:
        raise UsageError(
            f"{folder} has sources of its own ({', '.join(own)}), whose index a pull would replace",
            "pull into another folder, or give --force",
        )
    before = base.info()
    if not force:
        _refuse_older(shipped, before)
    fetching.have = _here(base)
    wanted = [*shipment["index"], *shipment["documents"]]
    for number, digest in enumerate(wanted, 1):
        if digest not in fetching.have:
            fetching.file(digest)
        progress("pull", number, len(wanted))
    named = named_in(fetching.file(_rows_of(manifest, source)))
    with base.store.writing():
        for digest in shipment["documents"]:
            if digest not in fetching.have:
                base.database.put_many(documents_in(fetching.file(digest), named))
        info = base.store.receive(source.read_bytes(), fetching.file)
        base.database.ledger.from_the_start()
        base.database.prune(_kept(base))
    shutil.rmtree(work, ignore_errors=True)
    return Pulled(
        info.name,
        names[0],
        shipment["recipe_hash"],
        len(wanted) + 1,  # and the recipe
        fetching.count,
        fetching.bytes,
        before is None or before != info,
    )


def packed(base: KnowledgeBase, rows: Mapping[str, IndexedDocument]) -> Iterator[tuple[str, bytes]]:
    """Documents in up to 256 packs by the beginning of their ids, each with its SHA-256.

    A pack is zlib of JSON lines in the order of ids, so that equal documents make an equal pack.
    """
    groups: dict[str, list[IndexedDocument]] = {}
    for id in sorted(rows):
        groups.setdefault(id[:2], []).append(rows[id])
    for group in groups.values():
        found = base.database.get_many((row.id, row.sha256) for row in group)
        if len(found) < len(group):
            lost = next(row.uri for row in group if (row.id, row.sha256) not in found)
            raise InputError(f"the text of {lost} is not kept", "run `answerable sync --rebuild`")
        lines = (canonical_json(found[row.id, row.sha256]) for row in group)
        data = zlib.compress("\n".join(lines).encode("utf-8", "surrogatepass"), 6)
        yield sha256(data).hexdigest(), data


class _Fetching:
    """Files of a place by their checksums, in a folder that outlives an interruption."""

    def __init__(self, remote: Remote, work: Path) -> None:
        self._remote = remote
        self._work = work
        self.have: Mapping[str, Path | None] = {}
        self.count = self.bytes = 0

    def file(self, digest: str) -> Path:
        """The file of a checksum, verified; InputError when the place holds something else."""
        known = self.have.get(digest)
        if known is not None:
            return known
        path = self._work / digest
        if path.is_file() and whole_digest(path) == digest:
            return path
        self._remote.get(f"files/{digest}", path)
        if whole_digest(path) != digest:
            path.unlink()
            raise InputError(
                f"the shipped file {digest[:12]} is damaged (its checksum differs)",
                "push again from the host that has the index",
            )
        self.count += 1
        self.bytes += path.stat().st_size
        return path


def _rows(base: KnowledgeBase) -> Mapping[str, IndexedDocument]:
    snapshot = base.store.current()
    if snapshot is None:
        return {}
    try:
        found: Mapping[str, IndexedDocument] = dict(snapshot.documents())
        return found
    finally:
        snapshot.close()


def _here(base: KnowledgeBase) -> Mapping[str, Path | None]:
    """Checksums of what the served generation here has already; packs have no file."""
    parcel = base.store.parcel()
    if parcel is None:
        return {}
    files = {digest: path for digest, path in parcel.files if whole_digest(path) == digest}
    packs: dict[str, Path | None] = {digest: None for digest, _ in packed(base, _rows(base))}
    return {**packs, **files}


def _kept(base: KnowledgeBase) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for info in base.store.generations():
        snapshot = base.store.open(info.name)
        found.update((row.id, row.sha256) for row in snapshot.documents().values())
        snapshot.close()
    return found


def _put(remote: Remote, digest: str, source: Path) -> int:
    try:
        remote.put(f"files/{digest}", source)
        return source.stat().st_size
    except FileNotFoundError as fault:
        raise ServiceError(
            f"the index changed while it was pushed: {source.name} is gone",
            "push again",
            retryable=True,
        ) from fault


def _pointer(remote: Remote, work: Path) -> list[str]:
    path = work / "pointer"
    try:
        remote.get(POINTER, path)
    except NotFound as fault:
        raise NotFound(
            f"nothing was pushed there: {fault.message}", "run `answerable push TARGET` first"
        ) from fault
    found = _plain(path, POINTER).get("shipments")
    if not isinstance(found, list) or not found or not all(_is_digest(one) for one in found):
        raise InputError(f"{POINTER} names no shipment", "push again")
    return found


def _shipment(remote: Remote, name: str, work: Path) -> dict[str, Any]:
    path = work / "shipment"
    remote.get(f"shipments/{name}.json", path)
    if whole_digest(path) != name:
        raise InputError(f"shipment {name[:12]} is damaged (its checksum differs)", "push again")
    found = _plain(path, f"shipments/{name}.json")
    digests = [found.get("manifest"), found.get("recipe")]
    for key in ("ingest_hash", "recipe_hash", "embedder"):
        if not isinstance(found.get(key), str):
            raise InputError(f"shipment {name[:12]} does not say its {key}", "push again")
    for key in ("index", "documents"):
        digests += found[key] if isinstance(found.get(key), list) else [None]
    if not all(_is_digest(one) for one in digests):
        raise InputError(f"shipment {name[:12]} does not name its files", "push again")
    return found


def _plain(path: Path, name: str) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
        version = found["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise InputError(f"{name} cannot be read: {fault}", "push again") from fault
    if version != FORMAT:
        raise StaleIndex(
            f"{name} has format {version}; this version reads format {FORMAT}",
            "use the version of Answerable that pushed it, or a newer one",
        )
    return dict(found)


def _refuse_older(shipped: GenerationInfo, served: GenerationInfo | None) -> None:
    """A place that shows again what it had once would bring back what was removed since."""
    if served is None:
        return
    try:
        older = datetime.fromisoformat(shipped.at) < datetime.fromisoformat(served.at)
    except (ValueError, TypeError) as fault:
        raise InputError(f"the shipped index has no time: {shipped.at!r}", "push again") from fault
    if older:
        raise UsageError(
            f"the shipped index is of {shipped.at}, older than the one served here, of {served.at}",
            "push the newer one there, or give --force",
        )


def _rows_of(manifest: Manifest, source: Path) -> str:
    for name, mark in manifest.files:
        if name == ROWS:
            return mark.sha256
    raise damaged(source, f"does not name the file {ROWS}")


def _tidy(remote: Remote, shipments: Sequence[str], work: Path) -> None:
    """Remove what no named shipment needs; what cannot be told from a damaged one stays."""
    needed = {POINTER}
    for name in shipments:
        try:
            found = _shipment(remote, name, work)
        except (NotFound, InputError, StaleIndex):
            return
        needed.add(f"shipments/{name}.json")
        digests = (*found["index"], *found["documents"], found["recipe"])
        needed.update(f"files/{digest}" for digest in digests)
    for name in sorted(remote.names() - needed):
        if name.startswith(("files/", "shipments/")):
            remote.remove(name)
    remote.finish()


def _is_digest(value: object) -> bool:
    return (
        isinstance(value, str)
        and len(value) == 64
        and all(letter in "0123456789abcdef" for letter in value)
    )
