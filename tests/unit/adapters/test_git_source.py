"""Git repositories as a source: real ones, that change, break and do not trust their readers."""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from pathlib import Path

import pytest

from answerable.adapters.sources.git import options_of
from answerable.adapters.sources.git_command import Git
from answerable.adapters.sources.git_links import forge_of, link_of
from answerable.errors import ConfigError, InputError, ServiceError
from answerable.ports import Entry
from answerable.records.docs import EVERYONE, Access
from git_site import Forge, Made
from remote_sources import git_at, uris

POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)


@pytest.fixture
def made(tmp_path):
    repository = Made(tmp_path / "made" / "handbook")
    repository.write("README.md", "# Read me")
    repository.write("docs/a.md", "# A")
    repository.write("docs/b.txt", "B")
    repository.write("src/x.py", "x = 1\n")
    repository.record()
    return repository


def reasons(listing):
    return {skip.uri: skip.reason for skip in listing.skipped}


def test_files_of_the_default_branch_with_object_ids_as_revisions(made, tmp_path):
    source = git_at(made.url, tmp_path / "own")
    listing = source.list()
    assert listing.complete and not listing.skipped
    assert uris(listing) == ["kb/README.md", "kb/docs/a.md", "kb/docs/b.txt", "kb/src/x.py"]
    a = listing.entries[1]
    assert a.revision == made.git("hash-object", "docs/a.md")
    raw = source.fetch(a)
    assert (raw.body, raw.media_type, raw.revision) == (b"# A", "text/markdown", a.revision)
    assert raw.access == EVERYONE and source.list() == listing


def test_only_the_files_that_are_wanted_are_fetched(made, tmp_path):
    made.commit(**{"big.bin": os.urandom(5000), "docs/old.md": "old"})
    made.commit(**{"docs/old.md": None})
    source = git_at(made.url, tmp_path / "own", path="docs", exclude="*.txt")
    assert uris(source.list()) == ["kb/docs/a.md"]
    git = Git(tmp_path / "own" / "repo.git", "file")
    present = git("cat-file", "--batch-all-objects", "--batch-check").decode().splitlines()
    assert [line.split()[0] for line in present if " blob " in line] == [
        made.git("hash-object", "docs/a.md")
    ]
    assert git("rev-list", "--count", "refs/answerable/head") == b"1\n"  # shallow


def test_a_new_commit_changes_what_changed_and_a_deleted_file_is_gone(made, tmp_path):
    first = git_at(made.url, tmp_path / "own").list()
    made.commit(**{"docs/a.md": "# A, again", "docs/b.txt": None, "docs/c.md": "# C"})
    source = git_at(made.url, tmp_path / "own")
    second = source.list()
    assert uris(second) == ["kb/README.md", "kb/docs/a.md", "kb/docs/c.md", "kb/src/x.py"]
    before = {entry.uri: entry.revision for entry in first.entries}
    assert [e.uri for e in second.entries if before.get(e.uri) != e.revision] == [
        "kb/docs/a.md",
        "kb/docs/c.md",
    ]
    assert source.fetch(second.entries[2]).body == b"# C"


def test_history_may_be_written_anew(made, tmp_path):
    git_at(made.url, tmp_path / "own").list()
    made.git("checkout", "-q", "--orphan", "other")
    made.commit(**{"docs/a.md": "# Other"})
    made.git("branch", "-M", "other", "main")
    source = git_at(made.url, tmp_path / "own")
    assert source.fetch(source.list().entries[1]).body == b"# Other"


def test_a_branch_a_tag_and_a_commit(made, tmp_path):
    old = made.git("rev-parse", "HEAD")
    made.git("tag", "-a", "v1", "-m", "one")
    made.git("checkout", "-q", "-b", "next/2.0")
    made.commit(**{"docs/n.md": "# N"})
    made.git("checkout", "-q", "main")
    made.commit(**{"docs/m.md": "# M"})

    def held(ref, name):
        return [
            uri
            for uri in uris(git_at(made.url, tmp_path / name, ref=ref).list())
            if uri[-4] in "nm"
        ]

    assert held("next/2.0", "1") == ["kb/docs/n.md"]
    assert held("main", "2") == ["kb/docs/m.md"]
    assert held("v1", "3") == held(old, "4") == held("refs/tags/v1", "5") == []
    assert held("next/2.0", "2") == ["kb/docs/n.md"]  # another ref in the folder of before
    with pytest.raises(ServiceError, match=r"no gone \(no such branch"):
        git_at(made.url, tmp_path / "6", ref="gone").list()


def test_what_is_no_document_is_named_with_the_reason(made, tmp_path):
    made.write("docs/big.pdf.md", POINTER)
    made.write(".github/x/y.md", "# hidden")
    made.write("node_modules/m/n.md", "# n")
    made.write("logo.png", b"\x89PNG")
    made.write("feed.xml", "<rss/>")
    made.write("page.xml", "<p>x</p><ac:link/>")
    made.write("answerable.toml", "")
    made.write(b"bad\xff.md", "# x")
    os.symlink("/etc/passwd", made.root / "evil.md")
    other = Made(tmp_path / "other")
    other.commit(**{"x.md": "# x"})
    made.git(
        "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.root), "lib/sub"
    )
    made.record()
    listing = git_at(made.url, tmp_path / "own").list()
    assert uris(listing)[-2:] == ["kb/page.xml", "kb/src/x.py"] and len(uris(listing)) == 5
    assert reasons(listing) == {
        "kb/docs/big.pdf.md": "kept by Git LFS: only a pointer to it is in the repository",
        "kb/.github": "hidden",
        "kb/.gitmodules": "hidden",
        "kb/node_modules": "a folder of installed packages",
        "kb/logo.png": "no parser for .png",
        "kb/feed.xml": "no parser for .xml",
        "kb/answerable.toml": "the knowledge base's own configuration",
        "kb/bad\ufffd.md": "its name is not UTF-8",
        "kb/evil.md": "a symbolic link",
        "kb/lib/sub": "a submodule: add it as a source of its own",
    }


def test_names_that_differ_only_in_their_unicode_form(made, tmp_path):
    made.commit(**{"caf\u00e9.md": "# 1", "cafe\u0301.md": "# 2"})
    listing = git_at(made.url, tmp_path / "own").list()
    assert uris(listing).count("kb/caf\u00e9.md") == 1
    assert "Unicode form" in reasons(listing)["kb/caf\u00e9.md"]


def test_files_that_are_expected_are_read_together_and_each_is_its_own(made, tmp_path):
    for number in range(600):
        made.write(f"many/{number:03}.md", f"# {number // 2}")
    made.write("many/big.md", b"x" * 17_000_000)
    made.write("many/empty.md", "")
    made.record()
    source = git_at(made.url, tmp_path / "own", path="many")
    entries = source.list().entries
    assert len(entries) == 602
    wanted = [*entries[300:], *entries[:300]]
    source.expect(wanted)
    for entry in [*wanted, entries[5], entries[500]]:
        body = (made.root / entry.uri.removeprefix("kb/")).read_bytes()
        assert source.fetch(entry).body == body
    made.commit(**{"many/000.md": None, "many/001.md": "# new"})
    source.list()
    assert source.fetch(entries[1]).body == b"# new"
    with pytest.raises(InputError):
        source.fetch(entries[0])


def test_globs_paths_and_readers(made, tmp_path):
    def held(**options):
        return uris(git_at(made.url, tmp_path / "own", **options).list())

    assert held(include="*.md") == ["kb/README.md", "kb/docs/a.md"]
    assert held(include=["*.md", "*.txt"], exclude="docs/a*") == ["kb/README.md", "kb/docs/b.txt"]
    assert held(path=["docs/", "src/x.py"]) == ["kb/docs/a.md", "kb/docs/b.txt", "kb/src/x.py"]
    assert held(path="doc") == []
    source = git_at(made.url, tmp_path / "own", readers=["ann"])
    entry = source.list().entries[0]
    assert entry.access == source.fetch(entry).access == Access(("ann",))


def test_options_stand_in_the_uri(made, tmp_path):
    options = options_of("git+https://github.com/org/repo.git?ref=next/2.0&path=docs&path=x")
    assert options == {
        "url": "https://github.com/org/repo.git",
        "ref": "next/2.0",
        "path": ["docs", "x"],
    }
    assert uris(git_at(f"{made.url}?path=src", tmp_path / "own").list()) == ["kb/src/x.py"]
    for wrong in (
        "git+https://github.com/o/r?reff=x",
        "git+https://me:QA-TOKEN-9f27c1@github.com/o/r",
        "git+https://QA-TOKEN-9f27c1@github.com/o/r",
        "git+ext::sh -c touch x",
        "git+ftp://x.example/r",
        "git+file://host/r",
        "git+file://./r",
        "git+ssh://-oProxyCommand=touch/r",
        "git+ssh://git@-oProxyCommand=touch/r",
        "git+ssh://git:pw@x.example/r",
    ):
        with pytest.raises(ConfigError) as fault:
            options_of(wrong)
        assert "QA-TOKEN" not in str(fault.value)


@pytest.mark.parametrize(
    "ref", ["--upload-pack=touch x", "-x", "a b", "a..b", "a:b", "+x", "a\nb", "x^{}", "@{u}", "a/"]
)
def test_a_ref_is_a_name_and_no_option(made, tmp_path, ref):
    if ref == "+x":  # a branch may be called so; it is only never taken for a sign
        with pytest.raises(ServiceError, match="no such branch"):
            git_at(made.url, tmp_path / "own", ref=ref).list()
        return
    with pytest.raises(ConfigError, match="ref = "):
        git_at(made.url, tmp_path / "own", ref=ref)


def test_a_repository_that_is_gone_is_an_error_and_its_last_commit_stays_at_hand(made, tmp_path):
    source = git_at(made.url, tmp_path / "own")
    entry = source.list().entries[0]
    moved = made.root.rename(tmp_path / "moved")
    again = git_at(made.url, tmp_path / "own")
    with pytest.raises(ServiceError, match=r"git ls-remote: .*does not (appear|exist)"):
        again.list()
    assert source.fetch(entry).body == b"# Read me"
    moved.rename(made.root)
    assert again.list().entries


def test_a_clone_that_a_killed_run_left_behind_is_mended(made, tmp_path):
    folder = tmp_path / "own" / "repo.git"
    first = git_at(made.url, tmp_path / "own").list()
    (folder / "shallow.lock").touch()
    (folder / "refs" / "answerable").mkdir(parents=True, exist_ok=True)
    (folder / "refs" / "answerable" / "head.lock").touch()
    made.commit(**{"docs/c.md": "# C"})
    assert len(git_at(made.url, tmp_path / "own").list().entries) == 5
    for pack in (folder / "objects").rglob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:40])
    made.commit(**{"docs/c.md": None})
    assert git_at(made.url, tmp_path / "own").list() == first
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "HEAD").write_text("rubbish")
    assert git_at(made.url, tmp_path / "own").list() == first


def test_one_file_can_be_fetched_without_listing_and_only_one_of_the_commit(made, tmp_path):
    entry = git_at(made.url, tmp_path / "own").list().entries[1]
    assert git_at(made.url, tmp_path / "own").fetch(entry).body == b"# A"
    source = git_at(made.url, tmp_path / "own")
    for uri in ("kb/none.md", "kb/../../etc/passwd", "other/docs/a.md", "kb/docs"):
        with pytest.raises(InputError):
            source.fetch(Entry(uri, entry.revision))


def test_nothing_of_the_caller_leaks_in_and_nothing_of_the_repository_runs(
    made, tmp_path, monkeypatch
):
    trap = tmp_path / "ran"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-checkout", "pre-auto-gc"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {trap}\n")
        (hooks / name).chmod(0o755)
    config = tmp_path / "config"
    config.write_text(f"[core]\n hooksPath = {hooks}\n fsmonitor = 'touch {trap}'\n")
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_DIR": str(tmp_path / "nowhere"),
        "GIT_TRACE": str(trap),
        "GIT_SSH_COMMAND": f"touch {trap}",
    }.items():
        monkeypatch.setenv(name, value)
    assert len(git_at(made.url, tmp_path / "own").list().entries) == 4
    assert not trap.exists()


def test_over_http_with_a_secret_that_is_in_no_argument_and_no_file(made, tmp_path, monkeypatch):
    real, log = shutil.which("git"), tmp_path / "arguments"
    (tmp_path / "bin").mkdir()
    spy = tmp_path / "bin" / "git"
    spy.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {log}\nexec {real} "$@"\n')
    spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{spy.parent}:{os.environ['PATH']}")
    packed = b64encode(b"x-access-token:QA-TOKEN-9f27c1").decode()
    with Forge(tmp_path / "made", f"Basic {packed}") as forge:
        url = f"{forge.url}/handbook/.git"
        source = git_at(
            url, tmp_path / "own", token_env="TOKEN", allow_private="true", forge="gitea"
        )
        listing = source.list()
        assert len(listing.entries) == 4
        assert source.fetch(listing.entries[0]).body == b"# Read me"
        assert {shown for _, shown in forge.asked} == {f"Basic {packed}"}
        web = f"{forge.url}/handbook".removeprefix("git+")
        assert listing.entries[0].link == f"{web}/src/branch/main/README.md"
        with pytest.raises(ServiceError, match="token_env = NAME") as fault:
            git_at(url, tmp_path / "2", allow_private="true").list()
        with pytest.raises(ServiceError, match="token_env = NAME") as wrong:
            git_at(url, tmp_path / "3", allow_private="true", token_env="TOKEN", user="me").list()
        for one in (fault, wrong):
            assert packed not in str(one.value) and "QA-TOKEN" not in str(one.value)
        with pytest.raises(ServiceError, match="loopback"):
            git_at(url, tmp_path / "4").list()
        with pytest.raises(ConfigError, match="in clear"):
            git_at(url, tmp_path / "4", token_env="TOKEN")
    assert "ls-remote" in log.read_text() and "fetch" in log.read_text()
    kept = [log, *(path for path in (tmp_path / "own").rglob("*") if path.is_file())]
    assert kept and not any(packed.encode() in path.read_bytes() for path in kept)
    assert "QA-TOKEN" not in repr(source) and packed not in repr(source)


def test_a_redirect_of_a_forge_is_not_followed(made, tmp_path):
    with Forge(tmp_path / "made") as inner, Forge(tmp_path / "made") as forge:
        forge.redirect = inner.url.removeprefix("git+")
        with pytest.raises(ServiceError, match="redirect"):
            git_at(f"{forge.url}/handbook/.git", tmp_path / "own", allow_private="true").list()
        assert inner.asked == []


@pytest.mark.parametrize(
    ("url", "forge", "link"),
    [
        # As github.com, gitlab.com, bitbucket.org and codeberg.org show them.
        ("https://github.com/o/r.git", "", "https://github.com/o/r/blob/main/docs/a%20b.md"),
        ("ssh://git@github.com/o/r.git", "", "https://github.com/o/r/blob/main/docs/a%20b.md"),
        ("https://gitlab.com/g/s/r", "", "https://gitlab.com/g/s/r/-/blob/main/docs/a%20b.md"),
        ("https://bitbucket.org/o/r.git", "", "https://bitbucket.org/o/r/src/main/docs/a%20b.md"),
        ("https://codeberg.org/o/r", "", "https://codeberg.org/o/r/src/branch/main/docs/a%20b.md"),
        (
            "ssh://git@code.corp:2222/o/r",
            "gitlab",
            "https://code.corp/o/r/-/blob/main/docs/a%20b.md",
        ),
        (
            "https://code.corp:8443/o/r",
            "github",
            "https://code.corp:8443/o/r/blob/main/docs/a%20b.md",
        ),
        ("https://code.corp/o/r", "", ""),
        ("file:///srv/r", "", ""),
    ],
)
def test_links_lead_to_the_forge(url, forge, link):
    assert link_of(url, forge or forge_of(url), "branch", "main", "docs/a b.md") == link


def test_git_that_is_not_there_is_said_so(made, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="needs git"):
        git_at(made.url, tmp_path / "own").list()
    assert Path(made.root).exists()
