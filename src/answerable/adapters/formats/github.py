"""A gate's result for GitHub Actions: annotations on standard output, a summary in Markdown."""

from __future__ import annotations

from answerable.records.rules import GateResult


def workflow_commands(result: GateResult, title: str) -> str:
    """Workflow commands, an error for each broken rule and a notice when all hold.

    Escaped as the commands ask for (docs.github.com, "Workflow commands": %, CR and LF in a
    message, also : and , in a property).
    """
    lines = [
        f"::error title={_property(f'{title}: {failure.rule}')}::"
        + _message(
            failure.detail
            + (f"\nquestions: {', '.join(failure.questions)}" if failure.questions else "")
        )
        for failure in result.failures
    ]
    if not lines:
        lines = [f"::notice title={_property(title)}::{len(result.checked)} rules hold"]
    return "".join(f"{line}\n" for line in lines)


def summary(result: GateResult, title: str) -> str:
    """A section of Markdown for the step summary: each rule, and the questions behind a fall."""
    broken = {failure.detail: failure for failure in result.failures}
    rows = [
        f"| {'broken' if said in broken else 'holds'} | {_cell(said)} "
        f"| {_cell(', '.join(broken[said].questions)) if said in broken else ''} |"
        for said in result.checked
    ]
    state = "passed" if result.passed else "failed"
    return "\n".join(
        [f"## {title}: {state}", "", "| | rule | questions |", "|---|---|---|", *rows, ""]
    )


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
