"""A gate's result as JUnit and for GitHub; rules as TOML."""

from xml.etree import ElementTree

import pytest

from answerable.adapters.formats.gate_rules import read_rules
from answerable.adapters.formats.github import summary, workflow_commands
from answerable.adapters.formats.junit import junit
from answerable.errors import ConfigError, NotFound
from answerable.records.rules import GateFailure, GateResult, GateRule

GOOD = "complete@5 at least 0.7: 0.8000 (n = 40)"
BAD = "right at least 50%: 0.4000 <b> & \x00]]> (n = 40)"
RESULT = GateResult(
    False, (GOOD, BAD), (GateFailure("right", "right at least 50%", BAD, ("q1", "q|2")),)
)


def test_junit_has_a_case_for_each_rule_and_survives_a_parser():
    root = ElementTree.fromstring(junit(RESULT, 'policies "a" <now>'))
    assert root.attrib["tests"] == "2"
    assert root.attrib["failures"] == "1"
    first, second = root.findall("testcase")
    assert first.attrib["name"] == GOOD
    assert first.find("failure") is None
    failure = second.find("failure")
    assert failure.attrib["message"] == "right at least 50%"
    assert failure.text == BAD.replace("\x00", "") + "\nquestions: q1, q|2"


def test_github_commands_are_escaped_as_the_documentation_asks():
    text = workflow_commands(RESULT, "policies, a")
    assert text.startswith(
        "::error title=policies%2C a%3A right at least 50%25::right at least 50%25"
    )
    assert text.endswith("%0Aquestions: q1, q|2\n")
    assert text.count("\n") == 1
    passed = GateResult(True, (GOOD,), ())
    assert workflow_commands(passed, "p") == "::notice title=p::1 rules hold\n"


def test_the_summary_is_a_table_whose_cells_cannot_break_out():
    lines = summary(RESULT, "policies a").splitlines()
    assert lines[0] == "## policies a: failed"
    assert lines[4] == f"| holds | {GOOD} |  |"
    assert lines[5].startswith("| broken | right at least 50%") and lines[5].endswith("q1, q\\|2 |")


def test_rules_are_read(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(
        '[[rule]]\nmetric = "complete@5"\nat_least = 0.7\n\n'
        '[[rule]]\nmetric = "right"\nnot_worse_by = 0\nconfidence = 0.9\n'
    )
    assert read_rules(path) == (
        GateRule("complete@5", at_least=0.7),
        GateRule("right", not_worse_by=0, confidence=0.9),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rule = 3", "no list of rules"),
        ("", "no list of rules"),
        ("[[rule]]\nmetric = 'a'\nat_lest = 1", "rule 1: unknown key at_lest = 1"),
        ("[[rule]]\nmetric = 'a'\nat_least = '1'", "rule 1: at_least = '1'"),
        ("[[rule]]\nat_least = 1", "rule 1: metric = None"),
        ("[[rule]]\nmetric = 'a'", "rule 1 demands nothing"),
        ("[[rule]]\nmetric = 'a'\nnot_worse_by = -1", "rule 1: not_worse_by = -1"),
        ("[[rule]]\nmetric = 'a'\nnot_worse_by = 1\nconfidence = 95", "confidence = 95"),
        ("[[rule", "is not TOML"),
    ],
)
def test_wrong_rules_are_named(tmp_path, text, said):
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"rules\.toml") as caught:
        read_rules(path)
    assert said in str(caught.value)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(NotFound, match=r"none\.toml"):
        read_rules(tmp_path / "none.toml")
