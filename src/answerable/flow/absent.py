"""Which words of a question a text lacks, in the terms of the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answerable.flow.score import Absent
from answerable.grounding.function_words import FUNCTION, QUESTION
from answerable.rank.analyze import Analyzer


def absent_words(analyzer: Callable[[str], Analyzer], languages: Sequence[str]) -> Absent:
    """absent(question, text): telling terms of the question not in the text, sorted.

    `languages` are those of the index. Words that only make grammar or ask (`of`, `which`) tell
    nothing and are left out.
    """
    analyzers = [analyzer(language) for language in languages or ("",)]

    def terms(text: str) -> set[str]:
        return {word for one in analyzers for word in one.terms(text).words}

    grammar = terms(" ".join(FUNCTION | QUESTION))

    def absent(question: str, text: str) -> tuple[str, ...]:
        asked = {term for one in analyzers for term in one.query(question)}
        return tuple(sorted(asked - grammar - terms(text)))

    return absent
