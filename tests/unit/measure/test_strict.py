"""Replies of a raw model, as they come, and every cause why one does not pass."""

import json

import pytest

from answerable.measure.strict import CAUSES, Key, Reply, by_cause, faults, read
from answerable.records.evals import Score

KEY = Key(
    answers=("5 weeks",),
    # The answer stands in p1 (which p2 repeats) and p3 together, or in p4 alone.
    required=((frozenset({"p1", "p2"}), frozenset({"p3"})), (frozenset({"p4"}),)),
    given=frozenset({"p1", "p2", "p3", "p4", "p5"}),
    titles=frozenset({"Annual leave"}),
)
NOTHING = Key((), (), KEY.given, KEY.titles, answerable=False)


def reply(answer: object, *sources: object) -> str:
    return json.dumps({"answer": answer, "sources": list(sources)})


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        (reply("five weeks", "p1", "p3"), ()),
        (reply("5 weeks", "p2", "p3", "p5"), ()),
        (reply("35 days", "p4"), ()),
        ("```json\n" + reply("5 weeks", "p4") + "\n```", ()),
        (reply("6 weeks", "p4"), ("wrong answer",)),
        (reply("5 weeks", "p1"), ("required id missing",)),
        (reply("5 weeks"), ("required id missing",)),
        (reply("5 weeks", "Annual leave"), ("title in place of an id", "required id missing")),
        (reply("5 weeks", "p4", "annual  LEAVE"), ("title in place of an id",)),
        (reply("5 weeks", "p4", "p9"), ("unknown id",)),
        (reply("5 weeks", "p4", "P4"), ("unknown id",)),
        (reply("6", "p9"), ("wrong answer", "unknown id", "required id missing")),
        (reply(None), ("refused though answerable",)),
        (reply("", "p4"), ("wrong answer",)),
        ("", ("no JSON",)),
        ("Five weeks, see p1.", ("no JSON",)),
        ("[1]", ("no JSON",)),
        ("Here: " + reply("5 weeks", "p4"), ("text beside the JSON",)),
        (reply("5 weeks", "p4") + " Hope this helps!", ("text beside the JSON",)),
        (reply("5 weeks", "p4") * 2, ("text beside the JSON",)),
        (reply("5 weeks", "p4")[:-1], ("incomplete JSON",)),
        ('{"answer": "5 we', ("incomplete JSON",)),
        ("{'answer': '5 weeks', 'sources': []}", ("incomplete JSON",)),
        ("{" * 100_000, ("incomplete JSON",)),
        ('{"answer": "5 weeks"}', ("keys missing, doubled or of the wrong kind",)),
        ('{"sources": ["p4"]}', ("keys missing, doubled or of the wrong kind",)),
        (reply(True, "p4"), ("keys missing, doubled or of the wrong kind",)),
        (reply(["5 weeks"], "p4"), ("keys missing, doubled or of the wrong kind",)),
        ('{"answer": "5 weeks", "sources": "p4"}', ("keys missing, doubled or of the wrong kind",)),
        (
            '{"answer": null, "answer": "5 weeks", "sources": ["p4"]}',
            ("keys missing, doubled or of the wrong kind",),
        ),
    ],
)
def test_of_an_answerable_question(text: str, causes: tuple[str, ...]) -> None:
    assert faults(read(text), KEY) == causes


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        (reply(None), ()),
        (reply("I do not know"), ("answered though unanswerable",)),
        (reply(None, "p1"), ("sources though unanswerable",)),
        (
            reply("5", "Annual leave"),
            (
                "title in place of an id",
                "answered though unanswerable",
                "sources though unanswerable",
            ),
        ),
        ('{"answer": null}', ("keys missing, doubled or of the wrong kind",)),
    ],
)
def test_of_an_unanswerable_question(text: str, causes: tuple[str, ...]) -> None:
    assert faults(read(text), NOTHING) == causes


def test_numbers_are_read_as_their_digits() -> None:
    assert read(reply(30, 7, "8")) == Reply("30", ("7", "8"))


def test_an_id_that_is_also_a_title_is_an_id() -> None:
    key = Key(("5",), ((frozenset({"Leave"}),),), frozenset({"Leave"}), frozenset({"Leave"}))
    assert faults(read(reply("5", "Leave")), key) == ()


def test_a_question_whose_evidence_no_id_holds_cannot_pass() -> None:
    for required in ((), ((),), ((frozenset(),),)):
        key = Key(("5",), required, frozenset({"p1"}))
        assert faults(read(reply("5", "p1")), key) == ("required id missing",)


def test_causes_are_counted_a_reply_under_each_of_its_own() -> None:
    texts = [
        reply("5 weeks", "Annual leave"),
        reply("5 weeks", "Annual leave", "p4"),
        reply("6 weeks", "p4"),
        reply("5 weeks", "p4"),
        "no",
    ]
    every = [faults(read(text), KEY) for text in texts]
    found = by_cause(
        [
            *(
                Score(f"r{at}", "strict", float(not one), "; ".join(one))
                for at, one in enumerate(every)
            ),
            Score("r9", "strict", None, "wrong answer"),
        ]
    )
    assert found == {
        "no JSON": ["r4"],
        "wrong answer": ["r2"],
        "title in place of an id": ["r0", "r1"],
        "required id missing": ["r0"],
    }
    assert list(found) == [cause for cause in CAUSES if cause in found]
