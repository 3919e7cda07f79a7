"""The answerer's parts: what is asked, identifiers, yes and no, and the short value."""

from __future__ import annotations

import pytest

from answerable.grounding.asked import asked
from answerable.grounding.extract import extract
from answerable.grounding.names import identifiers, stands_in
from answerable.grounding.units import Unit
from answerable.grounding.value import value
from answerable.grounding.yesno import yes_or_no
from answerable.records.docs import Span


def terms(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,;?!") for word in text.casefold().split())


def short(question: str, text: str, **row: tuple[str, ...]) -> str | None:
    unit = Unit("d", Span(0, len(text)), text, "row" if row else "sentence", 0, 0, 0, (), "", **row)
    return value(question, asked(question), unit, dict.fromkeys(terms(question), 1.0), terms)


@pytest.mark.parametrize(
    ("question", "kind", "units"),
    [
        ("How many weeks do I get off?", "duration", {"week"}),
        ("How long is the warranty?", "duration", set()),
        ("Wie lange ist die Frist?", "duration", set()),
        ("What does it cost in euros?", "amount", {"EUR"}),
        ("I lost it. Can I get a new one?", "yesno", set()),
        ("Darf ich das?", "yesno", set()),
        ("Who signs?", "person", set()),
        ("When did it begin?", "date", set()),
        ("点検は何時ですか。", "time", set()),
        ("Explain the pump.", "", set()),
    ],
)
def test_what_is_asked(question: str, kind: str, units: set[str]) -> None:
    assert (asked(question).kind, asked(question).units) == (kind, units)


def test_identifiers() -> None:
    text = (
        "Does ERR-4120, SKU-9999/Z or HTTP_418 set guard.leak.hold_s on 12 May in 3-day e.g. U.S.?"
    )
    assert identifiers(text) == ("ERR-4120", "SKU-9999/Z", "HTTP_418", "guard.leak.hold_s")
    assert stands_in("ERR-412", "see err-412.")
    assert not stands_in("ERR-412", "see ERR-4120")
    assert not stands_in("SKU-1", "SKU-1/A")


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("May I bring a dog?", "Dogs are not allowed.", "no"),
        ("May I bring a dog?", "Dogs are allowed.", "yes"),
        ("May I bring a dog?", "Dogs are allowed only if they are small.", None),
        ("May I bring a dog?", "The office is in Lunde.", None),
        ("May I not bring a dog?", "Dogs are not allowed.", None),
        ("Darf ich einen Hund mitbringen?", "Hunde dürfen nicht hinein.", "no"),
        ("Can it be sent by air?", "Such goods cannot be sent by air.", "no"),
    ],
)
def test_yes_or_no(question: str, sentence: str, answer: str | None) -> None:
    assert yes_or_no(question, sentence) == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How long, Ostrevia?", "Six months in Norvania, two months in Ostrevia.", "two months"),
        ("What does it cost in Norvania?", "NVC 520 in Norvania, EUR 46 in Ostrevia.", "NVC 520"),
        ("How many weeks is it?", "It is 3 days or two weeks.", "two weeks"),
        ("How many weeks is it?", "It is 3 days.", None),
        ("When did it begin?", "It began in 1973.", "1973"),
        ("Why is it red?", "It is red for 3 days.", None),
    ],
)  # fmt: skip
def test_value_in_words(question: str, text: str, answer: str | None) -> None:
    assert short(question, text) == answer


def test_value_in_a_row_is_the_cell_under_the_head_that_fits() -> None:
    cells = ("SKU-1", "Pump", "2,390", "209")
    columns = ("SKU", "Article", "NVC", "EUR")
    text = "| SKU-1 | Pump | 2,390 | 209 |"
    assert short("What does SKU-1 cost in euros?", text, cells=cells, columns=columns) == "209"
    question = "What does SKU-1 cost in Norvanian crowns?"
    assert short(question, text, cells=cells, columns=columns) == "2,390"


def test_a_number_in_a_range_of_the_heads_picks_the_column() -> None:
    cells = ("Express", "NVC 189", "NVC 340")
    columns = ("Service", "up to 5 kg", "5 to 30 kg")
    question = "How much is express for 12 kg?"
    assert short(question, "| x |", cells=cells, columns=columns) == "NVC 340"


def test_nothing_found_is_said_and_not_made_up() -> None:
    found = extract(
        "What is ERR-1?",
        [],
        {},
        weights={"err-1": 2.0},
        terms=terms,
        known=set(),
        similarity=None,
        sentences=3,
    )
    assert (found.answer.refused, found.answer.text) == (True, "")
    assert found.evidence == {"rare_missing": 1.0}
    assert found.missing == ("ERR-1",)
