"""Web sites and git repositories through the command: added, synced, moved, failing, secret."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from git_site import Made
from remote_site import Site
from remote_sources import sitemap

TOKEN = "QA-TOKEN-9f27c1"
PACKED = b64encode(f"qa-user:{TOKEN}".encode()).decode()


def page(words: str) -> str:
    return f"<html><head><title>{words}</title></head><body><p>{words}.</p></body></html>"


@pytest.fixture
def site():
    with Site() as made:
        for name in ("pump", "lamp", "valve"):
            made.put(f"/{name}", page(f"The {name} is serviced yearly"), Content_Type="text/html")
        made.put("/sitemap.xml", sitemap(made, "/pump", "/lamp", "/valve"))
        yield made


def hits(bench, question):
    return [hit["uri"] for hit in bench.cli("search", question, "--json").json["hits"]]


WITH = ("--with", "allow_private=true", "--with", "delay=0")


def test_a_site_is_added_synced_and_pruned(bench, site):
    kb = bench()
    added = kb.cli("add", f"{site.url}/sitemap.xml", *WITH, "--json")
    assert added.code == 0, added.err
    assert added.json["added"] == 3 and added.json["complete"]
    assert hits(kb, "pump") == ["127.0.0.1/pump"]
    site.put("/pump", page("The pump is replaced"), Content_Type="text/html")
    site.put("/lamp", "", 410)
    site.put("/valve", "", 500)
    synced = kb.cli("sync", "--json")
    assert synced.code == 0, synced.err
    report = synced.json
    assert (report["changed"], report["removed"]) == (1, 1)
    assert hits(kb, "replaced") == ["127.0.0.1/pump"] and hits(kb, "lamp") == []
    assert hits(kb, "valve") == ["127.0.0.1/valve"]  # broken is not gone
    assert "500" in json.dumps(report["skipped"]) and "410" in json.dumps(report["skipped"])


def test_a_site_that_is_down_or_forbidden_leaves_all_as_it_was(bench, site):
    kb = bench()
    kb.cli("add", f"{site.url}/sitemap.xml", *WITH)
    kept = dict(site.answers)
    site.answers.clear()
    site.put("/sitemap.xml", "<html>maintenance</html>", Content_Type="text/html")
    assert kb.cli("sync").code == 5
    assert hits(kb, "pump") == ["127.0.0.1/pump"]
    site.answers.update(kept)
    site.put("/pump", "", 403)
    assert kb.cli("sync").code == 0
    assert hits(kb, "pump") == []  # nobody may read what the site hides now
    site.answers.update(kept)
    site.put("/pump", page("The pump is serviced yearly"), Content_Type="text/html")
    assert kb.cli("sync").code == 0
    assert hits(kb, "pump") == ["127.0.0.1/pump"]


def test_a_charset_of_the_header_is_followed(bench, site):
    body = "<html><body><p>Gr\u00f6\u00dfe der Anlage</p></body></html>".encode("latin-1")
    site.put("/pump", body, Content_Type="text/html; charset=iso-8859-1")
    kb = bench()
    assert kb.cli("add", f"{site.url}/sitemap.xml", *WITH).code == 0
    found = kb.cli("search", "Gr\u00f6\u00dfe", "--json").json["hits"]
    assert "Gr\u00f6\u00dfe der Anlage" in json.dumps(found, ensure_ascii=False)


def test_a_repository_is_added_and_synced(bench, tmp_path):
    made = Made(tmp_path / "repos" / "handbook")
    made.commit(**{"a.md": "# Pumps\n\nserviced", "docs/b.md": "# Lamps\n\nlit", "c.png": b"\x89"})
    kb = bench()
    added = kb.cli("add", made.url, "--with", "include=*.md", "--json")
    assert added.code == 0 and added.json["added"] == 2, added.err
    assert hits(kb, "serviced") == ["handbook/a.md"]
    made.commit(**{"a.md": None, "docs/b.md": "# Lamps\n\nreplaced", "docs/c.md": "# New\n\nfresh"})
    report = kb.cli("sync", "--json").json
    assert (report["added"], report["changed"], report["removed"]) == (1, 1, 1)
    made.root.rename(tmp_path / "moved")
    assert kb.cli("sync").code == 5
    assert hits(kb, "fresh") == ["handbook/docs/c.md"]


@pytest.mark.parametrize("kind", ["status", "redirect", "page", "echo"])
def test_m05_no_secret_is_written_anywhere(bench, site, monkeypatch, caplog, kind):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("SITE_TOKEN", TOKEN)
    monkeypatch.setenv("QA_COOKIE", "QA-COOKIE-77")
    kb = bench({"a.md": "# A\n\nwords"})
    secret = ("--with", "token_env=SITE_TOKEN", "--with", "user=qa-user")
    url = f"{site.url}/sitemap.xml"
    first = kb.cli("add", url, *WITH, *secret)
    assert first.code == 0, first.err
    assert site.asked[-1].headers["Authorization"] == f"Basic {PACKED}"
    if kind == "status":
        site.put("/sitemap.xml", f"bad token {TOKEN} for qa-user", 401, Set_Cookie="x=QA-COOKIE-77")
    elif kind == "redirect":
        site.put("/sitemap.xml", "", 302, Location=f"http://127.0.0.1:9/login?x&token={TOKEN}")
    elif kind == "page":
        site.put("/sitemap.xml", f"<html>{TOKEN}{PACKED}</html>", Content_Type="text/html")
    else:
        site.put(f"/pump?token={TOKEN}", page("The pump"), Content_Type="text/html")
        site.put("/sitemap.xml", sitemap(site, f"/pump?token={TOKEN}", f"/x?sig={PACKED}"))
    said = ""
    for command in (
        ["sync"],
        ["sync", "--json"],
        ["status", "--json"],
        ["search", "pump", "--json"],
    ):
        done = kb.cli(*command)
        said += done.out + done.err
    if kind == "status":
        assert "401" in said and "SITE_TOKEN" in said
    assert "127.0.0.1" in said and "/sitemap.xml" in said
    written = b"".join(p.read_bytes() for p in Path(kb.folder).rglob("*") if p.is_file())
    kept = written + said.encode() + caplog.text.encode()
    for hidden in (TOKEN, PACKED, "QA-COOKIE-77"):
        assert hidden.encode() not in kept, hidden


def test_m04_pictures_and_links_of_a_document_are_never_fetched(bench, case_file):
    kb = bench({"images.md": case_file("M04_images.md").read_bytes()})
    code = (
        "import sys\n"
        "def seen(event, arguments):\n"
        "    if event.startswith(('socket.connect', 'socket.getaddrinfo', 'socket.gethostby')):\n"
        "        sys.stderr.write(f'NETWORK {event} {arguments}\\n')\n"
        "sys.addaudithook(seen)\n"
        "from answerable.cli.main import main\n"
        "main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", code, "add", str(kb.folder / "docs"), "--kb", str(kb.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "NETWORK" not in done.stderr, done.stderr
    assert hits(kb, "pictures") == ["docs/images.md"]
