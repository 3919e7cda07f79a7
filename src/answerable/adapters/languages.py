"""The language of a text, by py3langid's classifier."""

from __future__ import annotations

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

SAMPLE = 4000
"""Characters looked at: more changes nothing but the time."""
FEWEST = 40
"""Characters below which a guess is worth nothing."""


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect(text: str) -> str:
    """ISO 639-1 code of the language of `text`, '' when it is short or the guess is weak."""
    sample = " ".join(text[:SAMPLE].split())
    if len(sample) < FEWEST:
        return ""
    code, probability = _identifier().classify(sample)
    return str(code) if probability >= 0.9 else ""
