"""When no cut moves anything: do the questions use the documents' words at all?"""

from __future__ import annotations

from collections.abc import Callable

from answerable.flow.absent import absent_words
from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located
from answerable.flow.probe import Aim, probe
from answerable.measure.match import ways
from answerable.records.recipe import Recipe
from answerable.records.rules import Step

FEW = 0.5
"""A question of whose words this share is missing from its evidence asks in other words."""


def vocabulary(
    corpus: Corpus, recipe: Recipe, located: Located, aim: Aim, seconds: Callable[[], float]
) -> Step:
    """How many of the questions that fail ask in words that their evidence lacks.

    Values: the mean share of a question's telling words that its evidence lacks, over the
    questions that fail and over those that do not, and the share of failing questions that lack
    half of their words or more.
    """
    start = seconds()
    finder = corpus.finder(recipe)
    absent = absent_words(finder.analyzer, finder.languages)
    values = probe(corpus, recipe, located, aim).values
    texts = {document.id: document.text for document in corpus.documents}
    lacking: dict[bool, list[float]] = {True: [], False: []}
    for item in located.items:
        if item.id not in values or not ways(item):
            continue
        evidence = "\n".join(
            texts[e.document][e.span.start : e.span.end] if e.span else texts[e.document]
            for e in ways(item)[0]
            if e.document in texts
        )
        every = absent(item.question, "")
        if every:
            share = len(absent(item.question, evidence)) / len(every)
            lacking[values[item.id] >= 1].append(share)
    failing, held = lacking[False], lacking[True]
    other = sum(share >= FEW for share in failing)
    decision = (
        f"{other} of {len(failing)} failing questions lack half of their words or more in their "
        "evidence: "
    )
    if not failing:
        decision = (
            f"no question fails: {aim.metric} is at its ceiling here, so no cut can gain; name a "
            "harder figure with --metric"
        )
    elif other * 2 >= len(failing):
        decision += "no size mends that; "
        decision += (
            "add vectors (ask.search.mode = 'hybrid')"
            if recipe.ask.search.mode == "lexical"
            else "write the missing words into the documents"
        )
    else:
        decision += "the words are there, look at ranking and reranking"
    return Step(
        "vocabulary",
        "words of the questions against words of the evidence",
        (
            ("lacking, failing", _mean(failing)),
            ("lacking, held", _mean(held)),
            ("other words", other / len(failing) if failing else 0.0),
        ),
        "",
        None,
        None,
        None,
        decision,
        round(seconds() - start, 3),
    )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
