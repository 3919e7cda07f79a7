"""No search, answer, expansion, citation or trace shows a page to who may not read it."""

from __future__ import annotations

import io
import json
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from answerable.adapters.database import SourceRow
from answerable.cli.main import main
from answerable.records.docs import EVERYONE, NOBODY, Access, all_of
from answerable.records.index import Filter
from answerable.wire.base import open_base

PEOPLE = {
    "ada": ("user:ada", "group:ops"),
    "ben": ("user:ben", "group:hr", "group:ops"),
    "cyd": ("user:cyd",),
    "": (),
}
PRINCIPALS = ("user:ada", "user:ben", "user:eve", "group:ops", "group:hr", "group:none")
LEXICAL = '[ingest.embedder]\nname = ""\n[ask.search]\nmode = "lexical"\n'

restriction = st.none() | st.lists(st.sampled_from(PRINCIPALS), max_size=3, unique=True)


@st.composite
def wikis(draw):
    count = draw(st.integers(2, 7))
    pages = {}
    for number in range(count):
        parent = draw(st.none() | st.integers(0, number - 1)) if number else None
        includes = draw(st.lists(st.integers(0, count - 1), max_size=2, unique=True))
        pages[str(number)] = {
            "title": f"Page {number}",
            "version": 1,
            "body": f"The lantern secret of page {number} is zeb{number}qq.",
            "parent": None if parent is None else str(parent),
            "readers": draw(restriction),
            "includes": [f"Page {other}" for other in includes],
        }
    later = {id: draw(restriction) for id in pages}
    broken = draw(st.lists(st.sampled_from(sorted(pages)), max_size=2))
    space = draw(st.sampled_from([None, ["group:ops"], ["group:ops", "user:cyd"]]))
    return {"space": space, "pages": pages}, later, broken


def may(wiki, who, id):
    """The rule of the site, said again: the space and every page from here to the top let in."""
    held = set(PEOPLE[who])
    lists = [wiki["space"]]
    while id is not None:
        lists.append(wiki["pages"][id]["readers"])
        id = wiki["pages"][id]["parent"]
    return all(one is None or held & set(one) for one in lists)


def check(folder, wiki):
    kb = open_base(folder)
    for who, principals in PEOPLE.items():
        filter = Filter(principals=principals)
        for id in wiki["pages"]:
            question = f"What is the lantern secret zeb{id}qq of page {id}?"
            _, chunks, documents = kb.search(question, filter)
            uris = {documents[c.document_id].uri for c in chunks.values()}
            allowed = {f"wiki/{other}" for other in wiki["pages"] if may(wiki, who, other)}
            assert uris <= allowed
            if f"wiki/{id}" in allowed:
                assert f"wiki/{id}" in uris
            trace = kb.ask(question, filter)
            seen = json.dumps(
                [
                    [documents[c.document_id].text for c in chunks.values()],
                    [p.text for p in trace.passages],
                    trace.answer.text,
                    [c.quote for s in trace.answer.sentences for c in s.citations],
                    [p.uri for p in trace.passages],
                    trace.route.reason,
                ]
            )
            for other in wiki["pages"]:
                if not may(wiki, who, other):
                    assert f"zeb{other}qq" not in seen, (who, id, other)
                    assert f'wiki/{other}"' not in seen


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(wikis())
def test_nobody_is_shown_a_page_that_the_tree_of_restrictions_hides(drawn):
    wiki, later, broken = drawn
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "answerable.toml").write_text(LEXICAL)
        file = folder / "wiki.json"
        file.write_text(json.dumps(wiki))
        kb = open_base(folder)
        kb.database.put_source(SourceRow("wiki", "restricted_wiki:make", {"root": str(file)}, ""))
        kb.sync()
        check(folder, wiki)
        # The readers change, no page does; some pages cannot even be read any more.
        for id, readers in later.items():
            wiki["pages"][id]["readers"] = readers
        for id in broken:
            wiki["pages"][id]["broken"] = True
        file.write_text(json.dumps(wiki))
        kb.sync()
        check_hidden(folder, wiki)


def check_hidden(folder, wiki):
    """As `check`, for hiding alone: pages that cannot be read may have been taken out."""
    kb = open_base(folder)
    for who, principals in PEOPLE.items():
        arguments = [part for name in principals for part in ("--as", name)]
        for id in wiki["pages"]:
            question = f"What is the lantern secret zeb{id}qq of page {id}?"
            trace = kb.ask(question, Filter(principals=principals))
            shown = json.dumps([p.text for p in trace.passages]) + trace.answer.text
            for other in wiki["pages"]:
                if not may(wiki, who, other):
                    assert f"zeb{other}qq" not in shown, (who, id, other)
        for verb in ("search", "ask"):
            printed = io.StringIO()
            with redirect_stdout(printed):
                main([verb, "lantern secret", "--kb", str(folder), "--json", *arguments])
            for other in wiki["pages"]:
                if not may(wiki, who, other):
                    assert f"zeb{other}qq" not in printed.getvalue(), (verb, who, other)
                    assert f'"wiki/{other}"' not in printed.getvalue()


def test_access_of_many_lists_is_their_conjunction():
    assert all_of([]) == all_of([None, None]) == EVERYONE
    assert all_of([["a"], [], None]) == NOBODY
    both = all_of([["b", "a"], ["c"], ["a", "b", "d"]])
    assert both == all_of([["c"], ["a", "b"]]) and both.lists == (("a", "b"), ("c",))
    assert both.allows({"a", "c"}) and not both.allows({"a", "b"}) and not both.allows({"c"})


principals = st.lists(st.sampled_from("abcd"), max_size=3)
accesses = st.lists(st.none() | principals, max_size=4)
held = st.sets(st.sampled_from("abcd"))


@given(accesses, held)
def test_all_of_lets_in_who_holds_one_of_every_list(lists, who):
    expected = all(one is None or who & set(one) for one in lists)
    assert all_of(lists).allows(who) == expected


@given(accesses, accesses, held)
def test_within_is_never_said_of_an_access_that_lets_in_more(first, second, who):
    one, other = all_of(first), all_of(second)
    if one.within(other) and one.allows(who):
        assert other.allows(who)
    assert one.within(one) and NOBODY.within(one) and one.within(EVERYONE)
    assert Access(("a",)).within(Access(("a", "b"))) and not EVERYONE.within(Access(("a",)))


def test_a_page_that_cannot_be_read_again_does_not_go_on_showing_what_it_included(tmp_path):
    def page(title, readers, includes=(), **more):
        return {
            "title": title, "version": 1, "body": f"Own words of {title}.", "parent": None,
            "readers": readers, "includes": list(includes), **more,
        }  # fmt: skip

    wiki = {"space": None, "pages": {"1": page("Desk", None, ["Pay"]), "2": page("Pay", None)}}
    wiki["pages"]["2"]["body"] = "The bonus is zebra nine."
    (tmp_path / "answerable.toml").write_text(LEXICAL)
    file = tmp_path / "wiki.json"
    file.write_text(json.dumps(wiki))
    kb = open_base(tmp_path)
    kb.database.put_source(SourceRow("wiki", "restricted_wiki:make", {"root": str(file)}, ""))
    assert kb.sync().added == 2
    assert {c.document_id for c in kb.search("zebra", Filter(principals=()))[1].values()}
    wiki["pages"]["2"]["readers"] = ["group:hr"]
    wiki["pages"]["1"]["broken"] = True
    file.write_text(json.dumps(wiki))
    report = kb.sync()
    assert report.failed == 1 and "taken out" in report.skipped[0].reason
    assert not kb.search("zebra", Filter(principals=()))[1]
    wiki["pages"]["1"]["broken"] = False
    file.write_text(json.dumps(wiki))
    assert kb.sync().added == 1
    assert not kb.search("zebra", Filter(principals=()))[1]
    assert kb.search("words of Desk", Filter(principals=()))[1]
