"""What a cold command loads, and that the model opens beside the database."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from answerable.adapters.models.once import once
from answerable.errors import ServiceError
from answerable.wire.ahead import open_ahead

UNUSED = (
    "alembic",
    "lxml",
    "py3langid",
    "pydantic",
    "rich.progress",
    "sqlalchemy.dialects.postgresql",
)


def test_a_question_loads_nothing_that_it_does_not_use(bench):
    new = bench({"a.md": "# Gate\n\nThe gate opens at 05:30."})
    new.add()
    code = (
        "import sys\nfrom answerable.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\n"
        "finally:\n"
        f"    print('LOADED', sorted(set({UNUSED!r}) & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "ask", "when does the gate open", "--kb", str(new.folder)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert done.returncode == 0, done.stderr
    assert "LOADED []" in done.stderr


@dataclass
class Slow:
    """A model that is opened from outside; only what `open_ahead` asks of it."""

    fault: Exception | None = None
    opened: list[str] = field(default_factory=list)

    def open(self) -> None:
        self.opened.append(threading.current_thread().name)
        if self.fault:
            raise self.fault


def test_a_model_is_opened_in_a_thread_of_its_own():
    model = Slow()
    thread = open_ahead(model)
    thread.join()
    assert model.opened == ["open-model"]


def test_a_fault_of_opening_is_left_to_the_first_text(capsys):
    thread = open_ahead(Slow(ServiceError("no model")))
    thread.join()
    assert capsys.readouterr().err == ""


def test_where_nothing_opens_no_thread_begins():
    assert open_ahead(None) is None
    assert open_ahead(object()) is None


def test_what_two_threads_ask_for_is_made_once():
    made = []

    @once
    def slow(name: str) -> str:
        made.append(name)
        time.sleep(0.05)
        return name.upper()

    found = []
    threads = [threading.Thread(target=lambda: found.append(slow("a"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (made, found) == (["a"], ["A"] * 4)
    assert slow("b") == "B"
    assert made == ["a", "b"]
