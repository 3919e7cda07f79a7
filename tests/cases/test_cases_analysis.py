"""Cases E01, E03 and G05: the analyzer and the lexical search on the inputs given there."""

import json
from pathlib import Path

import numpy as np

from answerable.rank import bm25, sparse
from answerable.rank.analyze import Analyzer

CASES = Path(__file__).parents[1] / "fixtures" / "cases" / "cases.jsonl"
EN = Analyzer()


def case(name: str) -> dict:
    for line in CASES.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        if found["id"] == name:
            return found["input"]["inline"]
    raise LookupError(name)


def searcher(docs: dict):
    bodies = [doc["text"] if isinstance(doc, dict) else doc for doc in docs.values()]
    leads = [doc["file"] if isinstance(doc, dict) else "" for doc in docs.values()]
    index = sparse.build(
        [EN.terms(body).words for body in bodies], [EN.terms(lead).words for lead in leads]
    )
    names = list(docs)
    live = [np.ones(len(names), dtype=bool)]

    def search(question: str) -> list[str]:
        found = bm25.search(
            [index], live, EN.query(question), 10, k1=1.2, b=0.75, lead_boost=1.0, allow=[None]
        )
        assert all(score > 0 for _, _, score in found)
        return [names[ordinal] for _, ordinal, _ in found]

    return search


def test_e01_two_encodings_of_one_word() -> None:
    given = case("E01")
    search = searcher(given["docs"])
    expected = [["N1", "N2"]] * 2 + [["N3", "N4"]] * 2 + [["N5"]] * 2 + [["N6"]]
    assert [sorted(search(query)) for query in given["queries"]] == expected
    assert search("Zu\u0308rich.md") == ["N6"]


def test_e03_scripts_without_spaces() -> None:
    given = case("E03")
    search = searcher(given["docs"])
    first = [search(query) for query in given["queries"]]
    assert [found[0] for found in first] == ["K1", "K2", "K3", "K4", "K2"]
    # What shares no term with the question is not returned at all.
    assert [len(found) for found in first] == [1, 1, 1, 1, 1]
    assert search("泵") == ["K1"]


def test_g05_questions_are_words_and_not_a_query_language() -> None:
    given = case("G05")
    search = searcher(given["docs"])
    found = {query: search(query) for query in given["queries"]}
    for query in ['what\'s the "retry-after" value?', "BENCH-100821", "grammar::fa"]:
        assert found[query] == ["1"], query
    for query in ["pump AND", "title:pump", "-alarm", "(pump", "pump OR OR valve", "^retry"]:
        assert found[query] == ["1"], query
    for query in ["", "   ", "*", '"', "'; DROP TABLE t; --", "🙂", "20.04"]:
        assert found[query] == [], query
