"""Experiment files: what they say, and what a wrong one is told."""

from pathlib import Path

import pytest

from answerable.adapters.formats.experiment import read
from answerable.errors import AnswerableError
from answerable.records.experiments import Checker, Experiment
from answerable.records.recipe import CutRule
from answerable.wire.experiment import recipe_maker

HEAD = '[experiment]\ngolden = "golden.jsonl"\ndocuments = "docs"\n'
NAMED = {
    "office": {
        "cut": [{"by": "words", "size": 300, "unit": "words"}],
        "ask.search.k1": 0.9,
    }
}


@pytest.fixture
def parse(tmp_path: Path):
    def make(text: str) -> Experiment:
        path = tmp_path / "pair.toml"
        path.write_text(text, encoding="utf-8")
        return read(path, recipe_maker(tmp_path, NAMED))

    return make


def test_a_small_file_has_the_defaults(parse) -> None:
    found = parse(HEAD + '[[arm]]\nname = "now"\n')
    assert (found.name, found.golden, found.documents) == ("pair", "golden.jsonl", ("docs",))
    assert (found.depth, found.seed, found.checkers) == (5, 0, ())
    assert [arm.name for arm in found.arms] == ["now"]
    assert found.arms[0].recipe.ask.context.passages == 5


def test_an_arm_takes_short_long_and_nested_keys(parse) -> None:
    found = parse(
        HEAD + "depth = 3\nseed = 7\n"
        "[ask.search]\nb = 0.3\n"
        '[[arm]]\nname = "a"\nk1 = 0.8\n"ask.search.depth" = 20\nfusion.by = "rrf"\n'
        '[[arm]]\nname = "b"\nsearch = { lead_boost = 2.0 }\ncontext.passages = 9\n'
    )
    first, second = (arm.recipe.ask for arm in found.arms)
    assert (first.search.k1, first.search.b, first.search.depth) == (0.8, 0.3, 20)
    assert (first.fusion.by, first.context.passages) == ("rrf", 3)
    assert (second.search.k1, second.search.b, second.search.lead_boost) == (1.2, 0.3, 2.0)
    assert second.context.passages == 9
    assert (found.depth, found.seed) == (3, 7)


def test_an_arm_changes_the_cut_or_replaces_its_rules(parse) -> None:
    found = parse(
        HEAD + '[[ingest.cut]]\nsize = 100\n[[ingest.cut]]\nmatch = "type:html"\nsize = 50\n'
        '[[arm]]\nname = "changed"\ncut.by = "words"\ncut.overlap = 10\n'
        '[[arm]]\nname = "replaced"\n[[arm.cut]]\nby = "whole"\nsize = 0\n'
        '[[arm]]\nname = "kept"\n'
    )
    html = CutRule(size=50, match="type:html")
    changed, replaced, kept = (arm.recipe.ingest.cut for arm in found.arms)
    assert changed == (CutRule(by="words", size=100, overlap=10), html)
    assert replaced == (CutRule(by="whole", size=0),)
    assert kept == (CutRule(size=100), html)


def test_an_arm_may_start_from_a_named_one(parse) -> None:
    found = parse(
        HEAD + '[[arm]]\nlike = "office"\n[[arm]]\nname = "mine"\nlike = "office"\ncut.size = 150\n'
    )
    first, second = (arm.recipe for arm in found.arms)
    assert [arm.name for arm in found.arms] == ["office", "mine"]
    assert first.ingest.cut == (CutRule(by="words", size=300, unit="words"),)
    assert second.ingest.cut == (CutRule(by="words", size=150, unit="words"),)
    assert second.ask.search.k1 == 0.9


def test_an_arm_may_start_from_a_knowledge_base(parse, tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "answerable.toml").write_text(
        '[[ingest.cut]]\nby = "paragraphs"\nsize = 77\noptions = {}\n'
        "[ingest.analyzer]\noptions = { stem = false }\n[ask.search]\nk1 = 0.5\n"
    )
    recipe = parse(HEAD + '[[arm]]\nname = "served"\nlike = "kb"\n').arms[0].recipe
    assert recipe.ingest.cut == (CutRule(by="paragraphs", size=77),)
    assert recipe.ingest.analyzer.options == (("stem", False),)
    assert recipe.ask.search.k1 == 0.5


def test_checkers_are_a_file_and_a_function(parse) -> None:
    found = parse(
        HEAD + '[[arm]]\nname = "now"\n[[checker]]\nuse = "checks.py:strict"\n'
        '[[checker]]\nname = "tone"\nuse = "more/checks.py:polite"\n'
    )
    assert found.checkers == (
        Checker("strict", "checks.py:strict"),
        Checker("tone", "more/checks.py:polite"),
    )


ARM = '[[arm]]\nname = "now"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[experiment\n", "pair.toml is not TOML"),
        ("[experiment\n", "line 1"),
        ('[experiment]\nname = "x"\ndocuments = "d"\n' + ARM, "golden = None"),
        (HEAD, "no arm"),
        (HEAD + "deep = 5\n" + ARM, "unknown key deep = 5"),
        (HEAD + "depth = 0\n" + ARM, "depth = 0"),
        (HEAD + "depth = true\n" + ARM, "depth = True"),
        (HEAD + "seed = -1\n" + ARM, "seed = -1"),
        (HEAD + ARM + "[server]\nport = 1\n", "unknown key server"),
        (HEAD + ARM + ARM.replace("now", "Now"), "'Now' stands twice"),
        (HEAD + '[[arm]]\nname = "../up"\n', "name = '../up'"),
        (HEAD + '[[arm]]\nname = "x"\nlike = "nowhere"\n', "'nowhere' is no arm"),
        (HEAD + ARM + "k2 = 3\n", "'k2' is not a recipe key"),
        (HEAD + ARM + "k2 = 3\n", "pair.toml:4 [[arm]]"),
        (HEAD + ARM + 'k1 = "much"\n', "ask.search.k1 = 'much'"),
        (HEAD + ARM + "b = 1.5\n", "ask.search.b = 1.5"),
        (HEAD + ARM + "by = 1\n", "'by' is ambiguous"),
        (HEAD + ARM + ARM.replace("now", "b") + "k1 = []\n", "pair.toml:6 [[arm]]"),
        (HEAD + ARM + '[[checker]]\nuse = "checks.py"\n', "use = 'checks.py'"),
        (HEAD + ARM + '[[checker]]\nuse = "checks.py"\n', "pair.toml:6 [[checker]]"),
        (HEAD.replace('"docs"', "[]") + ARM, "documents = []"),
    ],
)
def test_a_wrong_file_is_told_what_and_where(parse, text: str, said: str) -> None:
    with pytest.raises(AnswerableError) as fault:
        parse(text)
    assert said in str(fault.value)
    assert fault.value.exit_code == 2
