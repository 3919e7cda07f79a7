"""Terms and offsets of the analyzer, against forms written down by hand."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.rank.analyze import Analyzer, group
from answerable.rank.tokens import token_pattern
from answerable.records.docs import Span

EN = Analyzer("en")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ERR_SSL_CIPHER", {"err_ssl_cipher", "err", "ssl", "cipher"}),
        (
            "torch.nn.cross_entropy",
            {"torch.nn.cross_entropy", "cross_entropy", "torch", "nn", "cross", "entropi"},
        ),
        ("SKU-2231/B", {"sku-2231/b", "sku-2231", "sku", "2231", "b"}),
        ("BENCH-100821", {"bench-100821", "bench", "100821"}),
        ("grammar::fa", {"grammar::fa", "grammar", "fa"}),
        ("max_retries", {"max_retries", "max", "retri"}),
        ("camelCase", {"camelcase", "camel", "case"}),
        ("XMLHttpRequest", {"xmlhttprequest", "xml", "http", "request"}),
        ("mRNA", {"mrna"}),
        ("/etc/foo.conf", {"/etc/foo.conf", "foo.conf", "etc", "foo", "conf"}),
        ("v2.14.1", {"v2.14.1", "2.14.1"}),
        ("20.04", {"20.04"}),
        ("1,000", {"1,000", "1000"}),
        ("C++", {"c++", "c"}),
        ("C#", {"c#", "c"}),
        (".NET", {".net", "net"}),
        ("#channel-name", {"#channel-name", "channel-name", "channel", "name"}),
        ("Zürich.md", {"zürich.md", "zürich", "md"}),
        ("half-lives", {"half-lives", "half", "live"}),
        ("e.g.", {"e.g"}),
        ("O'Brien's", {"o'brien"}),
        ("what’s", {"what"}),
        ("running", {"run"}),
        ("and/or", {"and/or"}),
        ("the of a", set()),
        ("🙂 — ... !? ' \" *", set()),
        ("", set()),
    ],
)
def test_forms(text: str, expected: set[str]) -> None:
    assert set(EN.terms(text).words) == expected
    assert set(EN.query(text)) == expected


def test_forms_of_one_token_share_its_offset() -> None:
    terms = EN.terms("see max_retries now")
    at = dict(zip(terms.words, terms.starts.tolist(), strict=True))
    assert at == {"see": 0, "max_retries": 4, "max": 4, "retri": 4, "now": 16}


def test_offsets_are_of_the_text_as_written() -> None:
    # Two ligatures that NFKC makes longer, and a letter with a separate accent, stand before.
    text = "ﬃ ﬃ re\u0301sume\u0301 pump"
    terms = EN.terms(text)
    assert terms.words == ("ffi", "ffi", "résumé", "pump")
    assert terms.starts.tolist() == [0, 2, 4, text.index("pump")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("résumé", unicodedata.normalize("NFD", "résumé")),
        ("API", "ＡＰＩ"),
        ("configure", "conﬁgure"),
        ("STRASSE", "straße"),
        ("İstanbul", "istanbul"),
        ("ポンプ", "ﾎﾟﾝﾌﾟ"),
        ("한글", unicodedata.normalize("NFD", "한글")),
        ("soft\u00adware", "software"),
        ("9", "９"),
    ],
)
def test_two_ways_of_writing_are_one_term(one: str, other: str) -> None:
    assert EN.terms(one).words == EN.terms(other).words != ()
    assert EN.query(one) == EN.query(other)


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    terms = EN.terms("見 水泵坏")
    assert terms.words == ("見", "水", "水泵", "泵", "泵坏", "坏")
    assert terms.starts.tolist() == [0, 2, 2, 3, 3, 4]
    assert EN.query("水泵坏") == {"水泵": 1.0, "泵坏": 1.0}
    assert EN.query("泵") == {"泵": 1.0}


def test_thai_marks_stay_with_their_letter() -> None:
    # ป + ั + ๊ is one written character.
    assert EN.terms("ปั๊ม").words == ("ปั๊", "ปั๊ม", "ม")


def test_language_decides_stems_and_stop_words() -> None:
    assert EN.terms("die Häuser", "de").words == ("haus",)
    assert EN.terms("l'eau des montagnes", "fr").words == ("eau", "montagn")
    assert EN.query("die Häuser", ["de", "en"]) == {"haus": 1.0, "die": 1.0, "häuser": 1.0}


def test_a_repeated_word_weighs_twice_and_a_whole_form_less() -> None:
    assert EN.query("pump pump") == {"pump": 2.0}
    assert Analyzer("en", whole=0.2).query("part-time") == {
        "part-time": 0.2,
        "part": 1.0,
        "time": 1.0,
    }
    weights = Analyzer("en", whole=0.2, identifier=0.5).query("max_retries")
    assert weights == {"max_retries": 0.5, "max": 1.0, "retri": 1.0}
    # Nothing but stop words inside: the whole form is all there is.
    assert EN.query("and/or") == {"and/or": 1.0}


def test_options_switch_stop_words_and_stems_off() -> None:
    assert Analyzer("en", stop=False, stem=False).terms("the pumps").words == ("the", "pumps")


def test_group_takes_terms_by_where_they_begin() -> None:
    terms = EN.terms("one two max_retries four")
    found = group(terms, [Span(0, 7), Span(4, 20), Span(19, 24), Span(3, 3)])
    assert found == [
        ("one", "two"),
        ("two", "max_retries", "max", "retri"),
        ("four",),
        (),
    ]


def test_a_blob_gives_a_bounded_term() -> None:
    assert max(map(len, EN.terms("x" * 100_000).words)) <= 120


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80))
def test_any_text_gives_terms_in_order_that_its_own_question_finds(text: str) -> None:
    terms = EN.terms(text)
    assert len(terms.words) == len(terms.starts)
    assert (np.diff(terms.starts) >= 0).all()
    assert all(0 <= start < len(text) for start in terms.starts.tolist())
    assert set(EN.query(text)) <= set(terms.words)
    assert bool(EN.query(text)) == bool(terms.words)


def test_identifiers_are_codes_functions_paths_and_not_compounds() -> None:
    found = EN.identifiers("ERR-4120 and/or drupal_get_path() in C++ at half-life 2026 #ops-team")
    assert found == ("err-4120", "drupal_get_path", "c++", "#ops-team")
    assert EN.identifiers("torch.nn.functional.cross_entropy SKU-2231/B XMLHttpRequest") == (
        "torch.nn.functional.cross_entropy",
        "sku-2231/b",
        "xmlhttprequest",
    )
    assert EN.identifiers("How many days of leave do I get?") == ()


@pytest.mark.parametrize("text", ["naïve café-bar Ωμέγα x², “quoted” — №5", "Привет, мир/дом"])
def test_texts_without_marks_are_read_as_the_full_pattern_reads_them(text):
    # A soft hyphen alone makes the full pattern be taken; put at the end, it is in no token.
    plain, full = token_pattern(text), token_pattern(text + " \u00ad")
    assert plain is not full
    assert plain.findall(text) == full.findall(text)


def test_no_character_is_read_otherwise_by_the_plain_pattern():
    plain, full = token_pattern("a"), token_pattern("\u00ad")
    for code in range(0x80, 0x32000):
        text = f"a{chr(code)}b {chr(code)}"
        if token_pattern(text) is plain:
            assert plain.findall(text) == full.findall(text), hex(code)
    assert token_pattern("Zürich – “x”, Ωμέγα, мир") is plain
