"""Syncs as processes: two at once, killed between preparing and publishing, told to end."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from answerable.wire.base import open_base
from answerable.wire.doctor import examine

TESTS = Path(__file__).parents[1]
COMMAND = [sys.executable, "-c", "from answerable.cli.main import main; main()"]
SLOW = """
import time
from dataclasses import dataclass
from fakes import HashEmbedder

@dataclass(frozen=True)
class Slow(HashEmbedder):
    def passages(self, texts):
        time.sleep(0.02 * len(texts))
        return super().passages(texts)
"""
KILL = """
import os, signal, sys
from answerable.wire import base as opened

class Dying(opened.KnowledgeBase):
    @property
    def store(self):
        return Store(super().store)

class Store:
    def __init__(self, store):
        self._store = store
    def __getattr__(self, name):
        return getattr(self._store, name)
    def publish(self, name):
        os.kill(os.getpid(), signal.SIGKILL)

kb = opened.open_base(sys.argv[1])
Dying(kb.settings, kb.recipe).sync()
"""
FILES = 20
STARTED = []


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "slowsync.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "slowsync", raising=False)
    (tmp_path / "answerable.toml").write_text('[ingest.embedder]\nname = "slowsync:Slow"\n')
    (tmp_path / "docs").mkdir()
    write(tmp_path, 0)
    open_base(tmp_path).add(str(tmp_path / "docs"))
    yield tmp_path
    while STARTED:
        STARTED.pop().kill()


def write(home, version):
    for number in range(FILES):
        (home / "docs" / f"f{number:02}.md").write_text(
            f"# File {number}\n\nword version{version}\n"
        )


def start(home, *words, code=None):
    command = COMMAND if code is None else [sys.executable, "-c", code]
    tail = ["--kb", str(home)] if code is None else []
    child = subprocess.Popen(
        [*command, *words, *tail],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(home), str(TESTS)))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a suite started in the background of a shell ignores it, and its children would too
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    STARTED.append(child)
    return child


def served(home):
    snapshot = open_base(home).store.current()
    words = snapshot.frequencies([f"version{n}" for n in range(4)])
    snapshot.close()
    return {word for word, count in words.items() if count}


def staged(home):
    with closing(sqlite3.connect(home / ".answerable" / "answerable.db")) as connection:
        return connection.execute("select count(*) from staged").fetchone()[0]


def until(found, seconds=120):
    limit = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < limit, "it did not come to that"
        time.sleep(0.02)


@pytest.mark.slow
def test_two_at_once_wait_for_one_another(home):
    write(home, 1)
    both = [start(home, "sync", "--json") for _ in range(2)]
    reports = []
    for child in both:
        out, err = child.communicate(timeout=240)
        assert child.returncode == 0, err
        reports.append(json.loads(out))
    # the work is done once: the second finds it done
    assert sorted(report["changed"] for report in reports) == [0, FILES]
    assert sorted(report["embedded"] for report in reports) == [0, FILES]
    assert served(home) == {"version1"}
    assert [check for check in examine(open_base(home)) if not check.ok] == []


@pytest.mark.slow
def test_who_waited_in_vain_is_told_who_holds_the_lock(home):
    holder = start(
        home,
        str(home),
        code="import sys, time\nfrom answerable.wire.base import open_base\n"
        "with open_base(sys.argv[1]).store.writing():\n"
        "    print('held', flush=True)\n    time.sleep(60)\n",
    )
    assert holder.stdout.readline() == "held\n"
    store = open_base(home).store
    impatient = type(store)(store.folder, wait=0.2)
    with pytest.raises(Exception, match=f"process {holder.pid} on .* since 20") as fault:
        impatient.replace([], keep={}, at="", ingest_hash="", embedder="")
    assert fault.value.retryable
    holder.kill()
    holder.wait()


@pytest.mark.slow
def test_killed_between_prepare_and_publish(home):
    write(home, 1)
    child = start(home, str(home), code=KILL)
    assert child.wait(timeout=240) == -signal.SIGKILL, child.stderr.read()
    assert served(home) == {"version0"}
    assert [check for check in examine(open_base(home)) if not check.ok] == []
    assert staged(home) == FILES
    again = open_base(home).sync()
    assert (again.changed, again.parsed, again.embedded) == (FILES, 0, 0)
    assert served(home) == {"version1"}
    assert staged(home) == 0
    assert len(list((home / ".answerable" / "index" / "generations").iterdir())) == 2


@pytest.mark.slow
def test_told_to_end_in_the_middle_of_a_round(home):
    child = start(home, "sync", "--every", "1s", "--json")
    first = json.loads(child.stdout.readline())
    assert first["unchanged"] == FILES
    write(home, 1)
    until(lambda: 0 < staged(home) < FILES or served(home) == {"version1"})
    child.send_signal(signal.SIGTERM)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, err
    assert "stopped; what was read and embedded is kept" in err and "Traceback" not in err
    for line in out.splitlines():
        json.loads(line)
    assert [check for check in examine(open_base(home)) if not check.ok] == []
    open_base(home).sync()
    assert served(home) == {"version1"}


@pytest.mark.slow
def test_a_round_that_fails_is_told_and_the_next_one_runs(home):
    child = start(home, "sync", "--every", "1s", "--json")
    json.loads(child.stdout.readline())
    config = home / "answerable.toml"
    right = config.read_text()
    config.write_text("[ingest\n")
    while "error" not in (said := json.loads(child.stdout.readline())):
        pass
    assert said["error"]["exit"] == 2 and "is not TOML" in said["error"]["message"]
    config.write_text(right)
    write(home, 2)
    changed = 0  # a round may come while the files are still being written
    while changed < FILES:
        changed += json.loads(child.stdout.readline()).get("changed", 0)
    child.stdout.readline()  # the code is that of a round which has ended
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=120)
    assert child.returncode == 0, err
    assert served(home) == {"version2"}


@pytest.mark.slow
def test_a_page_that_is_due_begins_a_round(home):
    child = start(home, "sync", "--every", "1d", "--json")
    json.loads(child.stdout.readline())
    write(home, 3)
    base = open_base(home)
    base.database.ledger.queue("docs", ["f01.md"], base.clock.now())
    assert json.loads(child.stdout.readline())["changed"] == FILES
    until(lambda: base.database.ledger.due() == 0)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=120)
    assert child.returncode == 0
