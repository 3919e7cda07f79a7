"""One trace against its golden item, every number counted by hand."""

from __future__ import annotations

import pytest
import pytrec_eval

from answerable.errors import NotFound
from answerable.flow.score import score
from answerable.records.answers import (
    Answer,
    Citation,
    Passage,
    Route,
    Sentence,
    Trace,
    Verdict,
)
from answerable.records.docs import Block, Document, Span
from answerable.records.evals import Evidence, GoldenItem, Score
from answerable.records.index import Chunk, Hit
from answerable.records.runs import FoundPiece, Standing

# Ten words; "five weeks" at 18..28, "two months" at 40..50.
LEAVE = "# Leave\n\nLeave is five weeks. Notice is two months.\n"
LEAVE_ID, OTHER_ID = "L", "O"


def document(id: str, text: str) -> Document:
    head = Block("heading", Span(0, 7), Span(2, 7), 1)
    body = Block("paragraph", Span(9, len(text) - 1), Span(9, len(text) - 1))
    return Document(id, f"{id}.md", id, text, (head, body), "sha", "markdown")


DOCUMENTS = {LEAVE_ID: document(LEAVE_ID, LEAVE)}


def piece(name: str, document_id: str, start: int, end: int, words: int = 100) -> FoundPiece:
    return FoundPiece(
        name, document_id, f"{document_id}.md", Span(start, end), words, 2 * words, "paragraph"
    )


# The border at 22 runs through "five weeks"; o1 to o4 are of another document.
PIECES = {
    one.chunk_id: one
    for one in (
        piece("head", LEAVE_ID, 0, 22),
        piece("tail", LEAVE_ID, 22, 51),
        *(piece(f"o{n}", OTHER_ID, 10 * n, 10 * n + 10) for n in range(1, 5)),
    )
}
ITEM = GoldenItem(
    "q",
    "How long is leave and notice?",
    (
        Evidence(LEAVE_ID, "five weeks", Span(18, 28)),
        Evidence(LEAVE_ID, "two months", Span(40, 50)),
    ),
    answers=("5 weeks and 2 months", "five weeks"),
)


def absent(question: str, text: str) -> tuple[str, ...]:
    return tuple(word for word in ("long", "leave", "notice") if word not in text.lower())


def ranking(*names: str) -> tuple[Hit, ...]:
    return tuple(Hit(name, 1.0 / rank, "x") for rank, name in enumerate(names, 1))


def passage(name: str) -> Passage:
    one = PIECES[name]
    chunk = Chunk(name, one.document_id, one.span, "", (), "paragraph", one.words, one.tokens)
    text = LEAVE[one.span.start : one.span.end] if one.document_id == LEAVE_ID else "ten words."
    return Passage(chunk, one.uri, "", "", 1, 1.0, one.span, text)


def cite(start: int, end: int, quote: str | None = None) -> Citation:
    return Citation(LEAVE_ID, "L.md", "Leave", "", (), Span(start, end), quote or LEAVE[start:end])


def trace(
    *rankings: tuple[str, tuple[Hit, ...]],
    sent: tuple[str, ...] = (),
    said: tuple[tuple[str, str, tuple[Citation, ...]], ...] = (),
    value: str | None = None,
) -> Trace:
    """`said`: sentences as (text, verdict, citations); none is a refusal."""
    text = " ".join(sentence for sentence, _, _ in said)
    sentences = tuple(Sentence(Span(0, 1), t, cited, verdict) for t, verdict, cited in said)
    answer = Answer(text, value, sentences, refused=not said)
    passages = tuple(map(passage, sent))
    return Trace(
        "t", "", "", "", "", ITEM.question, Route("answer", ""), rankings, passages, answer,
        Verdict(passed=True),
    )  # fmt: skip


def scored(
    item: GoldenItem, given: Trace, why: str = "", depth: int = 5
) -> tuple[dict[str, float | None], dict[str, str], Standing]:
    scores, standing = score(item, why, given, PIECES, DOCUMENTS, depth, absent)
    assert len({one.metric for one in scores}) == len(scores)
    assert {one.item_id for one in scores} == {item.id}
    return (
        {one.metric: one.value for one in scores},
        {one.metric: one.why for one in scores if one.value is None},
        standing,
    )


LEXICAL = ("lexical", ranking("o1", "tail", "o2", "o3", "o4", "head"))
FUSED = ("fused", ranking("o1", "o2", "tail", "head"))


def test_evidence_at_depth_and_in_budgets_for_each_stage() -> None:
    values, _, standing = scored(ITEM, trace(LEXICAL, FUSED), depth=4)
    # Both halves of "five weeks" are needed: the sixth piece lexically, the fourth fused.
    assert values["lexical complete@5"] == values["lexical complete@4"] == 0
    assert values["lexical complete@10"] == 1
    assert values["fused complete@5"] == values["complete@5"] == values["complete@4"] == 1
    assert values["partial@10"] == values["lexical partial@10"] == 1
    # 300 words are three pieces, 600 six; 400 tokens two, 800 four.
    assert values["complete in 300 words"] == 0
    assert values["complete in 600 words"] == values["lexical complete in 600 words"] == 1
    assert (values["complete in 400 tokens"], values["complete in 800 tokens"]) == (0, 1)
    assert values["words@4"] == 400
    assert standing == Standing(
        "q", 4, "whole", (("L.md", 22),), "L.md", "markdown", 10, 1, ("long", "leave", "notice")
    )


def test_shares_of_characters_as_the_chunking_benchmark_counts_them() -> None:
    values, _, _ = scored(ITEM, trace(FUSED), depth=3)
    # Marked 10 + 10; retrieved 10 + 10 + 29; shared 22..28 and 40..50, 16.
    assert values["token_recall@3"] == pytest.approx(16 / 20)
    assert values["token_precision@3"] == pytest.approx(16 / 49)
    assert values["token_iou@3"] == pytest.approx(16 / (20 + 49 - 16))


@pytest.mark.parametrize(
    ("depth", "state"), [(1, "missed"), (2, "missed"), (3, "cut"), (4, "whole"), (9, "whole")]
)
def test_where_the_evidence_stands_within_the_depth(depth: int, state: str) -> None:
    assert scored(ITEM, trace(FUSED), depth=depth)[2].state == state


def test_one_of_two_places_whole_and_the_other_nowhere_is_missed_not_cut() -> None:
    item = GoldenItem(
        "q", "?", (Evidence(LEAVE_ID, "", Span(40, 50)), Evidence(OTHER_ID, "", Span(90, 99)))
    )
    _, _, standing = scored(item, trace(FUSED))
    assert (standing.state, standing.rank, standing.cuts) == ("missed", None, ())


def test_documents_as_trec_eval_counts_them() -> None:
    judged = (Evidence("gone", grade=3), Evidence(OTHER_ID, grade=0), Evidence("x", grade=-1))
    item = GoldenItem("q", "?", (Evidence(LEAVE_ID, grade=1),), ((Evidence(LEAVE_ID, grade=2),),),
                      judged=judged)  # fmt: skip
    values, _, _ = scored(item, trace(FUSED))
    # Repeats dropped, the run is O, L; the greatest grade of L counts, and `gone` is never found.
    qrels = {"q": {LEAVE_ID: 2, "gone": 3, OTHER_ID: 0, "x": -1}}
    expected = pytrec_eval.RelevanceEvaluator(
        qrels, {"ndcg_cut_10", "recall_10", "recall_100", "P_10", "success_10", "recip_rank", "map"}
    ).evaluate({"q": {OTHER_ID: 2.0, LEAVE_ID: 1.0}})["q"]
    for ours, theirs in (
        ("nDCG@10", "ndcg_cut_10"),
        ("recall@10", "recall_10"),
        ("recall@100", "recall_100"),
        ("P@10", "P_10"),
        ("hit@10", "success_10"),
        ("MRR", "recip_rank"),
        ("MAP", "map"),
    ):
        assert values[ours] == pytest.approx(expected[theirs], abs=1e-9), ours
    assert values["judged@10"] == 1.0
    # A whole document is marked: any piece of it holds it, and no share of characters is defined.
    assert (values["complete@5"], values["token_recall@5"]) == (1, None)


def test_what_is_not_measurable_says_why_and_is_never_zero() -> None:
    item = GoldenItem("q", "?", answers=("5 weeks",))
    said = (("Five weeks.", "supported", (cite(18, 28),)),)
    values, why, standing = scored(item, trace(FUSED, sent=("tail",), said=said), "it is not there")
    assert standing == Standing("q", None, "unmeasured")
    for metric in ("nDCG@10", "complete@5", "fused partial@10", "token_iou@5", "complete sent"):
        assert (values[metric], why[metric]) == (None, "it is not there")
    for metric in ("citation_precision", "citation_recall", "evidence_used", "right", "strict"):
        assert why[metric] == "it is not there"
    # What needs no evidence is measured all the same.
    assert (values["answered"], values["text"], values["words@5"]) == (1, 1, 400)


def test_a_document_that_is_judged_and_not_indexed_still_counts_against_the_run() -> None:
    item = GoldenItem("q", "?", judged=(Evidence("gone.md", grade=1),))
    values, _, _ = scored(item, trace(FUSED), "no document 'gone.md' is indexed")
    assert (values["nDCG@10"], values["MRR"], values["complete@5"]) == (0, 0, None)


def test_citations_and_use_of_what_was_shown() -> None:
    said = (
        ("Leave is five weeks.", "supported", (cite(9, 29), cite(0, 7))),
        ("So there.", "not_a_claim", ()),
        ("Notice is ten days.", "unsupported", ()),
    )
    given = trace(FUSED, sent=("o1", "head", "tail"), said=said, value="five weeks")
    values, _, _ = scored(ITEM, given)
    assert values["citation_precision"] == 1 / 2  # the heading is no evidence
    assert values["citation_recall"] == values["evidence_used"] == 1 / 2  # of two places
    assert values["grounded"] == 1 / 2  # of two claims
    assert values["answer_relevance"] == pytest.approx(2 / 3)  # all but "long"
    assert values["context_utilisation"] == pytest.approx(2 / 3)  # head and tail, not o1
    assert (values["complete sent"], values["words sent"]) == (1, 2 + 5 + 5)
    assert (values["value"], values["right"], values["strict"]) == (1, 1, 0)


def test_what_was_not_shown_cannot_be_used() -> None:
    said = (("Leave is five weeks.", "supported", (cite(9, 22),)),)
    values, why, _ = scored(ITEM, trace(FUSED, sent=("head",), said=said))
    assert values["evidence_used"] is None
    assert why["evidence_used"] == "none of its evidence was shown"
    # Of two places one is shown whole, and it is not cited.
    assert scored(ITEM, trace(FUSED, sent=("tail",), said=said))[0]["evidence_used"] == 0


def test_a_refusal() -> None:
    values, why, _ = scored(ITEM, trace(FUSED, sent=("tail",)))
    assert [values[m] for m in ("answered", "value", "text", "right", "strict")] == [0] * 5
    assert values["citation_recall"] == 0
    for metric in ("citation_precision", "grounded", "answer_relevance", "context_utilisation"):
        assert why[metric] == "the question was refused"
    nothing = GoldenItem("q", "?", answerable=False)
    values, _, standing = scored(nothing, trace(FUSED))
    assert (values["refused"], values["strict"]) == (1, 1)
    assert "nDCG@10" not in values and "answered" not in values
    assert standing.state == "unmeasured"


BOTH = (cite(18, 28), cite(40, 50))


@pytest.mark.parametrize(
    ("sent", "value", "citations", "why"),
    [
        (("head", "tail"), "5 weeks and 2 months", BOTH, ""),
        (("head", "tail"), "six weeks", BOTH, "wrong answer"),
        (("head", "tail"), "five weeks", BOTH[:1], "required id missing"),
        # Of a document that was not shown; then words that do not stand where they are cited.
        (("o1",), "five weeks", BOTH, "unknown id"),
        (("tail",), "five weeks", (*BOTH, cite(9, 14, "Quote")), "unknown id"),
        (("o1",), "six", BOTH[1:], "wrong answer; unknown id; required id missing"),
    ],
)
def test_a_strict_pass(sent, value, citations, why: str) -> None:
    said = (("It is as they say.", "supported", citations),)
    given = trace(FUSED, sent=sent, said=said, value=value)
    found = score(ITEM, "", given, PIECES, DOCUMENTS, 5, absent)[0]
    assert Score("q", "strict", float(not why), why) in found


def test_an_unanswerable_question_that_is_answered() -> None:
    said = (("Perhaps.", "not_a_claim", ()),)
    values, why, _ = scored(GoldenItem("q", "?", answerable=False), trace(FUSED, said=said))
    assert (values["refused"], values["strict"]) == (0, 0)
    assert why["grounded"] == "the answer makes no claim"


def test_nothing_found_and_a_chunk_that_is_nowhere() -> None:
    values, why, standing = scored(ITEM, trace())
    assert (values["nDCG@10"], values["complete@5"], values["token_precision@5"]) == (0, 0, 0)
    assert why["judged@10"] == "nothing was found"
    assert (standing.rank, standing.state) == (None, "missed")
    with pytest.raises(NotFound, match="'lost'"):
        scored(ITEM, trace(("fused", ranking("lost"))))


def test_a_score_of_an_arm_without_token_counts_says_so() -> None:
    bare = {"a": FoundPiece("a", LEAVE_ID, "", Span(0, 51), 11, 0, "paragraph")}
    found, _ = score(ITEM, "", trace(("lexical", ranking("a"))), bare, DOCUMENTS, 5, absent)
    assert Score("q", "complete in 400 tokens", None, "no embedder counted the tokens") in found
    assert Score("q", "complete in 300 words", 1.0) in found
