"""Digests of source: the package's own, a user's file, and the revision git knows."""

import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

import answerable
from answerable.adapters.revision import revision
from answerable.adapters.source_files import digests
from answerable.adapters.user_code import load_function
from answerable.errors import ConfigError

HOME = Path(answerable.__file__).parent


def test_a_module_stands_on_all_it_imports_but_what_is_left_out() -> None:
    found = digests(("answerable.measure.retrieval",), ("records",))
    assert set(found) == {"measure/retrieval.py", "errors.py", "measure/__init__.py"} or set(
        found
    ) == {"measure/retrieval.py", "errors.py"}
    body = (HOME / "measure" / "retrieval.py").read_bytes()
    assert found["measure/retrieval.py"] == sha256(body).hexdigest()
    assert "records/evals.py" in digests(("answerable.measure.retrieval",), ())


def test_scoring_stands_on_every_measure_it_uses() -> None:
    found = digests(("answerable.flow.judge",), ("errors", "records", "ports"))
    for file in ("flow/score.py", "measure/match.py", "measure/retrieval.py", "text/outline.py"):
        assert file in found
    assert not any(path.startswith(("adapters/", "wire/", "records/")) for path in found)


def test_a_function_of_a_file_and_the_digest_of_that_text(tmp_path: Path) -> None:
    file = tmp_path / "checks.py"
    file.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass(frozen=True)\nclass Limit:\n    words: int = 3\n"
        "def short(item, trace): return trace <= Limit().words\n"
    )
    short, digest = load_function(file, "short")
    assert (short(None, 3), short(None, 4)) == (True, False)
    assert digest == sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def other(): ...", "no function 'short'"),
        ("import nowhere_at_all", "cannot be run"),
        ("def short(:", "cannot be run"),
        (None, "cannot read"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, body: str | None, said: str) -> None:
    file = tmp_path / "checks.py"
    if body is not None:
        file.write_text(body)
    with pytest.raises(ConfigError, match=said) as fault:
        load_function(file, "short")
    assert "checks.py" in fault.value.message


def test_the_revision_is_that_of_tracked_files_alone(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        name = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        done = subprocess.run(
            ["git", "-C", tmp_path, *name, *words], capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    package, ignored = tmp_path / "package", tmp_path / "venv"
    for folder in (package, ignored):
        folder.mkdir()
        (folder / "__init__.py").write_text("")
    git("init", "-q")
    (tmp_path / ".gitignore").write_text("venv\n")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    commit = git("rev-parse", "HEAD")
    assert (revision(package).commit, revision(package).dirty) == (commit, False)
    assert (revision(ignored).commit, revision(ignored).dirty) == ("", False)
    (tmp_path / "notes.txt").write_text("elsewhere")
    assert not revision(package).dirty
    (package / "more.py").write_text("")
    assert revision(package).dirty
