"""The embedded store: generations of immutable files, one of them current."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from answerable.adapters.stores.embedded.damage import REBUILD, damaged
from answerable.adapters.stores.embedded.disk import Disk, Files
from answerable.adapters.stores.embedded.generation import (
    Generation,
    open_generation,
    write_generation,
)
from answerable.adapters.stores.embedded.leftovers import sweep
from answerable.adapters.stores.embedded.lock import WriterLock
from answerable.adapters.stores.embedded.manifest import (
    CURRENT,
    GENERATIONS,
    MANIFEST,
    SEGMENTS,
    Kept,
    encode_current,
    read_current,
    read_manifest,
)
from answerable.adapters.stores.embedded.parcel import Fetched, Parcel, parcel, place
from answerable.adapters.stores.embedded.segment import SegmentBuilder
from answerable.adapters.stores.embedded.snapshot import EmbeddedSnapshot
from answerable.adapters.stores.embedded.succession import Succession
from answerable.errors import AnswerableError, NotFound, ServiceError, StaleIndex
from answerable.ports import Entrant
from answerable.records.index import GenerationInfo, IndexedDocument

_TRIES = 5

T = TypeVar("T")


class EmbeddedStore:
    """Generations in a folder, filling `ports.Store`.

    `keep` generations (at least 1) can be gone back to; `wait` is how many seconds a writer waits
    for another one before ServiceError (retryable); a segment holds about `segment_chunks` chunks
    when it is first written. `files` are the operations on the disk.

    The state of the store is the file CURRENT, exchanged in one atomic step after everything it
    names has reached the disk: a crash at any moment leaves the generation before or the one
    after. What a crash leaves lying is removed by the next writer, never by a reader.
    """

    def __init__(
        self,
        folder: Path,
        keep: int = 2,
        *,
        wait: float = 60.0,
        segment_chunks: int = 65_536,
        files: Files | None = None,
    ) -> None:
        self.folder = folder
        self._keep = max(1, keep)
        self._size = max(1, segment_chunks)
        self._files = files or Disk()
        self._prepared: dict[str, tuple[Kept, tuple[Kept, ...]]] = {}
        self._lock = WriterLock(folder / "writer.lock", wait)

    def current(self) -> EmbeddedSnapshot | None:
        """The current generation opened for reading, or None before the first.

        Raises InputError naming the file when one is damaged, StaleIndex for a newer format.
        """
        opened = self._reading(lambda kept: open_generation(self.folder, kept[0]) if kept else None)
        return None if opened is None else EmbeddedSnapshot(opened)

    def open(self, name: str) -> EmbeddedSnapshot:
        """A kept generation by name, or one prepared here; NotFound when it is neither."""
        ready = tuple(made for made, _ in self._prepared.values())
        return EmbeddedSnapshot(
            self._reading(lambda kept: open_generation(self.folder, _named((*kept, *ready), name)))
        )

    def generations(self) -> tuple[GenerationInfo, ...]:
        """What can be opened, the current one first."""
        return self._reading(
            lambda kept: tuple(open_generation(self.folder, one).manifest.info for one in kept)
        )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out from reading the current generation until replacing it.

        `replace` and `rollback` may be called inside; a reader is never kept waiting.
        """
        with self._lock:
            yield

    def prepare(
        self,
        entrants: Iterable[Entrant],
        *,
        keep: Mapping[str, IndexedDocument],
        at: str,
        ingest_hash: str,
        embedder: str,
    ) -> GenerationInfo:
        """Write a generation of `entrants` plus the kept documents; the current one stays current.

        It can be opened by name and is published or discarded by this store, inside `writing()`;
        the next writer sweeps away what neither happened to.

        Raises StaleIndex when a kept document is not in the current generation or was indexed by
        another recipe or model; UsageError when a document is kept and entered, or entered twice;
        ServiceError when the disk refuses.
        """
        with self._lock, self._disk_faults():
            kept = self._sound(needed=bool(keep))
            self._prepared.clear()
            self._sweep(kept)
            base = open_generation(self.folder, kept[0]) if kept and keep else None
            info = GenerationInfo(self._next_name(kept), at, ingest_hash, embedder, 0, 0, 0, 0)
            try:
                made, info = self._write(base, info, entrants, keep)
            except Exception:  # swept and raised again: nothing half written is left
                self._sweep(kept)
                raise
            self._prepared[made.name] = made, kept
            return info

    def publish(self, name: str) -> None:
        """Make a prepared generation current by one atomic step.

        Raises NotFound when it is not prepared, StaleIndex when another writer came between;
        ServiceError when the disk refuses: then the generation before stays current.
        """
        with self._lock, self._disk_faults():
            self._ready(name)
            made, before = self._prepared.pop(name)
            # A generation that is kept may be damaged where a rebuild takes its place.
            if self._sound(needed=False) != before:
                raise StaleIndex(
                    f"the index changed after generation {name} was prepared", "run the sync again"
                )
            open_generation(self.folder, made)
            kept = (made, *before)[: self._keep]
            self._point(kept)
            self._sweep(kept)

    def discard(self, name: str) -> None:
        """Remove a prepared generation; NotFound when it is not prepared."""
        with self._lock, self._disk_faults():
            self._ready(name)
            del self._prepared[name]
            self._sweep(self._sound(needed=False))

    def replace(
        self,
        entrants: Iterable[Entrant],
        *,
        keep: Mapping[str, IndexedDocument],
        at: str,
        ingest_hash: str,
        embedder: str,
    ) -> GenerationInfo:
        """Prepare and publish in one; raises as they do."""
        with self._lock:
            info = self.prepare(
                entrants, keep=keep, at=at, ingest_hash=ingest_hash, embedder=embedder
            )
            self.publish(info.name)
            return info

    def rollback(self, name: str) -> GenerationInfo:
        """Make a kept generation current again; NotFound when it is not kept."""
        with self._lock, self._disk_faults():
            kept = read_current(self.folder)
            chosen = _named(kept, name)
            info = open_generation(self.folder, chosen, whole=True).manifest.info
            self._point((chosen, *(one for one in kept if one != chosen)))
            return info

    def parcel(self) -> Parcel | None:
        """The current generation as files by their checksums; None before the first."""
        return self._reading(lambda kept: parcel(self.folder, kept[0]) if kept else None)

    def receive(self, manifest: bytes, fetched: Fetched) -> GenerationInfo:
        """Make a generation of another index current; every byte of it is checked before.

        Where it is kept here already nothing is copied. Raises as `prepare` and `publish` do.
        """
        with self._lock, self._disk_faults():
            kept = self._sound(needed=False)
            self._sweep(kept)
            digest = sha256(manifest).hexdigest()
            made = next((one for one in kept if one.sha256 == digest), None)
            if made is None:
                spare = self._next_name(kept)
                try:
                    made = place(self._files, self.folder, manifest, fetched, spare)
                except Exception:  # as in `prepare`
                    self._sweep(kept)
                    raise
            info = open_generation(self.folder, made, whole=True).manifest.info
            kept = (made, *(one for one in kept if one != made))[: self._keep]
            self._point(kept)
            self._sweep(kept)
            return info

    def verify(self) -> tuple[str, ...]:
        """Read every byte of every kept generation; one message for each that is damaged."""
        return self._reading(self._damage)

    def _damage(self, all_kept: tuple[Kept, ...]) -> tuple[str, ...]:
        problems = []
        for kept in all_kept:
            try:
                open_generation(self.folder, kept, whole=True)
            except AnswerableError as fault:
                problems.append(f"generation {kept.name}: {fault}")
            except FileNotFoundError as fault:
                if self._kept() != all_kept:
                    raise
                problems.append(f"generation {kept.name}: {fault.filename} is missing")
        return tuple(problems)

    def size(self) -> int:
        """Bytes of all index files on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def _write(
        self,
        base: Generation | None,
        info: GenerationInfo,
        entrants: Iterable[Entrant],
        keep: Mapping[str, IndexedDocument],
    ) -> tuple[Kept, GenerationInfo]:
        for folder in (self.folder, self.folder / GENERATIONS, self.folder / SEGMENTS):
            self._files.make_folder(folder)
        self._files.sync_folder(self.folder)
        made = Succession(self._files, self.folder, info)
        made.carry(base, keep)
        builder = SegmentBuilder()
        for entrant in entrants:
            made.enter(entrant.document)
            builder.add(entrant)
            if len(builder) >= self._size:
                made.append(builder)
                builder = SegmentBuilder()
        if builder.documents:
            made.append(builder)
        made.compact()
        return write_generation(self._files, self.folder, made.parts, made.rows, info)

    def _sound(self, *, needed: bool) -> tuple[Kept, ...]:
        # A rebuild needs nothing of what is there, so damage must not stand in its way.
        try:
            kept = read_current(self.folder)
        except AnswerableError:
            if needed:
                raise
            return ()
        sound = []
        for one in kept:
            try:
                read_manifest(self.folder / GENERATIONS / one.name / MANIFEST, one.sha256)
            except (AnswerableError, FileNotFoundError):
                if needed and one == kept[0]:
                    raise
            else:
                sound.append(one)
        return tuple(sound)

    def _ready(self, name: str) -> None:
        if name not in self._prepared:
            raise NotFound(f"no generation {name!r} is prepared", "run the sync again")

    def _point(self, kept: tuple[Kept, ...]) -> None:
        beside = self.folder / f"{CURRENT}.new"
        self._files.write_bytes(beside, encode_current(kept))
        self._files.swap(beside, self.folder / CURRENT)
        self._files.sync_folder(self.folder)

    def _sweep(self, kept: tuple[Kept, ...]) -> None:
        sweep(self._files, self.folder, kept)

    def _next_name(self, kept: tuple[Kept, ...]) -> str:
        folders = [path.name for path in (self.folder / GENERATIONS).glob("[0-9]*")]
        segments = [path.name.partition("-")[0] for path in (self.folder / SEGMENTS).glob("[0-9]*")]
        names = [*folders, *segments, *(one.name for one in kept)]
        return f"{max((int(name) for name in names if name.isdigit()), default=0) + 1:06d}"

    def _reading(self, read: Callable[[tuple[Kept, ...]], T]) -> T:
        # A writer may drop a generation between reading the pointer and opening its files; then
        # the pointer names newer ones.
        kept = self._kept()
        for _ in range(_TRIES):
            try:
                return read(kept)
            except FileNotFoundError as fault:
                before, kept = kept, self._kept()
                if kept == before:
                    raise damaged(Path(fault.filename), "is missing") from fault
            except OSError as fault:
                raise _unreadable(self.folder, fault) from fault
        raise ServiceError(
            f"the index {self.folder} changes faster than it can be opened", retryable=True
        )

    def _kept(self) -> tuple[Kept, ...]:
        try:
            return read_current(self.folder)
        except OSError as fault:
            raise _unreadable(self.folder, fault) from fault

    @contextmanager
    def _disk_faults(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as fault:
            raise damaged(Path(str(fault.filename)), "is missing") from fault
        except OSError as fault:
            raise ServiceError(
                f"the index {self.folder} cannot be written: {fault.strerror or fault}",
                "the generation before is untouched; free space or mend the rights, then try again",
                retryable=True,
            ) from fault


def _named(kept: tuple[Kept, ...], name: str) -> Kept:
    for one in kept:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in kept) or "none"
    raise NotFound(f"no generation {name!r} is kept", f"kept: {names}")


def _unreadable(folder: Path, fault: OSError) -> ServiceError:
    return ServiceError(f"the index {folder} cannot be read: {fault.strerror or fault}", REBUILD)
