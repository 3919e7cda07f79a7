"""Every measure equals trec_eval's on random runs with ties, gaps and odd grades."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from answerable.adapters.formats.trec import qrels_text, read_run, run_text
from answerable.cli.main import main
from answerable.flow.beir_lists import BeirRule
from answerable.measure.retrieval import evaluate, in_trec_order
from answerable.records.recipe import CutRule
from answerable.wire.beir import measure_folder

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[3] / "shared" / "data"))

NAMES = {
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "nDCG@3": "ndcg_cut_3",
    "recall@5": "recall_5",
    "recall@10": "recall_10",
    "recall@100": "recall_100",
    "P@5": "P_5",
    "P@10": "P_10",
    "success@1": "success_1",
    "hit@10": "success_10",
    "MRR": "recip_rank",
    "MAP": "map",
    "MAP@10": "map_cut_10",
    "rprec": "Rprec",
}

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


def drawn(seed: int, questions: int) -> tuple[Run, Qrels]:
    """A run with few distinct scores and a fifth of the questions missing; grades -2 to 3."""
    generator = np.random.default_rng(seed)
    run: Run = {}
    qrels: Qrels = {}
    for number in range(questions):
        item = f"q{number}"
        judged = generator.choice(60, size=generator.integers(1, 25), replace=False)
        qrels[item] = {str(name): int(generator.integers(-2, 4)) for name in judged}
        # A question of which nothing is relevant is left in now and then.
        if generator.random() < 0.9:
            qrels[item]["top"] = int(generator.integers(1, 4))
        else:
            qrels[item] = {name: min(grade, 0) for name, grade in qrels[item].items()} | {"z": 0}
        if generator.random() < 0.8:
            found = generator.choice(70, size=generator.integers(1, 60), replace=False)
            scale = generator.choice([0.5, 1e-9, 1e6])
            run[item] = {
                "top" if name == 61 else str(name): float(generator.integers(-3, 6) * scale)
                for name in found
            }
    return run, qrels


def reference(run: Run, qrels: Qrels) -> dict[str, dict[str, float]]:
    """trec_eval's values by question; those of questions missing from the run are 0."""
    found = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values())).evaluate(run)
    return {
        item: {ours: found.get(item, {}).get(theirs, 0.0) for ours, theirs in NAMES.items()}
        for item in qrels
    }


def test_equal_to_trec_eval_on_a_thousand_random_runs() -> None:
    compared = undefined = 0
    for seed in range(1000):
        run, qrels = drawn(seed, 3)
        expected = reference(run, qrels)
        ranked = {item: in_trec_order(scores) for item, scores in run.items()}
        for name in NAMES:
            for score in evaluate(name, ranked, qrels, as_trec=True).scores:
                assert score.value is not None
                apart = abs(score.value - expected[score.item_id][name])
                assert apart <= 1e-9, (seed, name, score.item_id)
                compared += 1
        undefined += sum(max(grades.values()) <= 0 for grades in qrels.values())
    assert compared == 1000 * 3 * len(NAMES)
    assert 0.05 < undefined / 3000 < 0.15


def test_exactly_the_questions_with_nothing_relevant_have_no_value() -> None:
    run, qrels = drawn(5, 200)
    ranked = {item: in_trec_order(scores) for item, scores in run.items()}
    for name in NAMES:
        as_trec = evaluate(name, ranked, qrels, as_trec=True).scores
        for score, other in zip(evaluate(name, ranked, qrels).scores, as_trec, strict=True):
            some = max(qrels[score.item_id].values()) > 0
            assert score.value == (other.value if some else None)


@pytest.mark.parametrize("seed", range(3))
def test_the_export_keeps_every_value_for_other_readers(seed: int, tmp_path: Path) -> None:
    run, qrels = drawn(seed, 20)
    ranked = {item: in_trec_order(scores) for item, scores in run.items()}
    path = tmp_path / "run.trec"
    path.write_text(
        run_text({item: [(name, run[item][name]) for name in row] for item, row in ranked.items()})
    )
    exported, problems = read_run(path)
    assert problems == ()
    assert reference(exported, qrels) == reference(run, qrels)


def test_the_names_of_trec_eval_are_known() -> None:
    run, qrels = drawn(7, 30)
    ranked = {item: in_trec_order(scores) for item, scores in run.items()}
    for ours, theirs in NAMES.items():
        assert evaluate(ours, ranked, qrels).scores == tuple(
            replace(score, metric=ours) for score in evaluate(theirs, ranked, qrels).scores
        )


def by_command(run: Path, qrels: Path, capsys: pytest.CaptureFixture[str]) -> dict:
    names = ",".join(NAMES)
    main(["metrics", "--run", str(run), "--qrels", str(qrels), "--measures", names, "--json"])
    return json.loads(capsys.readouterr().out)


def test_the_command_gives_the_same_from_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(20):
        run, qrels = drawn(seed, 12)
        lines = [
            f"{item} Q0 {name} {rank} {score!r} random\n"
            for item, row in run.items()
            for rank, (name, score) in enumerate(row.items())
        ]
        (tmp_path / "run").write_text("".join(lines))
        (tmp_path / "qrels").write_text(qrels_text(qrels))
        expected = reference(run, qrels)
        found = by_command(tmp_path / "run", tmp_path / "qrels", capsys)
        defined = [item for item in qrels if max(qrels[item].values()) > 0]
        for name in NAMES:
            values = found[name]["per_question"]
            assert [item for item in values if values[item] is not None] == defined
            for item in defined:
                assert values[item] == pytest.approx(expected[item][name], abs=1e-9)
            mean = sum(expected[item][name] for item in defined) / len(defined)
            assert found[name]["mean"] == pytest.approx(mean, abs=1e-9)
            assert (found[name]["n"], found[name]["unscored"]) == (
                len(defined),
                len(qrels) - len(defined),
            )


@pytest.mark.data
@pytest.mark.parametrize(("name", "questions"), [("scifact", 300), ("cranfield", 225)])
def test_equal_to_trec_eval_on_public_collections(
    name: str, questions: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A real search; its scores are made coarse, so that ties are as real as the rest."""
    collection, result = measure_folder(
        DATA / name, CutRule(by="whole", size=0, lead="title"), BeirRule(), "test", "en"
    )
    run = {
        asked.id: {uri: float(round(20 / rank)) for rank, uri in enumerate(asked.ranked, 1)}
        for asked in result.per_question
    }
    qrels = {item: dict(grades) for item, grades in collection.judgements.items()}
    lines = [
        f"{item} Q0 {uri} 0 {score} coarse\n"
        for item, row in run.items()
        for uri, score in row.items()
    ]
    (tmp_path / "run.trec").write_text("".join(lines))
    (tmp_path / "qrels.txt").write_text(qrels_text(qrels))
    found = by_command(tmp_path / "run.trec", tmp_path / "qrels.txt", capsys)
    expected = reference(run, qrels)
    for ours in NAMES:
        assert len(found[ours]["per_question"]) == questions
        for item, value in found[ours]["per_question"].items():
            assert value == pytest.approx(expected[item][ours], abs=1e-9), (ours, item)
