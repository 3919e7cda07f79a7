"""TREC runs and judgements, read and written."""

from pathlib import Path

import numpy as np
import pytest

from answerable.adapters.formats.trec import qrels_text, read_qrels, read_run, run_text
from answerable.errors import InputError


def test_scores_fall_strictly_in_single_precision_and_keep_the_order(tmp_path: Path) -> None:
    names = [f"d{i}" for i in range(1000)]
    for scores in ([0.5] * 1000, [1e9] * 1000, [0.0] * 1000, [-3.0] * 1000, [1e-12] * 1000):
        text = run_text({"q": list(zip(names, scores, strict=True))})
        path = tmp_path / "run.trec"
        path.write_text(text, encoding="utf-8")
        run, problems = read_run(path)
        singles = np.array(list(run["q"].values()), dtype=np.float32)
        assert problems == () and list(run["q"]) == names
        assert (np.diff(singles) < 0).all()


def test_six_columns_with_ranks_from_one() -> None:
    assert run_text({"q": [("b", 2.5), ("a", 1.0)]}, "me") == "q Q0 b 1 2.5 me\nq Q0 a 2 1 me\n"


@pytest.mark.parametrize("row", [[("a b", 1.0)], [("a", 1.0), ("a", 0.5)], [("a", float("nan"))]])
def test_what_a_run_cannot_hold(row: list) -> None:
    with pytest.raises(InputError):
        run_text({"q": row})


def test_bad_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_text("q Q0 a 1 2.0 t\nq Q0 b 2\nq Q0 c 3 high t\nq Q0 a 4 1 t\nq Q0 d 5 nan t\n")
    run, problems = read_run(path)
    assert run == {"q": {"a": 2.0}}
    assert [p.split(": ")[0] for p in problems] == ["r.txt:2", "r.txt:3", "r.txt:4", "r.txt:5"]
    path.write_text("q 0 a 1\nq 0 b -1\nq a 1\nq 0 c x\nq 0 a 2\n")
    qrels, problems = read_qrels(path)
    assert qrels == {"q": {"a": 1, "b": -1}}
    assert [p.split(": ")[0] for p in problems] == ["r.txt:3", "r.txt:4", "r.txt:5"]
    assert qrels_text(qrels) == "q 0 a 1\nq 0 b -1\n"
