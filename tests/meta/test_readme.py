"""The README's tour, the tutorial and the how-to pages, run as written.

In a `console` block, a line that begins with `$ ` is run; each following line must stand in what
it prints, in the order of the lines, with white space squeezed; what is printed between may be
left out, and so are seconds, which differ. The README comes first, beside a copy of `examples`;
the other pages run after it in the same folder, with the knowledge base `kb` that it makes.
"""

import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "docs" / "tutorial.md",
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]


def steps(page: Path) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for body in re.findall(r"^ *```console\n(.*?)^ *```", page.read_text(), re.S | re.M):
        for line in textwrap.dedent(body).splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
def test_every_console_block_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    made = shutil.ignore_patterns("runs", "*.lock.json")  # by who tried the examples in place
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=made)
    assert len(steps(PAGES[0])) >= 10
    for page in PAGES:
        for command, expected in steps(page):
            words = shlex.split(command)
            assert words[0] == "answerable"
            done = subprocess.run(
                [sys.executable, "-c", "from answerable.cli.main import main; main()", *words[1:]],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert done.returncode == 0, f"{page.name}: {command}\n{done.stderr}"
            printed, at = squeezed(done.stdout), 0
            for line in expected:
                place = printed.find(squeezed(line), at)
                assert place >= 0, f"{page.name}: {command}: {line!r} is not in\n{done.stdout}"
                at = place + len(squeezed(line))


def test_readme_and_changes_name_the_version() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)
    assert version
    assert f"Version {version[1]}." in (ROOT / "README.md").read_text()
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text()
