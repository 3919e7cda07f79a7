"""Golden evidence placed in documents: names, repeated quotes, missing documents."""

from answerable.flow.locate import locate
from answerable.records.docs import EVERYONE, Block, Document, Span
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.index import IndexedDocument

TEXTS = {"kb/a.md": "abc abc  xyz ", "kb/b.md": "other words"}
DOCUMENTS = {
    uri: Document(
        f"id-{uri}", uri, "", text, (Block("paragraph", Span(0, 1), Span(0, 1)),), "s", "plain"
    )
    for uri, text in TEXTS.items()
}
ROWS = {
    d.id: IndexedDocument(
        d.id, d.uri, "", "", "plain", "", "s", "", "", EVERYONE, (), chunks=0, words=0
    )
    for d in DOCUMENTS.values()
}


def placed(item: GoldenItem):
    by_id = {d.id: d for d in DOCUMENTS.values()}
    return locate(GoldenSet("g", (item,), ""), ROWS, lambda id, sha: by_id[id])


def test_a_span_that_holds_its_quote_is_taken_as_it_is_with_its_white_space() -> None:
    item = GoldenItem("q", "?", (Evidence("kb/a.md", " xyz ", Span(8, 13)),))
    (found,) = placed(item).items
    assert found.evidence == (Evidence("id-kb/a.md", " xyz ", Span(8, 13)),)
    assert found.alternatives == ()


def test_a_quote_that_stands_twice_may_be_found_in_both_unless_a_span_names_one() -> None:
    twice = placed(GoldenItem("q", "?", (Evidence("a.md", "abc"),))).items[0]
    assert [way[0].span for way in (twice.evidence, *twice.alternatives)] == [
        Span(0, 3),
        Span(4, 7),
    ]
    one = placed(GoldenItem("q", "?", (Evidence("a.md", "abc", Span(4, 7)),))).items[0]
    assert one.evidence[0].span == Span(4, 7) and one.alternatives == ()


def test_more_ways_than_readings_kept_are_all_there() -> None:
    others = tuple((Evidence("b.md", "other", None, grade),) for grade in range(1, 101))
    (found,) = placed(GoldenItem("q", "?", (Evidence("a.md", "xyz"),), others)).items
    assert len(found.alternatives) == 100


def test_judged_documents_get_ids_and_missing_marked_ones_stay_counted() -> None:
    item = GoldenItem(
        "q",
        "?",
        (Evidence("gone.md", grade=2),),
        ((Evidence("b.md"),),),
        judged=(Evidence("a.md", grade=0),),
    )
    located = placed(item)
    (found,) = located.items
    assert found.evidence == (Evidence("id-kb/b.md"),)
    assert found.judged == (Evidence("id-kb/a.md", grade=0), Evidence("gone.md", grade=2))
    assert [(p.document, p.lost) for p in located.problems] == [("gone.md", False)]
    assert not located.unmeasured
