"""The lock: what it holds, and what it says moved."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from answerable.flow.lock import Basis, describe, lock, moved, needs_asking
from answerable.records.docs import Document
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.experiments import Arm, Experiment
from answerable.records.index import Skipped
from answerable.records.recipe import Ask, Recipe, SearchRule


def document(uri: str, digest: str) -> Document:
    return Document(f"id-{uri}", uri, "", "text", (), digest, "plain")


def item(name: str, question: str = "Who?", answer: str = "Ann") -> GoldenItem:
    return GoldenItem(name, question, (Evidence("a.md", "Ann"),), answers=(answer,))


def arm(name: str, k1: float = 1.2) -> Arm:
    return Arm(name, Recipe(ask=Ask(search=SearchRule(k1=k1))))


BASIS = Basis(
    experiment=Experiment("pair", "g.jsonl", ("docs",), (arm("one"), arm("two"))),
    documents=(document("a.md", "11"), document("b.md", "22")),
    skipped=(Skipped("c.pdf", "no text"),),
    items=(item("q1"), item("q2")),
    measures={"measure/match.py": "33", "measure/stats.py": "44"},
    checkers={"strict": "55"},
    prompts={},
    models={"one": "model-a"},
    code={"version": "0.1.0", "revision": "abc", "dirty": "no"},
)
LOCK = lock(BASIS)


def test_details_are_digests_of_each_thing() -> None:
    details = {part: dict(inside) for part, inside in LOCK.details}
    assert details["corpus"] == {"a.md": "11", "b.md": "22", "c.pdf": "skipped"}
    assert details["golden"]["q1"] == sha256(b'"Who?"').hexdigest()
    assert details["measures"] == {"measure/match.py": "33", "measure/stats.py": "44"}
    assert details["checker:strict"] == {"strict": "55"}
    assert details["prompts"] == {}
    assert details["arm:one"]["ask.search.k1"] == "1.2"
    assert (details["arm:one"]["model"], details["arm:two"]["model"]) == ("model-a", "")
    inside = json.dumps(details["corpus"], sort_keys=True, separators=(",", ":"))
    assert dict(LOCK.parts)["corpus"] == sha256(inside.encode()).hexdigest()


def test_the_keys_are_apart_from_the_questions() -> None:
    other = lock(replace(BASIS, items=(item("q1", answer="Bob"), item("q2"))))
    assert moved(LOCK, other) == ("keys",)
    other = lock(replace(BASIS, items=(item("q1", question="When?"), item("q2"))))
    assert moved(LOCK, other) == ("golden",)


def test_what_stands_still_has_one_digest_whatever_the_version() -> None:
    assert lock(BASIS, 4).sha256 == LOCK.sha256
    assert moved(LOCK, lock(BASIS, 4)) == ()
    assert lock(replace(BASIS, documents=BASIS.documents[::-1])).sha256 == LOCK.sha256


EXPERIMENT = BASIS.experiment


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        (
            replace(BASIS, documents=(document("a.md", "99"), document("d.md", "1"))),
            ("document a.md changed", "document b.md is gone", "document d.md is new"),
        ),
        (replace(BASIS, skipped=()), ("document c.pdf is gone",)),
        (
            replace(BASIS, items=(item("q1", question="When?"), item("q3"))),
            (
                "question q1 changed",
                "question q2 is gone",
                "question q3 is new",
                "the key of question q2 is gone",
                "the key of question q3 is new",
            ),
        ),
        (
            replace(BASIS, items=(item("q1"), item("q2", answer="Bob"))),
            ("the key of question q2 changed",),
        ),
        (
            replace(BASIS, measures={**BASIS.measures, "measure/match.py": "34"}),
            ("measure file measure/match.py changed",),
        ),
        (replace(BASIS, checkers={"strict": "56"}), ("checker strict changed",)),
        (replace(BASIS, checkers={}), ("checker strict is gone",)),
        (
            replace(BASIS, experiment=replace(EXPERIMENT, arms=(arm("one", 0.9), arm("two")))),
            ("arm one: ask.search.k1 was 1.2, is 0.9",),
        ),
        (
            replace(BASIS, experiment=replace(EXPERIMENT, arms=(arm("one"),))),
            ("arm two is gone",),
        ),
        (
            replace(BASIS, models={"one": "model-b"}),
            ("arm one: model was model-a, is model-b",),
        ),
        (
            replace(BASIS, code={**BASIS.code, "revision": "def", "dirty": "yes"}),
            ("code dirty was no, is yes", "code revision was abc, is def"),
        ),
        (
            replace(BASIS, experiment=replace(EXPERIMENT, depth=3, seed=8)),
            ("seed was 0, is 8", "depth was 5, is 3"),
        ),
        (replace(BASIS, prompts={"situate": "Say."}), ("prompt situate is new",)),
    ],
)
def test_what_moved_is_named(now: Basis, lines: tuple[str, ...]) -> None:
    new = lock(now)
    assert describe(LOCK, new, moved(LOCK, new)) == lines


def test_only_what_an_answer_stands_on_needs_asking_again() -> None:
    judging = ("keys", "measures", "code", "depth", "seed", "checker:strict", "arm:two")
    assert needs_asking(judging, "one") == ()
    asking = ("corpus", "golden", "prompts", "arm:one")
    assert needs_asking((*asking, *judging), "one") == asking
