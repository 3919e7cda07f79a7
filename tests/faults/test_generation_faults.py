"""Power may fail, a process may be killed and a disk may fill up: the index stays old or new."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from answerable.adapters.stores.embedded import EmbeddedStore
from answerable.errors import ServiceError
from stored import MADE, Loose, entrant, lexical, uris

TESTS = str(Path(__file__).resolve().parent.parent)


class PowerCut(BaseException):
    """Not an Exception: nobody gets to tidy up."""


class Failing:
    """A disk whose step number `at` never happens; with `half`, a write leaves half a file."""

    def __init__(self, at: int, fault: BaseException, half: bool = False) -> None:
        self._disk, self._left, self._fault, self._half = Loose(), at, fault, half
        self.steps = 0

    def _step(self) -> None:
        self.steps += 1
        if self.steps == self._left:
            raise self._fault

    def make_folder(self, path):
        self._step()
        self._disk.make_folder(path)

    def write_bytes(self, path, data):
        if self._half and self.steps + 1 == self._left:
            path.write_bytes(data[: len(data) // 2])
        self._step()
        self._disk.write_bytes(path, data)

    def write_array(self, path, array):
        if self._half and self.steps + 1 == self._left:
            path.write_bytes(b"\x93NUMPY")
        self._step()
        self._disk.write_array(path, array)

    def sync_folder(self, path):
        self._step()
        self._disk.sync_folder(path)

    def swap(self, source, target):
        self._step()
        self._disk.swap(source, target)

    def remove(self, path):
        self._step()
        self._disk.remove(path)


OLD = entrant("docs/a", ["pump old"], vectors=[(0, (1, 0))])
STAYS = entrant("docs/b", ["lamp stays"], vectors=[(0, (0, 1))])
NEW = entrant("docs/a", ["pump new", "pump more"], vectors=[(0, (1, 0))])


def begun(folder):
    store = EmbeddedStore(folder, files=Loose())
    store.replace([entrant("docs/z", ["gone"])], keep={}, **MADE)
    store.replace([OLD, STAYS], keep={}, **MADE)
    return store


def replace(store):
    return store.replace([NEW], keep={STAYS.document.id: STAYS.document}, **MADE)


def state(store):
    """Which of the two states is visible; anything else fails."""
    snapshot = store.current()
    found = {chunk.id for chunk in snapshot.chunks_of(OLD.document.id)}
    assert uris(snapshot, lexical(snapshot, "lamp")) == ["docs/b"]
    old = {chunk.id for chunk in OLD.chunks}
    if "old" in snapshot.frequencies(["old"]) and snapshot.frequencies(["old"])["old"]:
        assert found == old and not snapshot.frequencies(["new"])["new"]
        return "old"
    assert found == {chunk.id for chunk in NEW.chunks}
    assert snapshot.frequencies(["new", "more"]) == {"new": 1, "more": 1}
    return "new"


def steps_of_a_replace(tmp_path):
    begun(tmp_path / "count")
    counting = Failing(-1, PowerCut())
    replace(EmbeddedStore(tmp_path / "count", files=counting))
    return counting.steps


def test_power_cut_at_every_step_leaves_old_or_new(tmp_path):
    total = steps_of_a_replace(tmp_path)
    assert total > 25
    seen = []
    begun(tmp_path / "begun")
    for at in range(1, total + 1):
        folder = tmp_path / f"cut{at}"
        shutil.copytree(tmp_path / "begun", folder)
        with pytest.raises(PowerCut):
            replace(EmbeddedStore(folder, files=Failing(at, PowerCut(), half=True)))
        after = EmbeddedStore(folder, files=Loose())
        assert after.verify() == ()
        seen.append(state(after))
        replace_again(after)
    # once it has happened it stays so: the swap is the one step between the two
    assert seen == sorted(seen, reverse=True) and set(seen) == {"old", "new"}


def replace_again(store):
    """The next writer succeeds and removes what the crash left."""
    info = store.replace([NEW, STAYS], keep={}, **MADE)
    assert state(store) == "new"
    names = {path.name for path in (store.folder / "generations").iterdir()}
    assert names == {one.name for one in store.generations()} and info.name in names
    # of the segments those of two generations are left: one or two of the last, two before
    assert len(list((store.folder / "segments").iterdir())) <= 4
    assert not (store.folder / "CURRENT.new").exists()


def test_a_full_disk_at_every_step_is_named_and_leaves_old_or_new(tmp_path):
    total = steps_of_a_replace(tmp_path)
    for at in range(1, total + 1, 5):
        folder = tmp_path / f"full{at}"
        begun(folder)
        full = OSError(28, "No space left on device")
        with pytest.raises(ServiceError, match="No space left"):
            replace(EmbeddedStore(folder, files=Failing(at, full, half=True)))
        assert EmbeddedStore(folder).verify() == ()
        state(EmbeddedStore(folder))


WRITER = """
    import sys
    from pathlib import Path
    from answerable.adapters.stores.embedded import EmbeddedStore
    from stored import MADE, Loose, entrant
    store = EmbeddedStore(Path(sys.argv[1]))
    fixed = entrant("docs/fixed", ["lamp stays"], vectors=[(0, (0, 1))])
    if store.current() is None:
        store.replace([fixed], keep={}, **MADE)
    print("ready", flush=True)
    number = 0
    while True:
        number += 1
        docs = [entrant(f"docs/{n}", [f"pump round{number}"] * 1) for n in range(5)]
        store.replace(docs, keep={fixed.document.id: fixed.document}, **MADE)
        print("swapped", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_kill_nine_at_random_moments(tmp_path):
    dice = random.Random(7)
    names = []
    for _ in range(10):
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path / "index")],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": TESTS},
        )
        assert child.stdout.readline() == b"ready\n"
        for _ in range(dice.randrange(3)):
            assert child.stdout.readline() == b"swapped\n"
        time.sleep(dice.uniform(0.0, 0.25))
        child.send_signal(signal.SIGKILL)
        child.wait()
        store = EmbeddedStore(tmp_path / "index")
        assert store.verify() == ()
        snapshot = store.current()
        assert uris(snapshot, lexical(snapshot, "lamp")) == ["docs/fixed"]
        rows = snapshot.documents()
        found = uris(snapshot, lexical(snapshot, "pump"))
        assert len(rows) in (1, 6) and len(found) == len(rows) - 1
        # all five are of one round: nothing half done is visible
        assert len({row.sha256 for row in rows.values() if "fixed" not in row.uri}) <= 1
        names.append(snapshot.info.name)
        snapshot.close()
    assert names == sorted(names) and names[-1] > names[0]


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_a_killed_writer_does_not_hold_the_lock(tmp_path):
    code = """
        import sys, time
        from pathlib import Path
        from answerable.adapters.stores.embedded.lock import WriterLock
        with WriterLock(Path(sys.argv[1]) / "writer.lock", 1):
            print("ready", flush=True)
            time.sleep(60)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(tmp_path)], stdout=subprocess.PIPE
    )
    assert child.stdout.readline() == b"ready\n"
    busy = EmbeddedStore(tmp_path, wait=0.1)
    with pytest.raises(ServiceError, match="another process is writing") as fault:
        busy.replace([OLD], keep={}, **MADE)
    assert fault.value.retryable
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert busy.replace([OLD], keep={}, **MADE).documents == 1
