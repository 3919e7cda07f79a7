"""The structure is what the contract and the house rules say."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


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
    assert drawn[at : at + len(wanted) + 1] == [*wanted, "```"]


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
