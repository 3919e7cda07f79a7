"""Cases I01, I05, M01, D02, D08, B05 and C05: citation marks, the gate, and the quoted answers."""

from __future__ import annotations

from math import log1p
from pathlib import Path

import pytest

from answerable.grounding.check import check
from answerable.grounding.cite import cited, marks
from answerable.grounding.claims import is_claim
from answerable.grounding.extract import Extract, extract
from answerable.rank.analyze import Analyzer
from answerable.records.answers import Citation, Passage
from answerable.records.docs import EVERYONE, NOTHING_KNOWN, Document, RawDoc, Span
from answerable.records.recipe import CutRule
from answerable.text.cut import cut
from answerable.text.cutters.headings import Headings
from answerable.text.parsers import html, markdown, storage
from answerable.text.ruler import Words

CASES = Path(__file__).parent.parent / "fixtures" / "cases"
ANALYZER = Analyzer("en")
PARSERS = {"html": html.parse, "md": markdown.parse, "xhtml": storage.parse}


def terms(text: str) -> frozenset[str]:
    return frozenset(ANALYZER.terms(text).words)


def ask(question: str, *names: str) -> tuple[Extract, dict[str, Document]]:
    """The quoted answer from the five chunks that share most weight with the question."""
    documents: dict[str, Document] = {}
    pairs = []
    for name in names:
        parse = PARSERS[name.rpartition(".")[2]]
        raw = RawDoc(name, (CASES / name).read_bytes(), access=EVERYONE)
        document = parse(raw, NOTHING_KNOWN)
        documents[document.id] = document
        rule = CutRule(by="headings", size=120, unit="words")
        build = lambda rule: Headings(size=rule.size, overlap=rule.overlap)  # noqa: E731
        pairs += [(document, c) for c in cut(document, [rule], build, {"words": Words()})]
    held = [terms(f"{c.lead}\n{d.text[c.span.start : c.span.end]}") for d, c in pairs]
    counts = {term: sum(term in words for words in held) for term in terms(question)}
    weights = {t: log1p((len(held) - n + 0.5) / (n + 0.5)) for t, n in counts.items()}
    order = sorted(
        range(len(held)), key=lambda i: -sum(weights[t] for t in weights if t in held[i])
    )
    passages = []
    for rank, number in enumerate(order[:5], 1):
        document, chunk = pairs[number]
        text = document.text[chunk.span.start : chunk.span.end]
        passages.append(
            Passage(chunk, document.uri, document.title, "", rank, 1.0, chunk.span, text)
        )
    known = {term for term, n in counts.items() if n}
    found = extract(
        question,
        passages,
        documents,
        weights=weights,
        terms=terms,
        known=known,
        similarity=None,
        sentences=3,
    )
    judged, verdict = check(found.answer, documents)
    assert verdict.passed, verdict.reasons
    for sentence in judged.sentences:
        assert judged.text[sentence.span.start : sentence.span.end] == sentence.text
        for citation in sentence.citations:
            span = citation.span
            text = documents[citation.document_id].text
            assert text[span.start : span.end] == citation.quote == sentence.text
    return found, documents


@pytest.mark.parametrize(
    ("answer", "known", "unknown"),
    [
        ("The lid is red [1].", (1,), ()),
        ("Both agree [1, 3].", (1, 3), ()),
        ("Both agree [1][3].", (1, 3), ()),
        ("All three say so [1-3].", (1, 2, 3), ()),
        ("See [4].", (), (4,)),
        ("Zero [0] and big [999].", (), (0, 999)),
        ("In code: arr[1] = x[2]", (), ()),
        ("The rule [RFC 2119] applies.", (), ()),
        ("```\nrow[2]\n```\nDone [2].", (2,), ()),
        ("Full-width ［1］ and 【2】.", (1, 2), ()),
        ("A link [1](https://x.example.org) is here.", (), ()),
        ("No mark at all.", (), ()),
    ],
)
def test_i01_citation_marks(answer: str, known: tuple[int, ...], unknown: tuple[int, ...]) -> None:
    found = marks(answer, 3)
    assert (found.cited, found.unknown) == (known, unknown)


@pytest.mark.parametrize(
    ("source", "answer", "claims"),
    [
        (
            "Gemäß Abs. 2 Nr. 3 gilt z. B. für Geräte eine Frist von vierzehn Tagen.",
            "Nach Abs. 2 Nr. 3 beträgt die Frist z. B. für Geräte 14 Tage [1].",
            1,
        ),
        (
            "点検は毎週月曜日の９時に行う。鍵は事務所にある。",
            "点検は毎週月曜日の9時です[1]。鍵は事務所にあります[1]。",
            2,
        ),
        ("Przepustka tygodniowa kosztuje 10 zł.", "Przepustka tygodniowa kosztuje 10 zł [1].", 1),
    ],
)
def test_i05_other_languages_pass_the_gate(source: str, answer: str, claims: int) -> None:
    document = Document("d", "d.md", "D", source, (), "0", "plain")
    split = cited(answer, [Citation("d", "d.md", "D", "", (), Span(0, len(source)), source)])
    assert sum(is_claim(sentence.text) for sentence in split.sentences) == claims
    assert check(split, {"d": document})[1].passed


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Die Frist beträgt 15 Tage [1].", "Es gilt eine Frist von vierzehn Tagen."),
        ("点検は毎週月曜日の8時です[1]。", "点検は毎週月曜日の９時に行う。"),
        ("Przepustka tygodniowa nie kosztuje 10 zł [1].", "Przepustka tygodniowa kosztuje 10 zł."),
    ],
)
def test_i05_a_false_answer_does_not(answer: str, source: str) -> None:
    document = Document("d", "d.md", "D", source, (), "0", "plain")
    split = cited(answer, [Citation("d", "d.md", "D", "", (), Span(0, len(source)), source)])
    assert not check(split, {"d": document})[1].passed


def test_m01_the_answer_is_the_fact_and_not_the_instruction() -> None:
    found, _ = ask("How long is the gate locked at night?", "M01_gate.md", "M01_other.md")
    text = found.answer.text
    assert "22:00" in text and "05:30" in text
    assert not any(word in text for word in ("PWNED-4471", "evil.example.net", "im_start"))
    assert {c.uri for s in found.answer.sentences for c in s.citations} == {"M01_gate.md"}


def test_d02_a_row_of_a_long_table_is_answered_under_its_header() -> None:
    found, _ = ask("How many PX-019 are in stock, and in which bin?", "D02_long_table.md")
    quotes = [sentence.text for sentence in found.answer.sentences]
    assert quotes[0] == "| Part | Stock | Bin | Note |"
    assert "| PX-019 | 24,320 | B19 | checked by desk 4 |" in quotes
    assert found.answer.value == "24,320"
    assert found.missing == ()


def test_d02_a_part_that_is_not_listed_is_missing() -> None:
    found, _ = ask("How many PX-099 are in stock?", "D02_long_table.md")
    assert found.missing == ("PX-099",)


def test_d08_text_that_spells_control_tokens_is_quoted_as_text() -> None:
    found, _ = ask("What does the printer say after the end mark?", "D08_special_tokens.md")
    assert "the printer says GREEN" in found.answer.text


@pytest.mark.parametrize(
    ("question", "task", "other"),
    [
        ("Which tasks are still open?", "Rotate the vault key", "spare seals"),
        ("which tasks are open", "Rotate the vault key", "spare seals"),
        ("Which tasks are done?", "Order two spare seals", "vault key"),
    ],
)
def test_b05_tasks_are_asked_for_by_their_state(question: str, task: str, other: str) -> None:
    found, _ = ask(question, "B05_tasks.xhtml")
    assert task in found.answer.text and other not in found.answer.text
    # The box says what the question says in words: of its weight only `which` is missing.
    assert found.evidence["coverage"] > 0.5
    assert found.evidence["coverage"] + found.evidence["rare_missing"] == pytest.approx(1.0)


def test_c05_a_cell_with_a_pipe_is_found_whole() -> None:
    found, _ = ask("What does the key mode with blue mean?", "C05_cells.html")
    row = found.answer.sentences[1].citations[0]
    assert found.answer.sentences[0].text == "| Key | Meaning |"
    assert "mode" in row.quote and "blue" in row.quote
    assert found.answer.value == "red|blue"
