"""The questions of a BEIR folder: which spans are needed together, and which are alternatives."""

import json
from pathlib import Path

import pytest

from answerable.adapters.formats.beir_golden import read_folder
from answerable.errors import NotFound
from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.wire.golden import read_golden


@pytest.fixture
def folder(tmp_path: Path):
    """Writes a folder: make(questions, qrels, spans)."""

    def make(questions, qrels="", spans=(), name="set", split="test") -> Path:
        home = tmp_path / name
        (home / "qrels").mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(q) for q in questions]
        (home / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
        if qrels:
            (home / "qrels" / f"{split}.tsv").write_text(
                "query-id\tcorpus-id\tscore\n" + qrels, encoding="utf-8"
            )
        if spans:
            lines = [json.dumps(dict(zip(KEYS, s, strict=False))) for s in spans]
            (home / "spans.jsonl").write_text("\n".join(lines), encoding="utf-8")
        return home

    return make


KEYS = ("query_id", "corpus_id", "start", "end", "text", "ambiguous")


def question(name: str, **about: object) -> dict[str, object]:
    return {"_id": name, "text": f"What of {name}?", "metadata": about}


def test_marked_documents_are_alternatives_best_first_and_grade_0_is_only_judged(folder) -> None:
    home = folder([question("q")], "q\td1\t1\nq\td2\t2\nq\td3\t0\nq\td4\t-1\n")
    golden, problems = read_folder(home)
    assert problems == ()
    assert golden.name == "set-test"
    assert golden.items == (
        GoldenItem(
            "q",
            "What of q?",
            (Evidence("d2", grade=2),),
            ((Evidence("d1"),),),
            judged=(Evidence("d3", grade=0), Evidence("d4", grade=-1)),
        ),
    )


def test_spans_are_needed_together(folder) -> None:
    home = folder(
        [question("q")],
        "q\td\t1\n",
        [("q", "d", 0, 2, "ab"), ("q", "d", 9, 12, "xyz")],
    )
    (item,) = read_folder(home)[0].items
    assert item.evidence == (Evidence("d", "ab", Span(0, 2)), Evidence("d", "xyz", Span(9, 12)))
    assert item.alternatives == ()


def test_readers_of_one_answer_are_alternatives_and_stray_repeats_are_dropped(folder) -> None:
    # "The 1973 crisis began in October 1973": 1973 stands at 4 and at 33, October 1973 at 25.
    home = folder(
        [question("q", answers=["October 1973", "1973"])],
        "q\td\t1\n",
        [
            ("q", "d", 25, 37, "October 1973", False),
            ("q", "d", 4, 8, "1973", True),
            ("q", "d", 33, 37, "1973", True),
        ],
    )
    (item,) = read_folder(home)[0].items
    assert item.answers == ("October 1973", "1973")
    assert item.evidence == (Evidence("d", "October 1973", Span(25, 37)),)
    assert item.alternatives == ((Evidence("d", "1973", Span(33, 37)),),)


def test_where_every_span_is_ambiguous_all_are_kept(folder) -> None:
    spans = [("q", "d", 0, 1, "7", True), ("q", "d", 5, 6, "7", True)]
    home = folder([question("q", answers=["7"])], "q\td\t1\n", spans)
    (item,) = read_folder(home)[0].items
    assert item.evidence == (Evidence("d", "7", Span(0, 1)),)
    assert item.alternatives == ((Evidence("d", "7", Span(5, 6)),),)


def test_a_grade_of_the_document_goes_to_its_spans_and_a_document_without_is_judged(folder) -> None:
    home = folder([question("q")], "q\td\t3\nq\te\t2\n", [("q", "d", 0, 2, "ab")])
    (item,) = read_folder(home)[0].items
    assert item.evidence == (Evidence("d", "ab", Span(0, 2), 3),)
    assert item.judged == (Evidence("e", grade=2),)


def test_unanswerable_questions_belong_and_marked_ones_are_named(folder) -> None:
    home = folder(
        [
            question("q"),
            question("none", answerable=False),
            question("odd", answerable=False),
            question("elsewhere", answerable=False, split="train"),
            question("unjudged"),
        ],
        "q\td\t1\nodd\td\t1\n",
    )
    golden, problems = read_folder(home)
    assert [(item.id, item.answerable) for item in golden.items] == [("q", True), ("none", False)]
    assert problems == ("question 'odd' is not answerable and yet marked; left out",)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("q", "d", 5, 5, ""), "spans.jsonl:2: span 5..5 of 'd' is none"),
        (("q", "d", 0, 3, "ab"), "spans.jsonl:2: span 0..3 is not as long as its text"),
        (("x", "d", 0, 2, "ab"), "spans.jsonl:2: question 'x' is not in queries.jsonl"),
        (("q", None, 0, 2, "ab"), "spans.jsonl:2: a span needs query_id, corpus_id, start and end"),
    ],
)
def test_a_bad_span_costs_itself(folder, row, why: str) -> None:
    home = folder([question("q")], "q\td\t1\n", [("q", "d", 0, 2, "ab"), row])
    golden, problems = read_folder(home)
    assert problems == (why,)
    assert len(golden.items[0].evidence) == 1


def test_a_split_is_named_by_a_hash_sign_and_changes_the_digest(folder) -> None:
    home = folder([question("q"), question("r")], "q\td\t1\n")
    folder([question("q"), question("r")], "r\td\t1\n", split="train")
    test, train = read_golden(home)[0], read_golden(home.with_name("set#train"))[0]
    assert ([i.id for i in test.items], [i.id for i in train.items]) == (["q"], ["r"])
    assert test.sha256 != train.sha256
    with pytest.raises(NotFound) as fault:
        read_golden(home.with_name("set#dev"))
    assert fault.value.hint == "splits here: test, train"


def test_every_file_read_is_in_the_digest(folder) -> None:
    questions, qrels, spans = [question("q")], "q\td\t1\n", [("q", "d", 0, 2, "ab")]
    digests = {
        read_folder(folder(questions, qrels, spans))[0].sha256,
        read_folder(folder(questions, "q\td\t2\n", spans))[0].sha256,
        read_folder(folder(questions, qrels, [("q", "d", 0, 2, "cd")]))[0].sha256,
        read_folder(folder([question("q", answers=["7"])], qrels, spans))[0].sha256,
    }
    assert len(digests) == 4


def test_a_group_of_a_golden_file_is_named_by_a_hash_sign(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "A?", "answerable": False, "group": "train"},
        {"id": "b", "question": "B?", "answerable": False, "group": "test"},
    ]
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [i.id for i in read_golden(path)[0].items] == ["a", "b"]
    assert [i.id for i in read_golden(tmp_path / "g.jsonl#test")[0].items] == ["b"]
    with pytest.raises(NotFound, match="group 'dev'"):
        read_golden(tmp_path / "g.jsonl#dev")
