"""Whether the evidence is strong enough to answer, said in words with the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerable.records.answers import Route
from answerable.records.recipe import RouteRule


def route(evidence: Mapping[str, float], missing: Sequence[str], rule: RouteRule) -> Route:
    """`answer` when the evidence reaches the rule's thresholds, else `refuse`, with the reason.

    `evidence` holds shares in 0..1; `coverage` is absent when nothing was found, `similarity`
    when it was not measured; `value` 0 says that no figure of the kind asked for was
    found, `name` 0 that no name was where one is asked for;
    `rare_missing` is the weight of words that stand nowhere. Words are weighted by rarity.
    `missing` are identifiers of the question that no passage holds.
    """
    numbers = tuple(sorted(evidence.items()))
    reason = _against(evidence, missing, rule)
    if reason:
        return Route("refuse", reason, numbers)
    words = f"the best passage covers {_share(evidence['coverage'])} of the question's words"
    if "similarity" in evidence:
        words += f"; its closest sentence has similarity {evidence['similarity']:.2f}"
    return Route("answer", words, numbers)


def _against(evidence: Mapping[str, float], missing: Sequence[str], rule: RouteRule) -> str:
    if "coverage" not in evidence:
        return "nothing was found"
    if missing:
        names = ", ".join(repr(name) for name in missing)
        return f"{names} {'is' if len(missing) == 1 else 'are'} in no passage found"
    similarity = evidence.get("similarity")
    unknown = evidence.get("rare_missing", 0.0)
    # Words that the documents put otherwise are forgiven where the meaning was measured and fits,
    # and where a name was asked for (who, where) only if one was found.
    alike = similarity is not None and similarity >= rule.min_similarity
    alike = alike and evidence.get("name", 1.0) > 0
    allowed = min(1.0, 2 * rule.max_unknown) if alike else rule.max_unknown
    if unknown > allowed:
        return (
            f"{_share(unknown)} of the question's words stand in no document; "
            f"at most {_share(allowed)} may ({_why(allowed, rule)})"
        )
    if evidence["coverage"] < rule.min_coverage:
        return (
            f"the best passage covers {_share(evidence['coverage'])} of the question's words; "
            f"{_share(rule.min_coverage)} are needed"
        )
    sure = evidence["coverage"] >= rule.sure_coverage
    if similarity is not None and similarity < rule.min_similarity and not sure:
        return (
            f"the closest sentence has similarity {similarity:.2f} to the question; "
            f"{rule.min_similarity:.2f} is needed"
        )
    if rule.need_value and evidence.get("value", 1.0) == 0:
        return "the closest sentences do not hold the kind of figure that is asked for"
    return ""


def _why(allowed: float, rule: RouteRule) -> str:
    limit = f"max_unknown {rule.max_unknown:.2f}"
    if allowed == rule.max_unknown:
        return limit
    return f"twice {limit}, as the closest sentence reaches similarity {rule.min_similarity:.2f}"


def _share(value: float) -> str:
    return f"{round(100 * value)} %"
