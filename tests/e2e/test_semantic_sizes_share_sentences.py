"""Semantic cuts of several sizes compare the same sentences: the model reads each text once."""

from pathlib import Path

from answerable.config import plain_settings
from answerable.records.docs import RawDoc
from answerable.records.recipe import Ask, CutRule, EmbedderRule, Ingest, Recipe, SearchRule
from answerable.text.canonical import Canvas
from answerable.wire.corpus import corpus_of
from fakes import HashEmbedder

READ: list[str] = []


class Counting(HashEmbedder):
    """An embedder that notes what it is given; a recipe names it by its module."""

    def passages(self, texts):
        READ.extend(texts)
        return super().passages(texts)


def recipe(size):
    rule = CutRule("semantic", size, "words", 0, "none")
    embedder = EmbedderRule(name=f"{__name__}:Counting")
    return Recipe(Ingest(cut=(rule,), embedder=embedder), Ask(search=SearchRule(mode="lexical")))


def test_a_second_size_reads_no_sentence_again() -> None:
    canvas = Canvas()
    canvas.paragraph(" ".join(f"Sentence number {n} tells of thing {n % 7}." for n in range(40)))
    made = canvas.finish(RawDoc("a.md", b""), "markdown", "a")
    corpus = corpus_of([made], plain_settings(Path.cwd()))
    READ.clear()
    large = corpus.trial(recipe(60))
    first = list(READ)
    assert len(first) > 20 and len(set(first)) == len(first)
    small = corpus.trial(recipe(20))
    assert first == READ
    assert len(small.cutting.chunks) > len(large.cutting.chunks)
