"""The short value: tied to the clause that shares the question's words, or none at all."""

from __future__ import annotations

import pytest

from answerable.grounding.asked import asked
from answerable.grounding.tasks import state, state_asked
from answerable.grounding.units import Unit
from answerable.grounding.value import holds, value
from answerable.grounding.yesno import yes_or_no
from answerable.records.docs import Span

FILLERS = frozenset(
    [
        "how",
        "many",
        "much",
        "long",
        "does",
        "do",
        "is",
        "the",
        "a",
        "an",
        "of",
        "in",
        "at",
        "it",
        "what",
        "which",
        "i",
        "my",
        "to",
    ]
)


def terms(text: str) -> frozenset[str]:
    words = (word.strip(".,;:?!()|") for word in text.casefold().split())
    return frozenset(word for word in words if word)


def unit(text: str, path: tuple[str, ...] = (), **row: tuple[str, ...]) -> Unit:
    kind = "row" if row else "sentence"
    return Unit("d", Span(0, len(text)), text, kind, 0, 0, 0, path, "", **row)


def short(question: str, one: Unit) -> str | None:
    weights = dict.fromkeys(terms(question) - FILLERS, 1.0)
    return value(question, asked(question), one, weights, terms)


LEAVE = (
    "It is twelve weeks in Norvania, fourteen weeks in Ostrevia and ten weeks in Kelland for the "
    "first parent."
)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        # what follows the list belongs to all of its members
        ("How many weeks does the first parent get in Norvania?", LEAVE, "twelve weeks"),
        ("How many weeks does the first parent get in Kelland?", LEAVE, "ten weeks"),
        # nothing in the question says which
        ("How many weeks does the first parent get?", LEAVE, None),
        ("How many weeks does the first parent get in Sorrania?", LEAVE, None),
        # a place in front owns the clause behind its comma
        ("When was it closed?", "In 1990, it was built, in 2004, it was closed.", "2004"),
        ("When was it built?", "In 1990, it was built, in 2004, it was closed.", "1990"),
        # the noun that is counted
        ("How many keys are there?", "In 2010 it had 12 doors and 3 spare keys.", "3"),
        ("How many libraries exist?", "It is the first of six libraries.", "six"),
        # the figure that the question gives is not its answer
        ("How long is the wait after 5 days?", "After 5 days you wait two weeks.", "two weeks"),
        # a conversion in brackets is the same figure
        ("How far is it?", "It is 3 miles (5 km) away.", "3 miles"),
        ("How long is the term?", "The term is 2 to 3 years.", "2 to 3 years"),
        ("How much did the stadium cost?", "The stadium cost $1.2 billion.", "$1.2 billion"),
        ("When did the fashion begin?", "The fashion began in the 1950s.", "1950s"),
        # one place: it must stand beside a word of the question or of being somewhere
        ("Where are the tapes kept?", "The tapes are kept in the vault.", "the vault"),
        ("Where are the tapes kept?", "The tapes play a part in tourism.", None),
        ("Who leads the team?", "Bo Lind leads the team of Ann Orr Ltd.", "Bo Lind"),
        ("Who leads the team?", "The form goes to Bo Lind for a stamp.", None),
    ],
)  # fmt: skip
def test_the_value_of_a_sentence(question: str, text: str, answer: str | None) -> None:
    assert short(question, unit(text)) == answer


def test_a_port_is_a_number_and_belongs_to_what_is_asked_about() -> None:
    question = "Which port does the VPN use?"
    assert short(question, unit("The VPN gateway is gw1.int.example:8443.")) == "8443"
    assert short(question, unit("The VPN uses port 443.")) == "443"
    assert short(question, unit("Many hotels only let through port 443.")) is None
    assert short(question, unit("The VPN gateway is gw1.int.example.")) is None


def test_a_neighbouring_unit_is_no_value_and_no_reason_to_refuse() -> None:
    one = unit("You get twelve weeks.")
    assert short("How many days do I get?", one) is None
    assert holds("", asked("How many days do I get?"), one)
    assert not holds("", asked("How many years do I get?"), one)


ROW = {
    "cells": ("ERR-1", "Pump stalled", "yes", "no"),
    "columns": ("Code", "Meaning", "Stops", "Clears"),
}


def test_yes_and_no_of_a_row_are_in_the_cell_under_the_head_asked_for() -> None:
    one = unit("| ERR-1 | Pump stalled | yes | no |", **ROW)
    assert short("Is it true that ERR-1 stops watering?", one) == "yes"
    assert short("Is it true that ERR-1 clears?", one) == "no"
    assert short("Is ERR-1 dangerous?", one) is None


def test_two_columns_that_cannot_be_told_apart_give_no_value() -> None:
    cells, columns = ("2", "20 minutes", "30 minutes"), ("Severity", "Business hours", "Otherwise")
    one = unit("| 2 | 20 minutes | 30 minutes |", cells=cells, columns=columns)
    assert short("How soon must severity 2 be met?", one) is None
    assert short("How soon must severity 2 be met in business hours?", one) == "20 minutes"


def test_a_cell_in_another_unit_is_no_value() -> None:
    one = unit(
        "| Permanent | 27 days |", cells=("Permanent", "27 days"), columns=("Contract", "Leave")
    )
    assert short("How many years of leave?", one) is None
    assert short("How many days of leave?", one) == "27 days"


def test_a_row_holds_the_kind_asked_for_by_its_unit_its_head_or_its_name() -> None:
    asks = asked("How many hours did one use?")
    heads = {"columns": ("Year", "Hours used"), "cells": ("2017", "46.3")}
    names = {"columns": ("What", "2017"), "cells": ("Hours used", "46.3")}
    prices = {"columns": ("Class", "Net sales"), "cells": ("T2", "EUR 10,000")}
    assert holds("", asks, unit("| 2017 | 46.3 |", **heads))
    assert holds("", asks, unit("| Hours used | 46.3 |", **names))
    assert not holds("", asks, unit("| T2 | EUR 10,000 |", **prices))


@pytest.mark.parametrize(
    ("question", "sentence", "answer"),
    [
        ("May I keep a gift of 200 euros?", "You may keep things worth up to EUR 35.", "no"),
        ("May I keep a gift of 20 euros?", "You may keep things worth up to EUR 35.", "yes"),
        ("May I keep a gift of 35 euros?", "You may keep things worth up to EUR 35.", "yes"),
        ("May I keep a gift of 35 euros?", "You may keep things worth less than EUR 35.", "no"),
        ("May I keep a gift of 20 pounds?", "You may keep things worth up to EUR 35.", None),
        ("May I keep a gift of 20 euros?", "You may keep gifts.", None),
        ("Is a receipt required for 30 euros?", "Receipts are required above EUR 25.", "yes"),
        ("Is a receipt required for 20 euros?", "Receipts are required above EUR 25.", None),
        ("May it run for 45 minutes?", "It may be left on for no more than 30 minutes.", "no"),
        ("May it run for 45 minutes?", "It must not run for more than 30 minutes.", "no"),
        ("May it run for 20 minutes?", "It must not run for more than 30 minutes.", None),
    ],
)
def test_an_amount_is_held_against_the_limit(
    question: str, sentence: str, answer: str | None
) -> None:
    assert yes_or_no(question, sentence) == answer


def test_a_ban_on_something_else_is_no_answer() -> None:
    question = "Can a dog sleep inside?"
    assert short(question, unit("Receipts for alcohol cannot be replaced.")) is None
    assert short(question, unit("They cannot sleep inside.", ("Dog",))) == "no"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who spoke when it began?", "person"),
        ("What story was the first Doctor Who release?", ""),
        ("In which aisle is it?", "place"),
        ("In which year was it?", "date"),
        ("Which company gets a discount?", ""),
        ("What discount do we get?", "percentage"),
        ("How much did the sea level rise?", "quantity"),
        ("How much does the pump weigh?", "measure"),
    ],
)
def test_the_kind_asked_for(question: str, kind: str) -> None:
    assert asked(question).kind == kind


def test_the_box_of_a_task_is_its_state() -> None:
    assert [state(text) for text in ("[ ] Turn it", "[x] Turn it", "Turn [x] it", "[1] Turn")] == [
        "open", "done", "", "",
    ]  # fmt: skip
    asks = ("Which tasks are still open?", "What tasks are not done?", "Which tasks are done?")
    assert [state_asked(text) for text in (*asks, "Is it done?")] == ["open", "open", "done", ""]
