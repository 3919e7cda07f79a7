"""One question's trace against its golden item: every score, and where the evidence stood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from answerable.errors import NotFound
from answerable.measure import end_to_end, generation
from answerable.measure.documents import MEASURES, grades, ranked
from answerable.measure.generation import Mark
from answerable.measure.layers import STAGES
from answerable.measure.match import Place, overlap, places, touched_at, ways, whole_at
from answerable.measure.retrieval import measure, relevant
from answerable.records.answers import Trace
from answerable.records.docs import Document, Span
from answerable.records.evals import Evidence, GoldenItem, Score
from answerable.records.index import Ranking
from answerable.records.runs import FoundPiece, Standing
from answerable.text.outline import outline

DEPTHS = (5, 10)
"""Numbers of pieces within which all evidence must stand, beside the model's depth."""

BUDGETS = (300, 600)
"""Numbers of words, leads included, within which all evidence must stand."""

TOKENS = (400, 800)
"""The same in tokens of the embedder, where pieces were counted in them."""

Absent = Callable[[str, str], tuple[str, ...]]
"""absent(question, text): the analysed words of a question that a text lacks."""

Stages = Mapping[str, Sequence[FoundPiece]]
"""The pieces that each stage found, best first; the last stage is the one that counts."""


def score(
    item: GoldenItem,
    why: str,
    trace: Trace,
    pieces: Mapping[str, FoundPiece],
    documents: Mapping[str, Document],
    depth: int,
    absent: Absent,
) -> tuple[tuple[Score, ...], Standing]:
    """All scores of one question, and the standing of its evidence.

    `item` is located (`flow.locate`): its evidence names document ids and spans; `why` says why it
    has none ('' if it has). `pieces` are the found chunks by id and `documents` those of the
    evidence, by id; `depth` is how many pieces go to the model. Raises NotFound for a chunk of the
    trace that is not among the pieces.
    """
    stages = found(trace.rankings, pieces)
    scores = (*searched(item, why, stages, depth), *answered(item, why, trace, documents, absent))
    return scores, standing(item, why, _final(stages), documents, depth, absent)


def found(rankings: Iterable[tuple[str, Ranking]], pieces: Mapping[str, FoundPiece]) -> Stages:
    """The pieces of each stage's ranking, in their order."""
    try:
        return {stage: [pieces[hit.chunk_id] for hit in ranking] for stage, ranking in rankings}
    except KeyError as fault:
        raise NotFound(f"chunk {fault.args[0]!r} of the trace is not among the pieces") from fault


def searched(item: GoldenItem, why: str, stages: Stages, depth: int) -> tuple[Score, ...]:
    """The measures of the retrieval layer: documents, evidence, overlap, words sent.

    Evidence is measured over the last stage and, with its name in front, over each stage.
    """
    final = _final(stages)
    words = Score(item.id, f"words@{depth}", float(sum(p.words for p in final[:depth])))
    if not item.answerable:
        return (words,)
    nowhere = why or ("" if ways(item) else "no evidence is marked")
    marks = {
        **_evidence(item, final, depth),
        **_in_tokens(item, final),
        **_overlap(item, final[:depth], depth),
    }
    for stage in STAGES:
        if stage in stages:
            named = _evidence(item, stages[stage], depth).items()
            marks |= {f"{stage} {name}": mark for name, mark in named}
    return (*_scores(item, _documents(item, final, why), ""), *_scores(item, marks, nowhere), words)


def answered(
    item: GoldenItem,
    why: str,
    trace: Trace,
    documents: Mapping[str, Document],
    absent: Absent,
) -> tuple[Score, ...]:
    """The measures of what was sent to the answerer, of its answer, and of the end to end."""
    answer = trace.answer
    any_question: dict[str, Mark] = {
        "grounded": generation.grounded(answer),
        "answer_relevance": generation.answer_relevance(trace, absent),
        "context_utilisation": generation.context_utilisation(trace),
        "words sent": (float(sum(len(p.text.split()) for p in trace.passages)), ""),
    }
    if not item.answerable:
        any_question["refused"] = float(answer.refused), ""
        any_question["strict"] = end_to_end.strict(item, trace, documents)
        return _scores(item, any_question, "")
    any_question["answered"] = float(not answer.refused), ""
    any_question["value"] = end_to_end.value(item, answer)
    any_question["text"] = end_to_end.text(item, answer)
    sent = [(passage.chunk.document_id, passage.shown) for passage in trace.passages]
    on_evidence: dict[str, Mark] = {
        "complete sent": _within(whole_at(item, sent), len(sent)),
        "citation_precision": generation.citation_precision(item, answer),
        "citation_recall": generation.citation_recall(item, answer),
        "evidence_used": generation.evidence_used(item, trace),
        "right": end_to_end.right(item, answer),
        "strict": end_to_end.strict(item, trace, documents),
    }
    return (*_scores(item, any_question, ""), *_scores(item, on_evidence, why))


def standing(
    item: GoldenItem,
    why: str,
    pieces: Sequence[FoundPiece],
    documents: Mapping[str, Document],
    depth: int,
    absent: Absent,
) -> Standing:
    """Where the evidence stood in a ranking; see `records.runs.Standing`.

    `cut`: within the depth not all of it stands whole, and some place of it stands in part.
    """
    if why or not item.answerable or not ways(item):
        return Standing(item.id, None, "unmeasured")
    way = ways(item)[0]
    places = [_place(piece) for piece in pieces]
    rank = whole_at(item, places)
    state = "whole" if rank is not None and rank <= depth else "missed"
    if state == "missed" and _in_part(item, places[:depth]):
        state = "cut"
    first = documents.get(way[0].document)
    if first is None:
        return Standing(item.id, rank, state, _cuts(item, pieces))
    text = "\n".join(_text(evidence, documents) for evidence in way)
    at = way[0].span.start if way[0].span else 0
    return Standing(
        item.id,
        rank,
        state,
        _cuts(item, pieces),
        first.uri,
        first.type,
        len(first.text.split()),
        len(outline(first).path_at(at)) if way[0].span else 0,
        absent(item.question, text),
    )


def within(pieces: Sequence[FoundPiece], words: int) -> int:
    """How many of the first pieces have at most `words` words together, 0 if the first is over."""
    return fitting([piece.words for piece in pieces], words)


def fitting(lengths: Sequence[int], budget: int) -> int:
    """How many of the first lengths sum to at most a budget, 0 where the first alone is over.

    A longer first one does not count: else the longest pieces would win every budget.
    """
    return sum(total <= budget for total in accumulate(lengths))


def _documents(item: GoldenItem, final: Sequence[FoundPiece], why: str) -> dict[str, Mark]:
    """trec_eval's measures; a judged document that is not indexed counts as never found."""
    judged, names = grades(item), ranked(piece.document_id for piece in final)
    if not relevant(judged):
        return dict.fromkeys(MEASURES, (None, why or "no relevant document is marked"))
    values = {name: measure(name)(names, judged) for name in MEASURES}
    return {
        name: (value, "" if value is not None else "nothing was found")
        for name, value in values.items()
    }


def _evidence(item: GoldenItem, pieces: Sequence[FoundPiece], depth: int) -> dict[str, Mark]:
    places = [_place(piece) for piece in pieces]
    whole, touched = whole_at(item, places), touched_at(item, places)
    marks = {f"complete@{k}": _within(whole, k) for k in dict.fromkeys((*DEPTHS, depth))}
    marks["partial@10"] = _within(touched, 10)
    for words in BUDGETS:
        marks[f"complete in {words} words"] = _within(whole, within(pieces, words))
    return marks


def _in_tokens(item: GoldenItem, pieces: Sequence[FoundPiece]) -> dict[str, Mark]:
    whole = whole_at(item, [_place(piece) for piece in pieces])
    marks: dict[str, Mark] = {}
    for tokens in TOKENS:
        if all(piece.tokens for piece in pieces):
            k = fitting([piece.tokens for piece in pieces], tokens)
            marks[f"complete in {tokens} tokens"] = _within(whole, k)
        else:
            marks[f"complete in {tokens} tokens"] = None, "no embedder counted the tokens"
    return marks


def _overlap(item: GoldenItem, pieces: Sequence[FoundPiece], depth: int) -> dict[str, Mark]:
    """Recall, precision and IoU in the way of answering that is recalled best."""
    names = [f"token_{name}@{depth}" for name in ("recall", "precision", "iou")]
    known = [marked for way in ways(item) if (marked := places(way)) is not None]
    if not known:
        return dict.fromkeys(names, (None, "whole documents are marked, not places"))
    retrieved = [_place(piece) for piece in pieces]
    each = [overlap(marked, retrieved) for marked in known]
    best = max(each, key=lambda one: (one.recall or 0.0, one.iou or 0.0))
    return {
        name: (value, "")
        for name, value in zip(names, (best.recall, best.precision, best.iou), strict=True)
    }


def _within(at: int | None, k: int) -> Mark:
    return float(at is not None and at <= k), ""


def _in_part(item: GoldenItem, places: Sequence[Place]) -> bool:
    """Whether some marked place is touched by these pieces and yet not held whole by them."""
    for evidence in (e for way in ways(item) for e in way if e.span is not None):
        alone = GoldenItem(item.id, "", (evidence,))
        if touched_at(alone, places) is not None and whole_at(alone, places) is None:
            return True
    return False


def _cuts(item: GoldenItem, pieces: Sequence[FoundPiece]) -> tuple[tuple[str, int], ...]:
    found: set[tuple[str, int]] = set()
    for evidence in (e for way in ways(item) for e in way):
        for piece in pieces:
            if evidence.span is None or piece.document_id != evidence.document:
                continue
            span = evidence.span
            for border in (piece.span.start, piece.span.end):
                if span.start < border < span.end:
                    found.add((piece.uri, border))
    return tuple(sorted(found))


def _text(evidence: Evidence, documents: Mapping[str, Document]) -> str:
    document = documents.get(evidence.document)
    if document is None:
        return evidence.quote
    span = evidence.span or Span(0, len(document.text))
    return document.text[span.start : span.end]


def _final(stages: Stages) -> Sequence[FoundPiece]:
    return next(reversed(list(stages.values())), ())


def _place(piece: FoundPiece) -> Place:
    return piece.document_id, piece.span


def _scores(item: GoldenItem, marks: Mapping[str, Mark], why: str) -> tuple[Score, ...]:
    """A score for each mark; with a reason why none can be measured, None under all."""
    return tuple(_each(item, marks, why))


def _each(item: GoldenItem, marks: Mapping[str, Mark], why: str) -> Iterator[Score]:
    for metric, (value, reason) in marks.items():
        if why or value is None:
            yield Score(item.id, metric, None, why or reason)
        else:
            yield Score(item.id, metric, value, reason)
