"""`answerable add` killed at ten random instants, and interrupted by a person."""

from __future__ import annotations

import json
import os
import random
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
        time.sleep(0.004 * len(texts))
        return super().passages(texts)
"""
FILES = 60


@pytest.fixture
def home(tmp_path, monkeypatch):
    (tmp_path / "slowmodel.py").write_text(SLOW)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "slowmodel", raising=False)
    (tmp_path / "answerable.toml").write_text(
        '[ingest.embedder]\nname = "slowmodel:Slow"\n[[ingest.cut]]\nsize = 12\nunit = "words"\n'
    )
    (tmp_path / "docs").mkdir()
    write(tmp_path, 0)
    return tmp_path


def write(home, version):
    for number in range(FILES):
        body = "".join(
            f"## Part {part}\n\nfile{number} version{version} part{part} words of it\n\n"
            for part in range(5)
        )
        (home / "docs" / f"f{number:02}.md").write_text(f"# File {number}\n\n{body}")


def start(home):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(home), str(TESTS)))}
    return subprocess.Popen(
        [*COMMAND, "add", str(home / "docs"), "--kb", str(home), "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A suite that a shell started in the background hands down an interrupt that is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def doctor(home):
    return [check for check in examine(open_base(home)) if not check.ok]


def found(home, word):
    base = open_base(home)
    rankings, chunks, documents = base.search(word)
    texts = [
        documents[chunks[hit.chunk_id].document_id].text[
            chunks[hit.chunk_id].span.start : chunks[hit.chunk_id].span.end
        ]
        for hit in rankings.rankings["lexical"]
        if hit.chunk_id in chunks
    ]
    return [text for text in texts if word in text]


@pytest.mark.slow
def test_killed_at_ten_random_instants(home):
    first = open_base(home).add(str(home / "docs"))
    assert first.added == FILES
    chance = random.Random(20250101)
    version = before = 0
    began = time.monotonic()
    write(home, version := 1)
    timed = start(home)
    assert timed.wait(timeout=60) == 0, timed.stderr.read()
    whole = time.monotonic() - began
    before = version
    swapped = 0
    for _ in range(10):
        version += 1
        write(home, version)
        child = start(home)
        try:
            child.wait(timeout=chance.uniform(0.3, 1.0) * whole)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        child.wait(timeout=30)
        assert doctor(home) == []
        old, new = found(home, f"version{before}"), found(home, f"version{version}")
        assert bool(old) != bool(new), "one generation answers, never none and never both"
        swapped += bool(new)
        if new:
            before = version
    open_base(home).add(str(home / "docs"))
    assert found(home, f"version{version}")
    assert not found(home, f"version{version - 1}")
    assert doctor(home) == []
    status = open_base(home).info()
    assert status is not None
    assert status.documents == FILES


@pytest.mark.slow
def test_interrupted_by_a_person_and_taken_up_again(home):
    child = start(home)
    time.sleep(0.2)
    database = home / ".answerable" / "answerable.db"
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline and staged(database) == 0:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert out == ""
    assert "interrupted" in err
    assert "Traceback" not in err
    done = staged(database)
    assert done > 0
    again = start(home)
    out, err = again.communicate(timeout=60)
    assert again.returncode == 0, err
    report = json.loads(out)
    assert report["added"] == FILES
    assert report["parsed"] < FILES
    chunks = open_base(home).info().chunks
    assert report["embedded"] == chunks - done
    assert doctor(home) == []


def staged(database):
    if not database.is_file():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute("select count(*) from staged").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
