"""The report says what its arms differ in, and draws every interval whole."""

import re
from dataclasses import replace

import pytest

from answerable.adapters.formats import report_html, report_markdown
from answerable.measure.compare import compare_all
from made_runs import made_run

EVIL = "<script>x|y</script>"


@pytest.fixture
def arms():
    items = [f"q{n}" for n in range(20)]
    base = made_run("base", {"m": {i: float(n < 18) for n, i in enumerate(items)}}, depth=3)
    other = made_run("other", {"m": {i: float(n < 4) for n, i in enumerate(items)}}, depth=3)
    same = (("ask.search.mode", '"overlap"'), ("ingest.cut[0].size", "64"))
    passages = "ask.context.passages"
    return (
        replace(base, recipe=(*same, ("ingest.cut[0].by", '"words"'), (passages, "3"))),
        replace(other, recipe=(*same, ("ingest.cut[0].by", f'"{EVIL}"'), (passages, "5"))),
    )


def test_the_page_has_the_keys_that_differ_and_folds_the_others(arms) -> None:
    source = report_html.report(arms)
    table = source.split("What the arms differ in")[1].split("<details>")[0]
    assert re.findall(r'scope="row"><bdi>(.*?)</bdi>', table) == [
        "ask.context.passages",
        "ingest.cut[0].by",
    ]
    assert "<td><bdi>words</bdi></td><td><bdi>&lt;script&gt;x|y&lt;/script&gt;</bdi></td>" in table
    assert "the same in all arms (2 keys)" in source
    assert "other sends 5 pieces where the experiment&#x27;s depth is 3" in source
    assert "base sends" not in source


def test_one_arm_alone_has_its_recipe_folded(arms) -> None:
    source = report_html.report(arms[:1])
    assert "What the arms differ in" not in source
    folded = source.split("<summary>the recipe</summary>")[1].split("</details>")[0]
    assert folded.count('scope="row"') == 4


def test_like_recipes_and_unknown_ones(arms) -> None:
    assert "Nothing: their recipes are the same." in report_html.report([arms[0], arms[0]])
    unknown = [replace(run, recipe=()) for run in arms]
    assert "differ in" not in report_html.report(unknown) + report_markdown.report(unknown)


def test_markdown_has_the_same(arms) -> None:
    made = report_markdown.report(arms)
    assert "| ask.context.passages | 3 | 5 |\n" in made
    assert '| ingest.cut\\[0\\].by | "words" | "\\<script\\>x\\|y\\</script\\>" |' in made
    assert "> other sends 5 pieces where" in made
    assert report_markdown.report(arms[:1]).split("\n")[2].startswith("1 arm, 20 questions")


def test_a_large_difference_is_drawn_with_both_ends(arms) -> None:
    (found,) = compare_all(*arms, ["m"])
    assert found.delta == pytest.approx(-0.7)
    source = report_html.report(arms, [found])
    # The interval's low end is the farthest from 0 and sets the scale: 75 - 68 = 7; 75 is 0.
    drawn = re.search(
        r'<line x1="([\d.]+)" x2="([\d.]+)" y1="9"[^>]*/><circle cx="([\d.]+)"', source
    )
    assert drawn
    low, high, middle = map(float, drawn.groups())
    assert low == pytest.approx(7)
    assert high == pytest.approx(75 - 68 * found.high / found.low, abs=1e-3)
    assert middle == pytest.approx(75 - 68 * 0.7 / -found.low, abs=1e-3)
