"""Yes or no by rule, from a yes-no question and the sentence that answers it."""

from __future__ import annotations

import re

from answerable.grounding.limits import NOT_OVER, amounts, compare

_NO = re.compile(
    r"\bthe answer is no\b|^no[,.:]|\bnot (?:be )?(?:allowed|permitted|accepted|possible|offered|"
    r"covered|included|available|sent|carried|taken|paid|required|needed)\b"
    r"|\b(?:must|may|can|should|do|does|is|are|will|shall) ?n[o']t\b|\bcannot\b"
    r"|\b(?:is|are)n['’]t\b"
    r"|\b(?:ca|wo|do|does|must|should|need)n?['’]t\b|\bnever\b|\bforbidden\b|\bprohibited\b"
    r"|\bnot\b.*\b(?:anywhere|in any case|at all)\b"
    r"|\b(?:darf|dürfen|kann|können|ist|sind|wird|werden)\b.{0,40}\b(?:nicht|keine?[nrms]?)\b"
    r"|\bnicht (?:erlaubt|gestattet|zulässig|möglich)\b|\bverboten\b|\buntersagt\b|\bunzulässig\b",
    re.I,
)
_YES = re.compile(
    r"\bthe answer is yes\b|^yes[,.:]|\b(?:is|are) (?:allowed|permitted|accepted|possible|offered|"
    r"covered|included|available|free)\b|\bmay (?:be|also|use|take|book|bring|work|keep|claim)\b"
    r"|\bcan (?:be|also)\b|\b(?:is|are) (?:required|mandatory)\b"
    r"|\b(?:ist|sind) (?:erlaubt|gestattet|zulässig|möglich|inbegriffen)\b|\b(?:darf|dürfen)\b",
    re.I,
)
_UNSURE = re.compile(
    r"\bonly (?:if|when|with|after|for)\b|\bunless\b|\bexcept\b|\bdepends?\b|\bnot only\b|\bif\b"
    r"|\bnur (?:wenn|mit|nach|für)\b|\baußer\b|\bes sei denn\b|\bwenn\b|\bfalls\b",
    re.I,
)


def yes_or_no(question: str, sentence: str) -> str | None:
    """`yes`, `no`, or None where the rules are not sure.

    A condition (`only if`, `unless`) or a question with a negation gives None; a ban or a denial
    in the sentence gives no, a plain permission or statement of fact with such words gives yes.
    Where the question names an amount, the sentence must set a limit in its unit: a permission
    up to a limit is a no beyond it; a rule for what lies over a limit says nothing of the rest.
    """
    if re.search(r"\bnot\b|n['’]t\b|\bnicht\b|\bkein", question, re.I):
        return None
    plain = _plain(sentence)
    if not amounts(question):
        return plain
    kept = compare(question, sentence)
    if kept is None:
        return None
    within, upper = kept
    if within:
        return plain
    return "no" if upper and plain == "yes" else None


def _plain(sentence: str) -> str | None:
    sentence = NOT_OVER.sub(" up to ", sentence)
    no, yes = bool(_NO.search(sentence)), bool(_YES.search(sentence))
    if no and not _YES.search(_NO.sub(" ", sentence)):
        return "no"
    if _UNSURE.search(sentence) or no:
        return None
    return "yes" if yes else None
