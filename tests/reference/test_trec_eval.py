"""Every measure equals trec_eval's on random runs with ties, holes and odd grades."""

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from answerable.adapters.formats.trec import read_run, run_text
from answerable.measure.retrieval import evaluate, in_trec_order

NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG@3": "ndcg_cut_3",
    "recall@5": "recall_5",
    "recall@100": "recall_100",
    "P@5": "P_5",
    "success@1": "success_1",
    "success@5": "success_5",
    "MRR": "recip_rank",
    "MAP": "map",
    "MAP@10": "map_cut_10",
    "rprec": "Rprec",
}


def drawn(seed: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    generator = np.random.default_rng(seed)
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for number in range(30):
        item = f"q{number}"
        judged = generator.choice(60, size=generator.integers(1, 20), replace=False)
        qrels[item] = {str(name): int(generator.integers(-1, 4)) for name in judged}
        qrels[item]["top"] = 1
        if number % 7:
            found = generator.choice(60, size=generator.integers(1, 40), replace=False)
            # Few distinct scores, so that ties are everywhere.
            run[item] = {str(name): float(generator.integers(0, 5)) / 2 for name in found}
    return run, qrels


@pytest.mark.parametrize("seed", range(4))
def test_equal_to_trec_eval(seed: int, tmp_path: Path) -> None:
    run, qrels = drawn(seed)
    reference = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values())).evaluate(run)
    ranked = {item: in_trec_order(scores) for item, scores in run.items()}
    path = tmp_path / "run.trec"
    path.write_text(
        run_text({item: [(name, run[item][name]) for name in row] for item, row in ranked.items()})
    )
    exported, problems = read_run(path)
    assert problems == ()
    again = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values())).evaluate(exported)
    for ours, theirs in NAMES.items():
        for score in evaluate(ours, ranked, qrels).scores:
            expected = reference.get(score.item_id, {}).get(theirs, 0.0)
            assert score.value == pytest.approx(expected, abs=1e-9), (ours, score.item_id)
            assert again.get(score.item_id, {}).get(theirs, 0.0) == pytest.approx(expected)
