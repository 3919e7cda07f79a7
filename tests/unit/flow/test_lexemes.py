from __future__ import annotations

from dataclasses import replace

import numpy as np

from answerable.flow.lexemes import Lexemes
from answerable.rank.analyze import Terms
from answerable.rank.sparse import build
from answerable.records.docs import RawDoc
from answerable.text.canonical import Canvas


def document(uri: str, text: str, language: str):
    canvas = Canvas()
    canvas.paragraph(text)
    return replace(canvas.finish(RawDoc(uri, b""), "plain", ""), language=language)


class Spelled:
    """Terms are the words with their language in front; every text analysed is noted."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str, language: str) -> Terms:
        self.texts.append(text)
        words, starts, at = [], [], 0
        for word in text.split():
            at = text.index(word, at)
            words.append(f"{language}:{word}")
            starts.append(at)
            at += len(word)
        return Terms(tuple(words), np.array(starts, np.int64))


def arrays(segment):
    """What a segment says, term by term, whatever terms stand in it without a chunk."""
    found = {}
    for term, (start, end) in zip(
        segment.vocabulary(), np.stack([segment.starts[:-1], segment.starts[1:]], 1), strict=True
    ):
        if end > start:
            leads = segment.lead_freqs[start:end].tolist() if len(segment.lead_freqs) else []
            found[term] = (
                segment.ordinals[start:end].tolist(),
                segment.freqs[start:end].tolist(),
                leads,
            )
    return found, segment.lengths.tolist(), segment.lead_lengths.tolist()


def test_each_cutting_groups_terms_that_were_analysed_once():
    analyze = Spelled()
    documents = [document("a", "one two three", "en"), document("b", "one un", "fr")]
    lexemes = Lexemes(documents, analyze)
    whole = lexemes.segment(np.array([0, 1]), np.array([[0, 13], [0, 6]]), ["top", "top"])
    assert arrays(whole) == arrays(
        build([["en:one", "en:two", "en:three"], ["fr:one", "fr:un"]], [["en:top"], ["fr:top"]])
    )
    # Pieces that overlap, one that begins inside a word, and a lead with a word of the text.
    cut = lexemes.segment(
        np.array([0, 0, 0, 1]),
        np.array([[0, 7], [4, 13], [5, 13], [4, 6]]),
        ["top", "one top", "", "top"],
    )
    assert arrays(cut) == arrays(
        build(
            [["en:one", "en:two"], ["en:two", "en:three"], ["en:three"], ["fr:un"]],
            [["en:top"], ["en:one", "en:top"], [], ["fr:top"]],
        )
    )
    # Each text once; a lead once in each language that it stands in.
    assert analyze.texts == ["one two three", "one un", "top", "top", "one top", ""]


def test_nothing_cut_is_an_empty_index():
    lexemes = Lexemes([document("a", "word", "en")], Spelled())
    empty = lexemes.segment(np.empty(0, np.int64), np.empty((0, 2), np.int64), [])
    assert len(empty) == 0
