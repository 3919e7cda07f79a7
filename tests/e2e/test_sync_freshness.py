"""How fresh: deletion windows, incomplete listings, checkpoints, webhooks."""

from __future__ import annotations

import hmac
import json
import time

import pytest

from answerable.adapters.database import SourceRow
from answerable.errors import Forbidden, InputError, NotFound, UsageError
from answerable.wire.due import take_notice

SOURCE = """
import json
from dataclasses import dataclass
from pathlib import Path
from answerable.errors import ServiceError
from answerable.ports import Entry, Listing
from answerable.records.docs import EVERYONE, RawDoc

@dataclass(frozen=True)
class Told:
    name: str
    path: Path
    since: str

    def list(self):
        told = json.loads(self.path.read_text())
        with self.path.with_suffix(".since").open("a") as file:
            file.write(self.since + ";")
        return Listing(
            tuple(Entry(f"{self.name}/{page}", body) for page, body in told["pages"].items()),
            complete=told.get("complete", True),
            checkpoint=told.get("checkpoint", ""),
            notes=tuple(told.get("notes", ())),
        )

    def fetch(self, entry):
        if entry.revision == "broken":
            raise ServiceError("the site says 503", retryable=True)
        return RawDoc(
            entry.uri, entry.revision.encode(), "text/plain", entry.revision, access=EVERYONE
        )

def make(name, options, around):
    return Told(name, Path(options["root"]), around.since)
"""


@pytest.fixture
def told(bench, monkeypatch, tmp_path):
    """A knowledge base whose one source lists what a JSON file says."""
    (tmp_path / "toldsource.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    kb = bench()
    path = kb.folder / "told.json"
    kb.tell = lambda pages, **more: path.write_text(json.dumps({"pages": pages, **more}))
    kb.since = lambda: path.with_suffix(".since").read_text().split(";")[:-1]
    row = SourceRow("wiki", "toldsource:make", {"root": str(path)}, "now")
    kb.base.database.put_source(row)
    return kb


def sync(kb, code=0):
    done = kb.cli("sync", "--json")
    assert done.code == code, done.err
    return done.json


def test_the_deletion_window_is_from_the_last_complete_listing_to_the_swap(told):
    told.tell({"1": "pump", "2": "lamp", "3": "gate"})
    before = time.monotonic()
    assert sync(told)["deletion_window_seconds"] is None
    told.tell({"1": "pump"}, complete=False)  # proves nothing, and counts for nothing
    time.sleep(0.3)
    middle = time.monotonic()
    said = sync(told)
    assert (said["complete"], said["removed"], said["incomplete"]) == (False, 0, ["wiki"])
    told.tell({"1": "pump", "3": "gate"})
    said = sync(told)
    after = time.monotonic()
    assert said["removed"] == 1
    assert after - middle < said["deletion_window_seconds"] <= after - before
    longest = said["deletion_window_seconds"]
    # the next one is measured from the listing just made, and the longest is kept
    told.tell({"1": "pump"})
    assert sync(told)["deletion_window_seconds"] < longest
    status = told.cli("status", "--json").json
    assert status["deletion_window_seconds"] == longest
    assert "could be found for at most" in told.cli("status").out


def test_an_incomplete_listing_removes_nothing_and_says_why(told):
    told.tell({"1": "pump", "2": "lamp"})
    sync(told)
    told.tell({"1": "pump now", "3": "gate"}, complete=False, notes=["paging loop in space OPS"])
    done = told.cli("sync")
    assert done.code == 0
    assert "1 added, 1 changed, 0 unchanged, 0 removed" in done.out
    assert "note wiki: paging loop in space OPS" in done.err
    assert "the listing of wiki was incomplete: nothing of it was removed" in done.err
    assert told.uris("lamp") == ["2"] and told.uris("gate") == ["3"]
    status = told.cli("status", "--json").json
    assert [one["complete"] for one in status["sources"]] == [False]
    assert "incomplete" in told.cli("status").out


def test_everything_that_changed_is_named(told):
    told.tell({"1": "pump", "2": "lamp"})
    sync(told)
    told.tell({"1": "pump now", "3": "gate"})
    said = sync(told)
    assert [(one["what"], one["uri"]) for one in said["changes"]] == [
        ("changed", "wiki/1"),
        ("added", "wiki/3"),
        ("removed", "wiki/2"),
    ]
    assert said["swapped"] and not sync(told)["swapped"]


def test_a_checkpoint_is_handed_back_once_its_listing_is_indexed(told):
    told.tell({"1": "pump"}, checkpoint="one")
    sync(told)
    told.tell({"1": "pump", "2": "broken"}, checkpoint="two")
    assert sync(told)["failed"] == 1
    told.tell({"1": "pump", "2": "lamp"}, checkpoint="three")
    sync(told)
    told.cli("rollback")
    sync(told)
    assert told.cli("sync", "--rebuild").code == 0
    # nothing before; one; one again, for a page of two failed; back again: all; rebuilt: all
    assert told.since() == ["", "one", "one", "", ""]


def test_a_failed_gate_keeps_the_checkpoint(told):
    told.tell({"1": "the pump starts at seven"}, checkpoint="one")
    sync(told)
    golden = told.folder / "golden.jsonl"
    evidence = [{"document": "wiki/1", "quote": "starts at seven"}]
    row = {"id": "a", "question": "When does the pump start?", "evidence": evidence}
    golden.write_text(json.dumps(row))
    told.tell({"1": "sign in"}, checkpoint="two")
    done = told.cli("sync", "--gate", golden, "--json")
    assert done.code == 1 and not done.json["swapped"]
    sync(told)
    sync(told)
    assert told.since() == ["", "one", "one", "two"]


def test_a_webhook_queues_its_page(bench, monkeypatch):
    kb = bench()
    kb.base.database.put_source(SourceRow("wiki", "confluence", {}, "now"))
    kb.base.database.put_source(SourceRow("docs", "folder", {}, "now"))
    monkeypatch.setenv("HOOK_SECRET", "s3cret")
    body = b'{"page": {"id": 4711}, "event": "page_updated"}'
    right = {"X-Hub-Signature": "sha256=" + hmac.new(b"s3cret", body, "sha256").hexdigest()}
    assert take_notice(kb.base, "wiki", "HOOK_SECRET", right, body) == "4711"
    assert kb.base.database.ledger.due() == 1
    take_notice(kb.base, "wiki", "HOOK_SECRET", right, body)
    assert kb.base.database.ledger.due() == 1
    for headers in ({}, {"X-Hub-Signature": "sha256=" + "0" * 64}):
        with pytest.raises(Forbidden):
            take_notice(kb.base, "wiki", "HOOK_SECRET", headers, body)
    other = b"{}"
    signed = {"x-hub-signature": "sha256=" + hmac.new(b"s3cret", other, "sha256").hexdigest()}
    with pytest.raises(InputError, match="names no page"):
        take_notice(kb.base, "wiki", "HOOK_SECRET", signed, other)
    with pytest.raises(UsageError, match="is a folder"):
        take_notice(kb.base, "docs", "HOOK_SECRET", right, body)
    with pytest.raises(NotFound):
        take_notice(kb.base, "none", "HOOK_SECRET", right, body)
    assert kb.base.database.ledger.due() == 1
    assert kb.cli("status", "--json").json["due"] == 1


def test_a_source_that_is_down_costs_itself_and_is_told(bench):
    made = bench({"one.md": "# One\n\nThe zebra sleeps.\n"})
    made.write("two.md", "# Two\n\nThe lion wakes.\n", source="more")
    assert made.add().added == 1 and made.add("more").added == 1
    (made.folder / "more").rename(made.folder / "gone")
    made.write("three.md", "# Three\n\nThe heron wades.\n")
    done = made.cli("sync", "--json")
    assert done.code == 5
    report = done.json
    assert (report["added"], report["removed"], report["complete"]) == (1, 0, False)
    assert report["down"] == report["incomplete"] == ["more"]
    assert made.uris("lion") == ["two.md"] and made.uris("heron") == ["three.md"]
    told = made.cli("sync")
    assert told.code == 5 and "no such folder" in told.err
    (made.folder / "gone").rename(made.folder / "more")
    assert made.cli("sync").code == 0
    (made.folder / "more").rename(made.folder / "gone")
    (made.folder / "docs").rename(made.folder / "lost")
    assert made.cli("sync").code == 3
    assert made.uris("lion") == ["two.md"]
