"""The README's tour, run as written in a copy of the example.

In a `console` block, a line that begins with `$ ` is run; of each following line, the words must
stand in the output, in the order of the lines. Times may differ, so seconds are not written there.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks() -> list[list[tuple[str, list[str]]]]:
    found = []
    for body in re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
        steps: list[tuple[str, list[str]]] = []
        for line in body.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
        found.append(steps)
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
def test_every_console_block_of_the_readme_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    steps = [step for block in blocks() for step in block]
    assert len(steps) >= 10
    for command, expected in steps:
        words = shlex.split(command)
        assert words[0] == "answerable"
        done = subprocess.run(
            [sys.executable, "-c", "from answerable.cli.main import main; main()", *words[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        printed, at = squeezed(done.stdout), 0
        for line in expected:
            place = printed.find(squeezed(line), at)
            assert place >= 0, f"{command}: {line!r} is not in\n{done.stdout}"
            at = place


def test_the_readme_names_the_version() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)
    assert version
    assert f"Version {version[1]}." in (ROOT / "README.md").read_text()
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text()
