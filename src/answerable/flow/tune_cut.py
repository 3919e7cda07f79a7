"""The procedure that finds how to cut: sizes step by step, then headings, then overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import median

from answerable.errors import UsageError
from answerable.flow.corpus import Corpus
from answerable.flow.locate import Located
from answerable.flow.probe import Aim, Probed, probe
from answerable.flow.tune_types import type_rules
from answerable.flow.vocabulary import vocabulary
from answerable.measure.crossfit import HeldOut, best, held_out
from answerable.measure.stats import Paired, paired
from answerable.ports import Progress
from answerable.records.docs import Document
from answerable.records.recipe import CutRule, Recipe
from answerable.records.rules import Advice, Step

LEAST = 25
"""The smallest size tried, in the unit of the rule."""

CHANCE = 0.2
"""A fall with a p above this may be chance: one such does not end the halving."""

SHOWN = 0.05
"""A difference with a p of at most this is shown."""


@dataclass(frozen=True, slots=True)
class TunedCut:
    """The steps in order and what they come to; `arms` are all figures by step name.

    `held_out` is the gain of choosing like this on questions that had no part in the choice.
    """

    aim: Aim
    steps: tuple[Step, ...]
    advice: Advice
    held_out: HeldOut
    arms: Mapping[str, Mapping[str, float]]


def tune_cut(
    corpus: Corpus,
    recipe: Recipe,
    located: Located,
    aim: Aim,
    *,
    seconds: Callable[[], float],
    seed: int = 0,
    progress: Progress = lambda stage, done, total: None,
) -> TunedCut:
    """Current, half and double size; on in the better direction while the figure rises.

    It goes on by halves (or doubles) while the mean does not fall; one fall that may be chance
    (p above 0.2) is stepped over. From whole documents the first cut is of about half of the
    median document, and larger ones are tried as well. Where vectors are searched, no doubling
    goes beyond what the embedder reads at once. At the best size: headings against plain windows,
    and overlap of 25 % against none, each taken up only where its gain is shown. Where no step
    shows a difference, the words of the questions are checked against those of the evidence.
    Last, document types that lost get a rule of their own, on questions that did not propose it.
    The change is advised only if choosing like this gains on questions that did not choose
    (`held_out`), by an interval above zero.
    """
    walk = _Walk(corpus, recipe, located, aim, seconds, seed, progress)
    best = walk.sizes()
    best = walk.structure(best)
    best = walk.overlap(best)
    if not walk.moved():
        walk.say(vocabulary(corpus, recipe, located, aim, seconds))
    arms = {name: one.values for name, one in walk.probed.items()}
    gain = held_out(arms, _NOW, seed=seed, choose=walk.chosen)
    advised = gain.final if gain.clear else _NOW
    typed = None
    if advised != _NOW:
        typed = walk.types(advised)
    return TunedCut(
        aim,
        tuple(walk.steps),
        _advice(walk, gain, advised, typed),
        gain,
        arms,
    )


_NOW = "current"


class _Walk:
    """The arms tried so far, in order, with what each gave."""

    def __init__(
        self,
        corpus: Corpus,
        recipe: Recipe,
        located: Located,
        aim: Aim,
        seconds: Callable[[], float],
        seed: int,
        progress: Progress,
    ) -> None:
        self.corpus, self.recipe, self.located, self.aim = corpus, recipe, located, aim
        self.seconds, self.seed, self.progress = seconds, seed, progress
        self.rules: dict[str, CutRule] = {}
        self.probed: dict[str, Probed] = {}
        self.steps: list[Step] = []
        self.variants: list[tuple[str, str]] = []

    def sizes(self) -> str:
        """The best size by halving and doubling; its name."""
        now = base_rule(self.recipe)
        self.take(_NOW, now, "")
        start = now if now.size else None
        smaller = halved(now) if start else _first_cut(self.corpus.documents)
        half = self.take(_named(smaller), smaller, _NOW) if smaller else None
        larger = self._larger(now if start or smaller is None else smaller)
        against = _NOW if start or half is None else half
        double = self.take(_named(larger), larger, against) if larger else None
        cuts = [name for name in (half, double) if name]
        best = self.best() if start else self.best(cuts or [_NOW])
        if half is not None and best == half:
            return self._on(half, halved)
        if double is not None and best == double:
            return self._on(double, self._larger)
        return best

    def structure(self, best: str) -> str:
        """Headings against plain windows at the best size."""
        rule = self.rules[best]
        if not rule.size:
            return best
        others = [by for by in ("headings", "recursive") if by != rule.by]
        for by in others:
            other = replace(rule, by=by, options=())
            best = self._adopt(best, other)
        return best

    def overlap(self, best: str) -> str:
        """Overlap 25 % against none at the best size."""
        rule = self.rules[best]
        if not rule.size:
            return best
        return self._adopt(best, replace(rule, overlap=0 if rule.overlap else rule.size // 4))

    def types(self, best: str) -> tuple[Step, tuple[CutRule, ...]] | None:
        """Rules of their own for document types that lost."""
        found = type_rules(
            self.corpus,
            self.located,
            self.recipe_of(self.rules[best]),
            base_rule(self.recipe),
            self.aim,
            self.probed[_NOW].values,
            self.probed[best].values,
            best,
            self.seconds,
            self.seed,
        )
        if found is not None:
            self.say(found[0])
        return found

    def take(self, name: str, rule: CutRule, against: str) -> str:
        """Measure one rule; its step says what it gave against another."""
        if name in self.probed:
            return name
        start = self.seconds()
        self.progress(name, 0, 0)
        found = probe(self.corpus, self.recipe_of(rule), self.located, self.aim)
        self.rules[name], self.probed[name] = rule, found
        tested = self.test(against, name) if against else None
        decision = "the recipe in use" if tested is None else _said(tested)
        self.say(
            Step(
                name,
                described(rule),
                ((self.aim.metric, found.mean), ("words a piece", round(found.piece_words, 1))),
                against,
                tested.delta if tested else None,
                tested.low if tested else None,
                tested.high if tested else None,
                decision,
                round(self.seconds() - start, 3),
            )
        )
        return name

    def say(self, step: Step) -> None:
        self.steps.append(step)

    def best(self, names: Iterable[str] = ()) -> str:
        """The arm with the greatest mean, of all or of some; the earliest of equals."""
        return max(names or self.probed, key=lambda name: self.probed[name].mean)

    def chosen(self, items: Sequence[str]) -> str:
        """The arm that some questions alone would choose, by the rule of the whole walk.

        The size with the greatest mean, and a variant of it only where its gain is shown.
        """
        values = {name: self.probed[name].values for name in self.probed}
        apart = {name for name, _ in self.variants}
        sizes = {name: values[name] for name in values if name not in apart}
        found = best(sizes, items)
        for name, of in self.variants:
            if of == found:
                before, after = ([values[one][i] for i in items] for one in (of, name))
                found = name if paired(before, after, seed=self.seed).low > 0 else found
        return found

    def test(self, before: str, after: str) -> Paired:
        one, other = self.probed[before].values, self.probed[after].values
        shared = [item for item in one if item in other]
        return paired([one[i] for i in shared], [other[i] for i in shared], seed=self.seed)

    def moved(self) -> bool:
        """Whether any arm differs visibly from the current one."""
        return any(self.test(_NOW, name).p <= SHOWN for name in self.probed if name != _NOW)

    def recipe_of(self, rule: CutRule) -> Recipe:
        return with_base(self.recipe, rule)

    def _on(self, name: str, further: Callable[[CutRule], CutRule | None]) -> str:
        """On in one direction while questions move and the mean does not fall, but by chance."""
        forgiven = False
        last = name
        while (rule := further(self.rules[last])) is not None:
            following = self.take(_named(rule), rule, last)
            tested = self.test(last, following)
            if not tested.wins + tested.losses:
                break
            if tested.delta < 0:
                if forgiven or tested.p <= CHANCE:
                    break
                forgiven = True
            last = following
        return self.best()

    def _larger(self, rule: CutRule) -> CutRule | None:
        """Twice the size, as long as a document is longer than the present one."""
        if not rule.size:
            return None
        lengths = [len(document.text.split()) for document in self.corpus.documents]
        words = rule.size / _UNITS.get(rule.unit, 1.0)
        if words >= max(lengths) or rule.size * 2 > self._most(rule.unit):
            return None
        return _sized(rule, rule.size * 2)

    def _most(self, unit: str) -> float:
        """The largest size, in a unit, that the embedder reads at once; unlimited without one."""
        limit = self.corpus.limit(self.recipe)
        return limit / _UNITS["tokens"] * _UNITS.get(unit, 1.0) if limit else inf

    def _adopt(self, best: str, rule: CutRule) -> str:
        """The new rule where its gain is shown, else the one there is."""
        name = _named(rule)
        if name not in self.probed:
            self.variants.append((name, best))
        self.take(name, rule, best)
        tested = self.test(best, name)
        return name if tested.delta > 0 and tested.low > 0 else best


_UNITS = {"tokens": 1.35, "characters": 6.0}
"""About how many units an English word has."""


def base_rule(recipe: Recipe) -> CutRule:
    """The last rule that holds for all documents; UsageError without one."""
    for rule in reversed(recipe.ingest.cut):
        if not rule.match:
            return rule
    raise UsageError("no cut rule of the recipe holds for all documents", "add one without a match")


def with_base(recipe: Recipe, rule: CutRule) -> Recipe:
    """The recipe with its general rule replaced; rules of single types stay."""
    old = base_rule(recipe)
    cut = tuple(rule if one is old else one for one in recipe.ingest.cut)
    return replace(recipe, ingest=replace(recipe.ingest, cut=cut))


def halved(rule: CutRule) -> CutRule | None:
    """Half the size and overlap; None below the least."""
    return _sized(rule, rule.size // 2) if rule.size // 2 >= LEAST else None


def described(rule: CutRule) -> str:
    """A rule in words."""
    size = f" of {rule.size} {rule.unit}" if rule.size else ""
    overlap = f", overlap {rule.overlap}" if rule.overlap else ""
    return f"{rule.by}{size}{overlap}, lead {rule.lead}"


def _named(rule: CutRule) -> str:
    overlap = f"+{rule.overlap}" if rule.overlap else ""
    return f"{rule.by} {rule.size} {rule.unit}{overlap}"


def _sized(rule: CutRule, size: int) -> CutRule:
    return replace(rule, size=size, overlap=rule.overlap * size // rule.size)


def _first_cut(documents: Sequence[Document]) -> CutRule | None:
    """The first size tried where nothing is cut: about half of the median document."""
    middle = median(len(document.text.split()) for document in documents)
    sizes = [size for size in (1600, 800, 400, 200, 100, 50) if size <= middle / 2]
    if not sizes:
        return None
    return CutRule(by="headings", size=sizes[0], unit="words", lead="title+headings")


def _said(tested: Paired) -> str:
    moved = f"{tested.wins} better, {tested.losses} worse of {tested.n}"
    if tested.p > SHOWN:
        return f"no difference shown ({moved})"
    return f"{'rises' if tested.delta > 0 else 'falls'} ({moved})"


def _advice(
    walk: _Walk,
    gain: HeldOut,
    advised: str,
    typed: tuple[Step, tuple[CutRule, ...]] | None,
) -> Advice:
    metric, now = walk.aim.metric, walk.probed[_NOW].mean
    best = gain.final
    if advised == _NOW:
        if best == _NOW:
            why = "no step is better than the current cut"
        else:
            why = (
                f"{best} has {walk.probed[best].mean:.4f} against {now:.4f}, but on questions "
                "that did not choose it the gain is not shown: keep what is"
            )
        return Advice((), why, metric, gain.gain.delta, gain.gain.low, gain.gain.high)
    rule = walk.rules[advised]
    words = walk.probed[advised].piece_words
    change = dict(_changes(base_rule(walk.recipe), rule))
    if typed is not None:
        for one in typed[1]:
            change[f"ingest.cut (match {one.match!r})"] = described(one)
    passages = _passages(walk, words)
    if passages != walk.recipe.ask.context.passages:
        change["ask.context.passages"] = str(passages)
    agreed = sum(name == advised for name in gain.chosen)
    why = (
        f"{walk.probed[advised].mean:.4f} against {now:.4f}; {agreed} of {len(gain.chosen)} folds "
        f"choose it too"
    )
    if "ask.context.passages" in change:
        why += f"; {passages} such pieces have about as many words as the passages have now"
    return Advice(
        tuple(change.items()), why, metric, gain.gain.delta, gain.gain.low, gain.gain.high
    )


def _passages(walk: _Walk, words: float) -> int:
    """How many pieces of the new length have the words that the current passages have."""
    now = walk.recipe.ask.context.passages
    held = walk.probed[_NOW].piece_words * now
    budget = min(held, walk.recipe.ask.context.budget)
    return max(1, min(100, round(budget / words))) if words else now


def _changes(old: CutRule, new: CutRule) -> Iterator[tuple[str, str]]:
    for key in ("by", "size", "unit", "overlap", "lead"):
        value = getattr(new, key)
        if value != getattr(old, key):
            yield f"ingest.cut.{key}", str(value)
