"""The procedures on collections whose best recipe is known by how they were made."""

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest

from answerable.config import plain_settings
from answerable.errors import UsageError
from answerable.flow.locate import locate
from answerable.flow.probe import Aim, aim_for
from answerable.flow.tune_cut import tune_cut
from answerable.flow.tune_fusion import SIMPLE, tune_fusion
from answerable.flow.tune_thresholds import tune_thresholds
from answerable.records.docs import Document, RawDoc
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.recipe import Ask, CutRule, EmbedderRule, Ingest, Recipe, SearchRule
from answerable.text.canonical import Canvas
from answerable.wire.corpus import corpus_of
from answerable.wire.tune import Bench, ask_all

LEXICAL = Ask(search=SearchRule(mode="lexical"))


def document(name, paragraphs, kind="markdown"):
    canvas = Canvas()
    for text in paragraphs:
        canvas.paragraph(text)
    return canvas.finish(RawDoc(f"{name}.md", b""), kind, name)


def recipe(size, by="recursive"):
    rule = CutRule(by=by, size=size, unit="words", lead="none")
    return Recipe(Ingest(cut=(rule,), embedder=EmbedderRule(name="")), LEXICAL)


def made(seed=0, documents=24, paragraphs=16):
    """Long texts of 16 paragraphs of 25 words; each question is about one paragraph.

    Its two telling words stand together in that paragraph alone; apart they stand all over the
    corpus, so that long pieces hold many such pairs by chance and short ones do not.
    """
    draw = np.random.default_rng(seed)
    words = [f"w{n}" for n in range(60)]
    pairs = list(itertools.combinations(words, 2))
    draw.shuffle(pairs)
    texts, items = [], []
    for d in range(documents):
        body = []
        for p in range(paragraphs):
            one, other = pairs[(d * paragraphs + p) % len(pairs)]
            noise = [f"n{n}" for n in draw.integers(0, 40, size=21)]
            singles = list(draw.choice(words, size=2, replace=False))
            body.append(" ".join([f"key{d}x{p}", one, other, *singles[:1], *noise]))
            if p % 5 == d % 5:
                quote = f"key{d}x{p} {one} {other}"
                evidence = (Evidence(f"doc{d}.md", quote),)
                items.append(GoldenItem(f"q{d}-{p}", f"{one} {other}", evidence))
        texts.append(document(f"doc{d}", body))
    return texts, GoldenSet("made", tuple(items), "0" * 64)


def bench(texts, golden, tmp_path):
    corpus = corpus_of(texts, plain_settings(tmp_path))
    return corpus, locate(golden, corpus.rows(), corpus.document)


def test_sizes_are_halved_to_the_length_of_what_is_asked_about(tmp_path):
    texts, golden = made()
    corpus, located = bench(texts, golden, tmp_path)
    start = recipe(200)
    aim = Aim("complete in 200 words", "")
    found = tune_cut(corpus, start, located, aim, seconds=time.perf_counter)
    tried = [step.name for step in found.steps]
    assert tried[:3] == ["current", "recursive 100 words", "recursive 400 words"]
    assert "recursive 50 words" in tried
    assert "recursive 25 words" in tried
    change = dict(found.advice.change)
    # A paragraph has 25 words: pieces of one or two of them are best within one halving.
    assert change["ingest.cut.size"] in ("25", "50")
    assert found.advice.low > 0
    assert int(change["ask.context.passages"]) >= 5 * 200 / 50
    # The advice's figure is held out: it is not above what the arm has on all questions.
    arms = {name: sum(values.values()) / len(values) for name, values in found.arms.items()}
    assert found.advice.delta <= max(arms.values()) - arms["current"] + 1e-9


def test_from_whole_documents_larger_cuts_are_tried_as_well(tmp_path):
    # Of 1,150 words each, so that the first cut is of 400.
    texts, items = [], []
    for n in range(30):
        told = " ".join([f"subject{n}", *(f"w{n}x{k}" for k in range(250))])
        rest = [" ".join(f"noise{(n * 7 + p) % 40}x{k % 9}" for k in range(150)) for p in range(6)]
        texts.append(document(f"d{n}", [told, *rest]))
        items.append(GoldenItem(f"q{n}", f"subject{n}", (Evidence(f"d{n}.md", told),)))
    corpus, located = bench(texts, GoldenSet("g", tuple(items), ""), tmp_path)
    whole = CutRule(by="whole", size=0, lead="none")
    start = Recipe(Ingest(cut=(whole,), embedder=EmbedderRule(name="")), LEXICAL)
    aim = Aim("complete in 900 words", "")
    found = tune_cut(corpus, start, located, aim, seconds=time.perf_counter)
    means = {name: sum(v.values()) / len(v) for name, v in found.arms.items()}
    first = next(step.name for step in found.steps if step.name != "current")
    assert first == "headings 400 words"
    assert means["headings 800 words"] == means[first] == 1 > means["current"] == 0
    step = next(step for step in found.steps if step.name == "headings 800 words")
    assert step.against == "headings 400 words"


def test_no_overlap_is_advised_whose_gain_is_not_shown(tmp_path):
    texts, golden = made()
    corpus, located = bench(texts, golden, tmp_path)
    aim = Aim("complete in 200 words", "")
    found = tune_cut(corpus, recipe(200), located, aim, seconds=time.perf_counter)
    unshown = {step.name for step in found.steps if step.low is not None and step.low <= 0}
    variants = {name for name in found.arms if "+" in name or name.startswith("headings")}
    assert variants & unshown
    assert not {*found.held_out.chosen, found.held_out.final} & variants & unshown


@pytest.mark.parametrize(("mode", "doubled"), [("hybrid", False), ("lexical", True)])
def test_no_doubling_goes_beyond_what_the_embedder_reads(tmp_path, mode, doubled):
    texts = [document(f"d{n}", [" ".join(f"w{n}x{k}" for k in range(110))]) for n in range(6)]
    items = tuple(
        GoldenItem(f"q{n}", f"w{n}x1", (Evidence(f"d{n}.md", f"w{n}x1 w{n}x2"),)) for n in range(6)
    )
    corpus, located = bench(texts, GoldenSet("g", items, ""), tmp_path)
    rule = CutRule(by="words", size=128, unit="tokens", lead="none")
    start = Recipe(Ingest(cut=(rule,)), Ask(search=SearchRule(mode=mode)))
    found = tune_cut(corpus, start, located, Aim("MRR", ""), seconds=time.perf_counter)
    assert ("words 256 tokens" in found.arms) is doubled


def test_where_nothing_can_be_gained_the_current_cut_stays_and_words_are_checked(tmp_path):
    texts = [document(f"d{n}", [f"alpha{n} beta gamma delta"]) for n in range(20)]
    items = tuple(
        GoldenItem(f"q{n}", f"unheard{n} of", (Evidence(f"d{n}.md", f"alpha{n} beta"),))
        for n in range(20)
    )
    corpus, located = bench(texts, GoldenSet("g", items, ""), tmp_path)
    found = tune_cut(corpus, recipe(200), located, Aim("complete@5", ""), seconds=time.perf_counter)
    assert found.advice.change == ()
    words = next(step for step in found.steps if step.name == "vocabulary")
    assert dict(words.values)["other words"] == 1.0
    assert "20 of 20 failing questions lack half of their words" in words.decision
    assert "hybrid" in words.decision


def test_a_figure_at_its_ceiling_is_said_to_be(tmp_path):
    texts = [document(f"d{n}", [f"alpha{n} beta gamma delta"]) for n in range(10)]
    items = tuple(
        GoldenItem(f"q{n}", f"alpha{n}", (Evidence(f"d{n}.md", f"alpha{n} beta"),))
        for n in range(10)
    )
    corpus, located = bench(texts, GoldenSet("g", items, ""), tmp_path)
    found = tune_cut(corpus, recipe(200), located, Aim("complete@5", ""), seconds=time.perf_counter)
    words = next(step for step in found.steps if step.name == "vocabulary")
    assert words.decision.startswith("no question fails: complete@5 is at its ceiling here")


def test_a_type_that_lost_keeps_the_old_cut_by_a_rule_measured_on_other_questions(tmp_path):
    texts, golden = made()
    # Of another type: 90 words that belong together, of which only the first is asked for.
    items = list(golden.items)
    for n in range(16):
        body = " ".join([f"proc{n}", *(f"s{n}x{k}" for k in range(89))])
        read = document(f"steps{n}", [body])
        texts.append(Document(**{**_fields(read), "type": "plain"}))
        items.append(GoldenItem(f"p{n}", f"proc{n}", (Evidence(f"steps{n}.md", body),)))
    corpus, located = bench(texts, GoldenSet("g", tuple(items), ""), tmp_path)
    found = tune_cut(
        corpus, recipe(100), located, Aim("complete in 100 words", ""), seconds=time.perf_counter
    )
    step = next(step for step in found.steps if step.name == "rules by type")
    assert step.change.startswith("plain keep recursive 100 words")
    assert step.low > 0
    assert "ingest.cut (match 'type:plain')" in dict(found.advice.change)


def test_the_aim_has_the_words_that_the_passages_have_now(tmp_path):
    texts, golden = made()
    corpus, located = bench(texts, golden, tmp_path)
    # Pieces of 50 words are two paragraphs of 25; five of them are 250 words.
    assert aim_for(corpus, recipe(50), located).metric == "complete in 250 words"
    whole = GoldenSet("g", (GoldenItem("q", "w1", (Evidence("doc1.md"),)),), "")
    placed = locate(whole, corpus.rows(), corpus.document)
    assert aim_for(corpus, recipe(50), placed).metric == "held@5"
    assert aim_for(corpus, recipe(50), placed, "nDCG@10").metric == "nDCG@10"


class TestFusion:
    """Topics in words and in vectors, from the embedded model."""

    def bench(self, tmp_path, questions):
        facts = [
            ("Cats", "The cat sleeps on the warm sofa all day long."),
            ("Rain", "Heavy rain is expected in the mountains tomorrow."),
            ("Bread", "Bread is baked with flour, water, salt and yeast."),
            ("Trains", "The express train to the coast leaves at noon."),
            ("Tax", "Income tax must be paid before the end of May."),
            ("Phones", "A phone battery lasts two days without charging."),
            ("Gardens", "Water the tomatoes every evening in summer."),
            ("Chess", "A bishop moves diagonally across the board."),
        ]
        texts = [document(name.lower(), [text]) for name, text in facts]
        items = tuple(
            GoldenItem(f"q{n}", question, (Evidence(f"{name}.md", quote),))
            for n, (question, name, quote) in enumerate(questions)
        )
        return bench(texts, GoldenSet("g", items, ""), tmp_path)

    def test_without_vectors_there_is_nothing_to_fuse(self, tmp_path):
        corpus, located = self.bench(tmp_path, [("cat", "cats", "The cat sleeps")])
        with pytest.raises(UsageError, match="embeds nothing"):
            tune_fusion(corpus, recipe(200), located, Aim("MRR", ""), seconds=time.perf_counter)

    def test_where_all_arms_are_right_the_fusion_in_use_stays(self, tmp_path):
        asked = [
            ("Where does the cat sleep?", "cats", "The cat sleeps"),
            ("When is tax due?", "tax", "Income tax"),
            ("What is bread baked with?", "bread", "Bread is baked"),
            ("When does the train leave?", "trains", "The express train"),
            ("How does a bishop move?", "chess", "A bishop moves"),
            ("How long does the battery last?", "phones", "A phone battery"),
        ]
        corpus, located = self.bench(tmp_path, asked)
        found = tune_fusion(corpus, Recipe(), located, Aim("MRR", ""), seconds=time.perf_counter)
        assert set(found.arms[SIMPLE].values()) == {1.0}
        assert found.over_simple.gain.delta == 0
        assert found.advice.change == ()
        assert "no weight is shown to gain over convex 0.4" in found.advice.because
        assert "current" in [step.name for step in found.steps]


class TestThresholds:
    """Questions that fail or cannot be judged stand beside the figures, not in them."""

    def test_what_is_left_out_is_counted_and_named(self, tmp_path):
        texts, golden = made()
        asked = [replace(item, answers=(item.evidence[0].quote,)) for item in golden.items[:6]]
        asked += [GoldenItem(f"n{n}", f"z{n} zz{n}", answerable=False) for n in range(6)]
        asked.append(GoldenItem("open", "w1 w2"))
        corpus, located = bench(texts, GoldenSet("g", tuple(asked), ""), tmp_path)
        ask = ask_all(Bench(corpus, recipe(100), located, (), time.perf_counter), 1)

        def failing(recipe, questions):
            return {id: trace for id, trace in ask(recipe, questions).items() if id != "n5"}

        found = tune_thresholds(recipe(100), located, failing, seconds=time.perf_counter)
        assert dict(found.left_out) == {
            "n5": "it failed when it was asked",
            "open": "it has no evidence",
        }
        assert found.judged == 11
        assert found.held_out.gain.n == 11
        counted = found.current
        assert counted.answered + counted.refused + counted.declined + counted.babbled == 11


def _fields(record):
    return {name: getattr(record, name) for name in record.__slots__}
