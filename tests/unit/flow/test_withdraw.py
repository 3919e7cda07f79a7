"""What leaves at once while new texts wait, by hand."""

from __future__ import annotations

from dataclasses import replace

from answerable.flow.swap import Fresh, Next, without
from answerable.records.docs import EVERYONE, Access, all_of
from answerable.records.index import GenerationInfo, IndexedDocument

INFO = GenerationInfo("000001", "", "ingest", "", 0, 0, 0, 0)


def page(name, access=EVERYONE, includes=(), sha="old"):
    return IndexedDocument(
        id=name,
        uri=f"wiki/{name}",
        title="",
        link="",
        type="plain",
        language="",
        sha256=sha,
        revision="1",
        source="wiki",
        access=access,
        meta=(),
        chunks=1,
        words=1,
        includes=tuple(f"wiki/{one}" for one in includes),
    )


def left(rows, keep=(), fresh=(), gone=()):
    kept = {row.id: row for row in keep}
    entering = [Fresh(row.id, row.sha256, "wiki", row.access) for row in fresh]
    found, hidden = without(Next(INFO, tuple(rows), kept, entering, list(gone), True))
    return found, hidden


HR, OPS = Access(("hr",)), Access(("ops",))


def test_what_is_gone_leaves_and_what_is_new_does_not_come():
    a, b, c = page("a"), page("b"), page("c")
    found, hidden = left([a, b], keep=[a], fresh=[c], gone=[b])
    assert (found, hidden) == ({"a": a}, ())


def test_a_row_that_stays_is_as_it_is_listed_now():
    a = page("a")
    now = replace(a, access=HR, link="https://x/a")
    assert left([a], keep=[now])[0] == {"a": now}
    wider = replace(page("a", HR), access=EVERYONE)
    assert left([page("a", HR)], keep=[wider])[0] == {"a": wider}


def test_an_old_text_is_for_those_who_may_read_both():
    old = page("a", HR)
    assert left([old], fresh=[page("a", EVERYONE, sha="new")])[0]["a"].access == HR
    assert left([page("a")], fresh=[page("a", OPS, sha="new")])[0]["a"].access == OPS
    both = left([old], fresh=[page("a", OPS, sha="new")])[0]["a"]
    assert both.access == all_of([["hr"], ["ops"]])
    assert not both.access.allows(["hr"]) and both.access.allows(["hr", "ops"])
    assert both.sha256 == "old"


def test_of_an_equal_text_that_is_cut_anew_the_readers_are_those_of_now():
    assert left([page("a", HR)], fresh=[page("a", EVERYONE)])[0]["a"].access == EVERYONE


def test_an_old_text_that_shows_a_page_that_is_gone_goes_too():
    shows, gone = page("a", includes=["b"]), page("b")
    new = page("a", sha="new")
    found, hidden = left([shows, gone], fresh=[new], gone=[gone])
    assert (found, hidden) == ({}, ("wiki/a",))


def test_an_old_text_that_shows_a_page_with_fewer_readers_goes_too():
    shows, shown = page("a", includes=["b"]), page("b")
    found, hidden = left(
        [shows, shown], keep=[replace(shown, access=HR)], fresh=[page("a", sha="n")]
    )
    assert (set(found), hidden) == ({"b"}, ("wiki/a",))
    # one with more readers, or other ones of an unchanged text that was read again, does no harm
    wider = left([shows, page("b", HR)], keep=[shown], fresh=[page("a", sha="new")])
    assert set(wider[0]) == {"a", "b"}
    again = left([shows, shown], keep=[shows, replace(shown, access=HR)])
    assert set(again[0]) == {"a", "b"}
