"""The HTML report: one file that holds, escapes and links everything."""

import re
from html.parser import HTMLParser

import pytest

from answerable.adapters.formats.report_html import report
from answerable.measure.compare import compare_all
from answerable.records.runs import Failure, Standing
from made_runs import made_run

EVIL = "\"><script>alert(1)</script><img src=x onerror=alert(2)>\x00\ud800 & 'x' \u202eend"


class Page(HTMLParser):
    """Checks that tags nest; keeps ids, links, texts and every attribute."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.outside: list[str] = []
        self.texts: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self._saw(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._saw(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    def _saw(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
            if name in ("src", "action", "data", "srcset"):
                self.outside.append(value or "")


def stood(item: str, rank: int | None, state: str, **about: object) -> Standing:
    return Standing(item, rank, state, uri="a.md", type="markdown", words=90, headings=1, **about)  # type: ignore[arg-type]


@pytest.fixture
def runs() -> list[object]:
    items = ["a", "b", "c", "d", EVIL]
    many = {f"n{i}": 1.0 for i in range(30)}
    base = made_run(
        "whole",
        {
            "complete@5": {"a": 1.0, "b": 0.0, "c": 1.0, "d": None, EVIL: 1.0, **many},
            "nDCG@10": {"a": 1.0, "b": 0.0, "c": 0.63, "d": None, EVIL: 1.0},
            "lexical complete@5": {"a": 1.0, "b": 0.0},
            "words@5": {"a": 1000.0, "b": 1200.0},
            "complete in 300 words": {"a": 1.0, "b": 0.0},
        },
        [
            stood("a", 1, "whole"), stood("b", 12, "missed"), stood("c", 2, "whole"),
            stood(EVIL, 1, "whole"), Standing("d", None, "unmeasured"),
        ],
        [Failure("f", "ask", EVIL)],
        {item: f"What about {item}?" for item in [*items, "f", *many]},
        {"d": "its quote was not found"},
    )  # fmt: skip
    other = made_run(
        "<b>cut</b>",
        {
            "complete@5": {"a": 0.0, "b": 1.0, "c": 1.0, "d": None, EVIL: 0.0, **many},
            "nDCG@10": {"a": 0.5, "b": 1.0, "c": 0.63, "d": None, EVIL: 0.0},
            "lexical complete@5": {"a": 1.0, "b": 1.0},
            "words@5": {"a": 200.0, "b": 260.0},
            "complete in 300 words": {"a": 1.0, "b": 1.0},
        },
        [
            stood("a", None, "cut", cuts=((EVIL, 412),), absent=("refund", EVIL)),
            stood("b", 3, "whole"), stood("c", 2, "whole"), stood(EVIL, 8, "missed"),
        ],
        questions={item: f"What about {item}?" for item in [*items, "f", *many]},
        whys={"d": "its quote was not found"},
    )  # fmt: skip
    return [base, other]


def test_it_nests_links_within_itself_and_loads_nothing(runs: list[object]) -> None:
    source = report(runs, compare_all(*runs))  # type: ignore[arg-type]
    page = Page(source)
    assert len(page.ids) == len(set(page.ids))
    assert {link for link in page.links if not link.startswith("#")} == set()
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert page.outside == []
    assert not page.tags & {"script", "link", "img", "iframe", "object", "base", "form", "b>cut"}
    assert not re.search(r"url\(|@import|https?:", source)


def test_foreign_text_is_text(runs: list[object]) -> None:
    source = report(runs, compare_all(*runs))  # type: ignore[arg-type]
    page = Page(source)
    assert not {name for name in page.attributes if name.startswith("on")}
    assert "\x00" not in source
    source.encode("utf-8")
    shown = EVIL.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert f"What about {shown}?" in page.texts
    assert "<b>cut</b>" in page.texts
    # What turns the direction of writing is kept inside an isolating element.
    assert all(
        "\u202e" not in part for part in re.split(r"<bdi>.*?</bdi>|<title>.*?</title>", source)
    )


def test_numbers_and_both_ends_stand_in_it(runs: list[object]) -> None:
    page = Page(report(runs, compare_all(*runs)))  # type: ignore[arg-type]
    said = " ".join(page.texts)
    # complete@5 over a b c EVIL and 30 more: 33 of 34 before; 32 of 34 after.
    assert "0.9706 → 0.9412" in said
    assert "no difference shown (34 questions can show" in said
    assert "Most gained (1)" in said
    assert "Most lost (2)" in said
    assert "its quote was not found" in said
    assert {"RETRIEVAL".lower(), "metric"} <= {text.lower() for text in page.texts}
    for anchor in ("pictures", "metrics", "comparisons", "failures", "unmeasured", "lists"):
        assert anchor in page.ids
    # d failed to be measured in both, f failed in the base: skipped, and led to.
    assert "s-0" in page.ids


def test_every_mean_leads_to_its_list(runs: list[object]) -> None:
    source = report(runs)  # type: ignore[arg-type]
    leads = re.findall(r'<a href="#(l-[^"]+)" class="n">', source)
    assert len(leads) == len(set(leads)) == 10  # five metrics of two arms
    page = Page(source)
    assert set(leads) <= set(page.ids)
    # One of the 34 measured is 0 in the base: b.
    under = re.search(r'id="l-0-0">.*?</div>', source)
    assert under
    assert re.search(r"<b>0</b> \(1\): <a href=\"#q-\d+\"><bdi>b</bdi></a></p>", under[0])


def test_pictures_are_drawn_for_all_arms(runs: list[object]) -> None:
    source = report(runs, compare_all(*runs))  # type: ignore[arg-type]
    labels = re.findall(r'<svg viewBox="[^"]+" role="img" aria-label="([^"]+)"', source)
    for name in ("Complete evidence by depth", "Words against complete evidence"):
        assert name in labels
    assert any(label.startswith("Rank of the evidence under whole") for label in labels)
    # Ranks 1 12 2 1 of four placed questions: half within 1, three within 5, all within 12.
    assert "whole: 50.0 % within 1, 75.0 % within 5, 75.0 % within 10, 100.0 % within 20" in source
    # One question went from 6-10 (rank 12 is 11-12) up, two went down.
    assert "1 question: 11-12 to 3" in source
    assert "1 question: 1 to not found" in source
    assert "1 question: 1 to 6-10" in source


def test_it_is_the_same_each_time(runs: list[object]) -> None:
    made = report(runs, compare_all(*runs))  # type: ignore[arg-type]
    assert made == report(runs, compare_all(*runs))  # type: ignore[arg-type]


def test_nothing_measured_is_said() -> None:
    page = Page(report([made_run("a", {"m": {"x": None}})]))
    said = " ".join(page.texts)
    assert "not measurable" in said
    assert "there is nothing to draw" in said
    assert Page(report([])).texts


def test_long_lists_are_cut_with_their_number() -> None:
    scores = {f"q{i}": float(i % 2) for i in range(3000)}
    source = report([made_run("a", {"m": scores})])
    assert "and 2,900 more of higher value" in source
    assert source.count('<tr id="q-') == 100
