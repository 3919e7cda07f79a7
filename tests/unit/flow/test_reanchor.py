"""Golden items carried over edits of their documents."""

from answerable.flow.reanchor import SIMILAR, Carried, Carrier, states
from answerable.records.docs import EVERYONE, Document, Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.index import IndexedDocument

QUOTE = "The full salary is paid for sixteen weeks in Norvania and six weeks in Ostrevia."


def carrier(**texts: str) -> Carrier:
    """Documents kb/NAME.md."""
    documents = {
        name: Document(name, f"kb/{name}.md", "", text, (), "sha", "plain")
        for name, text in texts.items()
    }
    rows = {
        d.id: IndexedDocument(
            d.id, d.uri, "", "", "plain", "", "sha", "", "", EVERYONE, (), chunks=0, words=0
        )
        for d in documents.values()
    }
    return Carrier(rows, lambda id, sha: documents[id])


def only(carried: Carried) -> tuple[str, Evidence | None]:
    (place,) = carried.places
    return place.state, place.after


def item(*evidence: Evidence, answers: tuple[str, ...] = ()) -> GoldenItem:
    return GoldenItem("q", "?", evidence, answers=answers)


def test_a_quote_that_still_stands_is_kept_and_its_span_follows() -> None:
    carry = carrier(a=f"New first line.\n\n{QUOTE} More.")
    assert only(carry(item(Evidence("a.md", QUOTE)))) == ("kept", Evidence("a.md", QUOTE))
    followed = only(carry(item(Evidence("a.md", QUOTE, Span(0, len(QUOTE))))))
    assert followed == ("kept", Evidence("a.md", QUOTE, Span(17, 17 + len(QUOTE))))


def test_a_slightly_reworded_quote_is_moved_to_its_new_words_with_the_full_stop() -> None:
    new = QUOTE.replace("sixteen", "seventeen")
    carried = carrier(a=f"Intro.\n\n{new}\n\nThe rest is of other things entirely.")(
        item(Evidence("a.md", QUOTE, grade=2), answers=("six weeks",))
    )
    assert only(carried) == ("moved", Evidence("a.md", new, grade=2))
    assert carried.places[0].similarity is not None and carried.places[0].similarity > 0.95
    assert carried.item is not None and carried.item.evidence[0].quote == new


def test_a_rewording_that_changes_the_answer_is_quarantined() -> None:
    new = QUOTE.replace("sixteen", "seventeen")
    carried = carrier(a=new)(item(Evidence("a.md", QUOTE), answers=("16 weeks", "sixteen weeks")))
    assert carried.item is None
    assert carried.why.startswith("kb/a.md was reworded and no longer says '16 weeks'")


def test_a_quote_too_unlike_everything_is_lost() -> None:
    carried = carrier(a="Half of the salary goes on for sixteen months, say the terms.")(
        item(Evidence("a.md", QUOTE))
    )
    assert carried.item is None and carried.why == "the quote is not in kb/a.md"
    assert SIMILAR == 0.75


def test_two_places_alike_are_no_place() -> None:
    one, two = QUOTE.replace("sixteen", "fifteen"), QUOTE.replace("sixteen", "eighteen")
    carried = carrier(a=f"{one}\n\nBetween stand some other words of another kind.\n\n{two}")(
        item(Evidence("a.md", QUOTE))
    )
    assert carried.item is None


def test_a_document_that_was_renamed_is_found_by_the_quote() -> None:
    carry = carrier(new=f"Intro. {QUOTE}", other="Nothing of it.")
    assert only(carry(item(Evidence("old.md", QUOTE)))) == (
        "moved",
        Evidence("kb/new.md", QUOTE),
    )
    twice = carrier(new=QUOTE, copy=QUOTE)(item(Evidence("old.md", QUOTE)))
    assert twice.item is None and "several other places have it" in twice.why


def test_a_span_alone_cannot_be_verified_and_past_the_end_it_is_lost() -> None:
    carry = carrier(a="0123456789")
    assert only(carry(item(Evidence("a.md", "", Span(2, 5)))))[0] == "unsure"
    assert carry(item(Evidence("a.md", "", Span(8, 12)))).why == (
        "its span ends at 12, kb/a.md at 10"
    )
    assert only(carry(item(Evidence("a.md"))))[0] == "kept"


def test_a_repeated_quote_whose_span_names_neither_is_lost() -> None:
    carry = carrier(a="abc def abc")
    assert only(carry(item(Evidence("a.md", "abc", Span(8, 11)))))[0] == "kept"
    assert carry(item(Evidence("a.md", "abc", Span(1, 4)))).item is None
    assert only(carry(item(Evidence("a.md", "abc"))))[0] == "kept"


def test_an_item_lives_on_by_its_other_way_and_the_lost_one_is_told() -> None:
    lost, left = Evidence("a.md", "words that are gone for good"), Evidence("a.md", "here")
    carried = carrier(a="it is here")(GoldenItem("q", "?", (lost,), ((left,),)))
    assert carried.item == GoldenItem("q", "?", (left,))
    assert carried.lost == ((lost,),)


def test_all_places_of_a_way_are_needed() -> None:
    carried = carrier(a="one place here")(
        item(Evidence("a.md", "one place"), Evidence("a.md", "and a second that is gone"))
    )
    assert carried.item is None


def test_states_are_counted_by_item() -> None:
    carry = carrier(a=f"{QUOTE} here", b="moved words that were elsewhere")
    items = [
        item(Evidence("a.md", QUOTE), Evidence("a.md", "here")),
        item(Evidence("a.md", "moved words that were elsewhere")),
        item(Evidence("a.md", "", Span(0, 3))),
        item(Evidence("a.md", "gone")),
        GoldenItem("u", "?", answerable=False),
    ]
    assert dict(states([carry(one) for one in items])) == {
        "kept": 2,
        "moved": 1,
        "unsure": 1,
        "quarantined": 1,
    }
