"""A gate's result as JUnit XML: a test case for each rule."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from answerable.records.rules import GateResult


def junit(result: GateResult, suite: str) -> str:
    """The XML that build servers read, each broken rule a failure with its questions.

    Characters that XML 1.0 cannot hold are left out.
    """
    broken = {failure.detail: failure for failure in result.failures}
    cases = []
    for said in result.checked:
        name = f"<testcase classname={_attribute(suite)} name={_attribute(said)}"
        failure = broken.get(said)
        if failure is None:
            cases.append(f"  {name}/>")
            continue
        items = ", ".join(failure.questions)
        detail = f"{failure.detail}\nquestions: {items}" if items else failure.detail
        cases.append(
            f"  {name}>\n    <failure message={_attribute(failure.rule)}>{_text(detail)}</failure>"
            "\n  </testcase>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuite name={_attribute(suite)} tests="{len(result.checked)}" '
        f'failures="{len(result.failures)}" errors="0" skipped="0">\n'
        + "".join(f"{case}\n" for case in cases)
        + "</testsuite>\n"
    )


def _attribute(text: str) -> str:
    return quoteattr(_allowed(text))


def _text(text: str) -> str:
    return _allowed(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _allowed(text: str) -> str:
    return "".join(
        char
        for char in text
        if char in "\t\n\r"
        or " " <= char <= "\ud7ff"
        or "\ue000" <= char <= "\ufffd"
        or char >= "\U00010000"
    )
