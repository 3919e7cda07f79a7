"""A listing that is killed at any moment leaves nothing that the next one stumbles over."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from git_site import Made
from remote_site import Site
from remote_sources import git_at, sitemap, web_at

TESTS = Path(__file__).resolve().parents[1]
CODE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from remote_sources import git_at, web_at
print("begun", flush=True)
if sys.argv[2] == "git":
    git_at(sys.argv[3], Path(sys.argv[4])).list()
else:
    web_at(sys.argv[3], Path(sys.argv[4])).list()
"""


def killed_after(seconds, kind, url, folder):
    command = [sys.executable, "-c", CODE, str(TESTS), kind, url, str(folder)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    child.stdout.readline()
    time.sleep(seconds)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()


@pytest.mark.slow
def test_git_killed_at_any_moment(tmp_path):
    made = Made(tmp_path / "made")
    for number in range(300):
        made.write(f"{number % 7}/{number}.md", f"# {number}\n" + "words " * 50)
    made.record()
    draw = random.Random(4)
    for turn in range(10):
        made.commit(**{"new.md": f"# {turn}", f"{turn}.md": f"# {turn}"})
        killed_after(draw.uniform(0, 0.4), "git", made.url, tmp_path / "own")
        if turn % 3 == 2:
            source = git_at(made.url, tmp_path / "own")
            entries = source.list().entries
            assert entries == git_at(made.url, tmp_path / f"fresh{turn}").list().entries
            source.expect(entries)
            assert all(source.fetch(entry).body for entry in entries)


@pytest.mark.slow
def test_web_killed_at_any_moment(tmp_path):
    with Site() as site:
        names = [f"/{number}" for number in range(60)]
        site.put("/sitemap.xml", sitemap(site, *names))
        draw = random.Random(5)
        for turn in range(8):
            for name in names:
                body = f"<html><p>{name} {turn // 3}</p></html>" + " " * 20_000
                site.put(name, body, Content_Type="text/html", ETag=f'"{turn // 3}"')
            killed_after(draw.uniform(0, 1.0), "web", f"{site.url}/sitemap.xml", tmp_path / "own")
            if turn % 3 == 2:
                source = web_at(f"{site.url}/sitemap.xml", tmp_path / "own")
                entries = source.list().entries
                fresh = web_at(f"{site.url}/sitemap.xml", tmp_path / f"fresh{turn}").list()
                assert entries == fresh.entries and len(entries) == 60
                assert all(f" {turn // 3}<".encode() in source.fetch(one).body for one in entries)
