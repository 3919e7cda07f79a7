"""House rules that a reader of the tree can count on: small files, no pickles, no own paths."""

import ast
import re
import statistics
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FOLDERS = ("src", "tests", "docs", "examples", "benchmarks", ".ci")
KINDS = {".py", ".md", ".toml", ".cfg", ".txt", ".sh", ""}


def test_files_stay_small() -> None:
    lines = {path: len(path.read_text().splitlines()) for path in SOURCES}
    longest = max(lines, key=lambda path: lines[path])
    assert lines[longest] <= 400, longest
    assert statistics.median(lines.values()) < 120


def test_nothing_unpickles() -> None:
    for path in SOURCES:
        text = path.read_text()
        assert not re.search(r"^\s*(import|from)\s+(pickle|marshal|shelve)\b", text, re.M), path
        assert "allow_pickle=True" not in text, path


def test_only_config_reads_the_environment() -> None:
    for path in SOURCES:
        if path != ROOT / "src" / "answerable" / "config.py":
            assert not re.search(r"\bos\.(environ|getenv)|environb", path.read_text()), path


def test_no_own_module_is_imported_inside_a_function() -> None:
    for path in SOURCES:
        for outer in ast.walk(ast.parse(path.read_text())):
            if not isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            for inner in ast.walk(outer):
                names = [one.name for one in inner.names] if isinstance(inner, ast.Import) else []
                names += [inner.module or ""] if isinstance(inner, ast.ImportFrom) else []
                own = [name for name in names if name.partition(".")[0] == "answerable"]
                assert not own, f"{path}:{inner.lineno}"


def test_no_path_of_a_machine_stands_in_the_tree() -> None:
    files = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.is_file()]
    files += [p for p in ROOT.iterdir() if p.is_file()]
    for path in files:
        if path.suffix in KINDS and "__pycache__" not in path.parts:
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not re.search(r"/(home|root|work|Users)/[A-Za-z]+/", text), path
