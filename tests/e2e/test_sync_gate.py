"""`sync --gate`: what harms the golden set waits, what is deleted or hidden goes in any case."""

from __future__ import annotations

import json

import pytest

from answerable.adapters.database import SourceRow
from answerable.records.index import Filter

PAGES = {
    "pump.md": "# Pump\n\nThe pump starts at seven in the morning.\n",
    "lamp.md": "# Lamp\n\nThe lamp glows green when the door is shut.\n",
    "gate.md": "# Gate\n\nThe gate code is changed every Monday.\n",
    "cart.md": "# Cart\n\nThe cart carries forty kilos at most.\n",
}
QUESTIONS = [
    ("pump", "When does the pump start?", "pump.md", "starts at seven in the morning", "seven"),
    ("lamp", "Which colour has the lamp?", "lamp.md", "glows green", "green"),
    ("gate", "When is the gate code changed?", "gate.md", "changed every Monday", "Monday"),
    ("cart", "How many kilos does the cart carry?", "cart.md", "carries forty kilos", "forty"),
]


def golden(bench):
    rows = [
        {
            "id": id,
            "question": question,
            "evidence": [{"document": document, "quote": quote}],
            "answers": [answer],
        }
        for id, question, document, quote, answer in QUESTIONS
    ]
    path = bench.folder / "golden.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def kb(bench):
    made = bench(PAGES)
    made.add()
    golden(made)
    return made


def gated(kb, *more):
    done = kb.cli("sync", "--gate", kb.folder / "golden.jsonl", "--json", *more)
    return done, (done.json if done.out else None)


def flood(kb):
    """Thirty pages that talk of nothing but the pump: its evidence leaves the five that count."""
    for number in range(30):
        kb.write(f"x{number}.md", f"# Pump start {number}\n\nThe pump start, pump start.\n")


def test_a_change_that_harms_nothing_is_published(kb):
    kb.write("door.md", "# Door\n\nThe door is blue.\n")
    done, said = gated(kb)
    assert done.code == 0, done.err
    assert said["swapped"] and said["complete"] and said["added"] == 1
    assert said["gate"]["passed"] and said["gate"]["failures"] == [] == said["gate"]["fell"]
    assert said["gate"]["questions"] == 4
    assert kb.uris("blue door")[0] == "door.md"


def test_a_change_that_harms_waits_and_the_old_generation_is_served(kb):
    before = kb.base.info()
    flood(kb)
    done, said = gated(kb)
    assert done.code == 1
    assert (said["swapped"], said["generation"]) == (False, before.name)
    assert kb.base.info() == before
    gate = said["gate"]
    assert not gate["passed"] and gate["failures"]
    fell = {(one["item_id"], one["metric"]): (one["before"], one["after"]) for one in gate["fell"]}
    assert fell["pump", "complete@5"] == (1.0, 0.0)
    assert {item for item, _ in fell} == {"pump"}
    assert "x1.md" not in kb.uris("pump start")
    assert kb.base.database.parsed(), "what was read stays for the next try"
    # the same pages in few enough copies do no harm: nothing is stuck
    for number in range(3, 30):
        (kb.folder / "docs" / f"x{number}.md").unlink()
    done, said = gated(kb)
    assert done.code == 0 and said["swapped"] and said["parsed"] == 0


def test_the_report_names_what_fell(kb):
    flood(kb)
    done = kb.cli("sync", "--gate", kb.folder / "golden.jsonl")
    assert done.code == 1
    assert "pump  complete@5 1 -> 0: When does the pump start?" in done.out
    assert "broken  complete@5 not worse by 0.02" in done.out
    assert "added     docs/x0.md" in done.out
    assert "the gate failed: nothing is published; generation 000001 is served" in done.err
    status = kb.cli("status", "--json").json
    assert status["last_sync"]["gate"] == "failed"
    assert "the gate failed, changes wait" in kb.cli("status").out


def test_a_deleted_page_is_gone_although_the_gate_failed(kb):
    flood(kb)
    (kb.folder / "docs" / "lamp.md").unlink()
    done, said = gated(kb)
    assert done.code == 1
    assert (said["swapped"], said["withdrawn"], said["removed"]) == (False, True, 1)
    assert kb.uris("lamp glows green") == []
    assert kb.base.info().documents == 3
    assert kb.base.info().name == said["generation"] != "000001"
    # its question cannot be asked any more: named, and no reason to fail
    assert [item for item, _ in said["gate"]["quarantined"]] == ["lamp"]
    assert {one["item_id"] for one in said["gate"]["fell"]} == {"pump"}
    assert said["deletion_window_seconds"] > 0


def test_a_deletion_alone_passes(kb):
    (kb.folder / "docs" / "lamp.md").unlink()
    done, said = gated(kb)
    assert done.code == 0
    assert said["swapped"] and said["withdrawn"] and said["gate"] is None
    assert kb.uris("lamp") == []
    assert kb.cli("sync", "--json").json["generation"] == said["generation"]


def test_a_page_that_comes_back_after_a_failed_gate_is_read_again(kb):
    flood(kb)
    (kb.folder / "docs" / "lamp.md").unlink()
    assert gated(kb)[0].code == 1
    kb.write("lamp.md", PAGES["lamp.md"])
    for number in range(30):
        (kb.folder / "docs" / f"x{number}.md").unlink()
    done, said = gated(kb)
    assert done.code == 0 and said["added"] == 1
    assert kb.uris("lamp glows green") == ["lamp.md"]


def test_text_that_was_gutted_is_more_than_a_few_lost_questions(kb):
    for name in ("pump.md", "cart.md"):
        kb.write(name, "# Signed out\n\nPlease sign in to go on.\n")
    done, said = gated(kb)
    assert done.code == 1
    assert any("evidence in place" in one for one in said["gate"]["failures"])
    lost = {one["item_id"]: one["after"] for one in said["gate"]["fell"]}
    assert lost == {"pump": None, "cart": None}
    assert kb.uris("pump starts seven")[0] == "pump.md"


def test_rules_of_ones_own(kb):
    rules = kb.folder / "rules.toml"
    rules.write_text('[[rule]]\nmetric = "complete@5"\nat_least = 0.7\n')
    flood(kb)
    done, said = gated(kb, "--rules", rules)
    assert done.code == 0, done.out  # three of four questions hold
    assert [one["item_id"] for one in said["gate"]["fell"]] == ["pump"]
    done = kb.cli("sync", "--rules", rules)
    assert done.code == 2 and "--rules without --gate" in done.err


def test_the_first_generation_has_nothing_to_be_compared_with(bench):
    kb = bench(PAGES)
    golden(kb)
    row = SourceRow("docs", "folder", {"root": str(kb.folder / "docs")}, "now")
    kb.base.database.put_source(row)
    done, said = gated(kb)
    assert done.code == 0, done.err
    assert said["gate"]["checked"] == ["nothing to compare with: this is the first generation"]


def test_a_rebuild_is_compared_with_what_the_old_recipe_served(kb):
    kb.configure(kb.toml + '[[ingest.cut]]\nby = "words"\nsize = 3\nunit = "words"\n')
    done, said = gated(kb, "--rebuild")
    assert done.code == 1  # no sentence is whole any more, so answers get lost
    assert {one["metric"] for one in said["gate"]["fell"]} == {"right"}
    assert said["gate"]["failures"][0].startswith("right not worse by 0.02")
    assert kb.base.info().name == "000001"
    kb.configure(kb.toml)
    assert kb.uris("pump")[0] == "pump.md"


def test_a_reader_who_lost_a_page_loses_it_although_the_gate_failed(kb):
    source = kb.folder / "wages.jsonl"
    row = {"id": "pay", "text": "Wages are paid on Friday.", "access": ["hr", "all"]}
    source.write_text(json.dumps(row) + "\n")
    assert kb.cli("add", source).code == 0
    asked = Filter(principals=("all",))
    assert kb.uris("wages paid", asked)
    flood(kb)
    source.write_text(json.dumps({**row, "text": "Wages are paid on Monday.", "access": ["hr"]}))
    done, said = gated(kb)
    assert done.code == 1 and said["withdrawn"]
    assert kb.uris("wages paid", asked) == []
    # who may read both still has the old text: the new one waits
    assert "Friday" in kb.texts("wages paid", Filter(principals=("hr",)))[0]


def test_a_new_source_can_be_gated_too(kb):
    for number in range(30):
        kb.write(f"y{number}.md", "# Pump start\n\nThe pump start, pump start.\n", "more")
    golden_file = kb.folder / "golden.jsonl"
    done = kb.cli("add", kb.folder / "more", "--gate", golden_file, "--json")
    assert done.code == 1 and not done.json["swapped"] and done.json["gate"]["failures"]
    assert kb.base.info().name == "000001"
    assert kb.cli("add", kb.folder / "more", "--json").json["swapped"]


def test_a_golden_set_that_cannot_be_asked_changes_nothing(kb):
    kb.write("door.md", "# Door\n\nThe door is blue.\n")
    empty = kb.folder / "none.jsonl"
    assert kb.cli("sync", "--gate", empty).code == 3
    empty.write_text("{")
    assert kb.cli("sync", "--gate", empty).code == 3
    rules = kb.folder / "rules.toml"
    rules.write_text('[[rule]]\nmetric = "nonsense"\nat_least = 1\n')
    done = kb.cli("sync", "--gate", kb.folder / "golden.jsonl", "--rules", rules)
    assert done.code == 2 and "nonsense" in done.err
    assert kb.base.info().name == "000001"
    names = [path.name for path in (kb.folder / ".answerable/index/generations").iterdir()]
    assert names == ["000001"]
