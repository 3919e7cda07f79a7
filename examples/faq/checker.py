"""Evidence as the published study counts it: each quote whole inside one passage that was sent.

The built-in `complete@2` is milder: several pieces without a gap between them hold a quote too.
"""

from answerable.records.answers import Trace
from answerable.records.evals import GoldenItem


def in_one_passage(item: GoldenItem, trace: Trace) -> float | tuple[None, str]:
    """1 if each quote of the evidence stands whole in one passage of its document, else 0."""
    if not item.evidence:
        return None, "it has no evidence"
    sent = [(passage.uri.rpartition("/")[2], passage.text) for passage in trace.passages]
    return float(
        all(
            any(name == one.document and one.quote in text for name, text in sent)
            for one in item.evidence
        )
    )
