"""Between preparing and publishing a generation anything may happen: the old one is served."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from answerable.adapters.stores.embedded import EmbeddedStore
from answerable.errors import NotFound, ServiceError, StaleIndex
from stored import MADE, Loose, entrant, lexical, uris

TESTS = str(Path(__file__).resolve().parent.parent)
OLD = entrant("docs/a", ["pump old"], vectors=[(0, (1, 0))])
STAYS = entrant("docs/b", ["lamp stays"], vectors=[(0, (0, 1))])
NEW = entrant("docs/a", ["pump new"], vectors=[(0, (1, 0))])


@pytest.fixture
def store(tmp_path):
    made = EmbeddedStore(tmp_path / "index", files=Loose())
    made.replace([OLD, STAYS], keep={}, **MADE)
    return made


def prepare(store, *entrants):
    keep = {STAYS.document.id: STAYS.document}
    return store.prepare(entrants or [NEW], keep=keep, **MADE)


def words(store):
    snapshot = store.current()
    found = snapshot.frequencies(["old", "new"])
    snapshot.close()
    return found


def folders(store):
    return {path.name for path in (store.folder / "generations").iterdir()}


def test_a_prepared_generation_is_open_to_who_names_it_and_to_nobody_else(store):
    info = prepare(store)
    assert words(store) == {"old": 1, "new": 0}
    assert [one.name for one in store.generations()] == ["000001"]
    ready = store.open(info.name)
    assert ready.info == info
    assert set(uris(ready, lexical(ready, "new", "lamp"))) == {"docs/a", "docs/b"}
    ready.close()
    store.publish(info.name)
    assert words(store) == {"old": 0, "new": 1}
    assert [one.name for one in store.generations()] == [info.name, "000001"]
    assert store.verify() == ()
    with pytest.raises(NotFound, match="000002"):
        store.publish(info.name)


def test_what_is_discarded_leaves_nothing(store):
    before = {path.name for path in store.folder.rglob("*")}
    info = prepare(store)
    store.discard(info.name)
    assert {path.name for path in store.folder.rglob("*")} == before
    for act in (store.publish, store.discard, store.open):
        with pytest.raises(NotFound):
            act(info.name)
    assert words(store) == {"old": 1, "new": 0}


def test_the_next_writer_sweeps_what_was_never_published(store):
    info = prepare(store)
    other = EmbeddedStore(store.folder, files=Loose())
    with pytest.raises(NotFound):
        other.publish(info.name)
    made = other.replace([NEW], keep={}, **MADE)
    assert folders(store) == {"000001", made.name}
    # who prepared it comes too late
    with pytest.raises(StaleIndex, match="changed after"):
        store.publish(info.name)
    assert store.verify() == ()
    assert store.current().info.name == made.name


@dataclass(frozen=True)
class Cut(Loose):
    """A disk whose pointer is written or exchanged no more."""

    step: str

    def write_bytes(self, path, data):
        if self.step == "write" and path.name == "CURRENT.new":
            path.write_bytes(data[:5])
            raise OSError(28, "No space left on device")
        Loose.write_bytes(self, path, data)

    def swap(self, source, target):
        if self.step == "swap":
            raise OSError(5, "Input/output error")
        Loose.swap(self, source, target)


@pytest.mark.parametrize("step", ["write", "swap"])
def test_a_disk_that_fails_while_publishing_leaves_the_old_one(store, step):
    failing = EmbeddedStore(store.folder, files=Cut(step))
    info = prepare(failing)
    with pytest.raises(ServiceError, match="cannot be written"):
        failing.publish(info.name)
    assert words(store) == {"old": 1, "new": 0} and store.verify() == ()
    store.publish(prepare(store).name)
    assert words(store) == {"old": 0, "new": 1} and store.verify() == ()


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from answerable.adapters.stores.embedded import EmbeddedStore
    from stored import MADE, Loose, entrant
    store = EmbeddedStore(Path(sys.argv[1]))
    new = entrant("docs/a", ["pump new"], vectors=[(0, (1, 0))])
    store.prepare([new], keep={}, **MADE)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_killed_between_prepare_and_publish(store):
    child = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(store.folder)],
        env={**os.environ, "PYTHONPATH": TESTS},
        check=False,
    )
    assert child.returncode == -signal.SIGKILL
    after = EmbeddedStore(store.folder, files=Loose())
    assert folders(after) == {"000001", "000002"}
    assert words(after) == {"old": 1, "new": 0} and after.verify() == ()
    info = prepare(after)
    assert info.name == "000002"
    after.publish(info.name)
    assert folders(after) == {"000001", "000002"}
    assert words(after) == {"old": 0, "new": 1} and after.verify() == ()
    shutil.rmtree(store.folder)
