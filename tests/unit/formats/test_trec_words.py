"""Names with blanks in TREC files, and back."""

from urllib.parse import unquote

import pytest

from answerable.adapters.formats.trec import read_run, run_text, word


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("docs/a.md", "docs/a.md"),
        ("docs/b c.md", "docs/b%20c.md"),
        ("tab\tand\nline", "tab%09and%0Aline"),
        ("no\u00a0break", "no%C2%A0break"),
        ("100% cotton", "100%%20cotton"),
        ("https://x/a%20b", "https://x/a%2520b"),
        ("ä/ö?q=1#z", "ä/ö?q=1#z"),
    ],
)
def test_a_name_is_one_word_and_can_be_read_back(name: str, written: str) -> None:
    assert word(name) == written
    assert len(written.split()) == 1
    assert unquote(written) == name


def test_names_with_and_without_the_code_stay_apart(tmp_path) -> None:
    names = ["a b", "a%20b"]
    path = tmp_path / "run.trec"
    path.write_text(run_text({"q": [(word(name), 1.0) for name in names]}))
    run, problems = read_run(path)
    assert (set(run["q"]), problems) == ({"a%20b", "a%2520b"}, ())
