"""The structure is what the contract and the house rules say."""

import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def test_the_import_contract_is_kept() -> None:
    tool = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([tool], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_architecture_md_draws_the_layers_of_the_contract() -> None:
    contract = (ROOT / ".importlinter").read_text()
    layers = re.search(r"layers =\n((?:    .+\n)+)", contract)
    assert layers
    wanted = [line.strip() for line in layers[1].splitlines()]
    drawn = [line.strip() for line in (ROOT / "docs" / "architecture.md").read_text().splitlines()]
    at = drawn.index(wanted[0])
    assert drawn[at : at + len(wanted)] == wanted


def test_files_stay_small() -> None:
    lines = {path: len(path.read_text().splitlines()) for path in SOURCES}
    longest = max(lines, key=lambda path: lines[path])
    assert lines[longest] <= 400, longest
    assert statistics.median(lines.values()) < 120


def test_only_config_reads_the_environment_and_nothing_unpickles() -> None:
    for path in SOURCES:
        text = path.read_text()
        assert "import pickle" not in text, path
        assert "pickle.load" not in text, path
        if path.name != "config.py":
            assert not re.search(r"os\.(environ|getenv)", text), path


def test_no_own_module_is_imported_inside_a_function() -> None:
    for path in SOURCES:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if path.name == "__init__.py" and path.parent.name == "answerable":
                continue
            assert not re.match(r"\s+(from|import) answerable", line), f"{path}:{number}"


def test_no_path_of_a_machine_stands_in_the_tree() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    for name in filter(None, listed):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".cfg", ""} and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not re.search(r"/(home|root|work)/[a-z]+/", text), name


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    code = (
        "import sys\n"
        "from answerable.cli.main import main\n"
        "sys.argv = ['answerable', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'sqlalchemy', 'onnxruntime', 'pydantic', 'lxml'} & set(sys.modules)\n"
        "sys.exit(str(sorted(heavy)) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
