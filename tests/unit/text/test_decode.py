"""Character encodings, by hand-made bytes."""

from __future__ import annotations

import codecs

import pytest

from answerable.errors import InputError
from answerable.text.decode import charset_of, decode


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_decides_and_goes(mark, encoding):
    found = decode(mark + "Größe\r\n弁 ok\r".encode(encoding), "latin-1")
    assert (found.text, found.encoding, found.notes) == ("Größe\n弁 ok\n", encoding, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark(encoding):
    assert decode("plain words here".encode(encoding)).text == "plain words here"


def test_valid_utf8_wins_over_what_is_declared():
    assert decode("naïve café".encode(), "iso-8859-1").text == "naïve café"


def test_the_declared_encoding_is_used_when_it_is_not_utf8():
    words = "Температура насоса"
    assert decode(words.encode("koi8-r"), "KOI8-R").text == words
    # The WHATWG standard reads the label latin-1 as windows-1252: 0x80 is the euro sign.
    assert decode(b"5 \x80 f\xfcr", "iso-8859-1").text == "5 € für"


def test_an_undeclared_encoding_is_detected():
    words = "Die Größe der Düse ändert sich für jede Prüfung; Öl läuft über die Brücke. " * 5
    assert decode(words.encode("cp1252")).text == words
    for short in ("café", "Größe", "Température élevée à la vanne", "El señor compró ¿qué?"):
        assert decode(short.encode("cp1252")).text == short
    for central in ("Zażółć gęślą jaźń", "Příliš žluťoučký kůň úpěl"):
        assert decode(central.encode("cp1250")).text == central
    japanese = "起動前に弁を閉じてください。圧力を確認します。" * 5
    assert decode(japanese.encode("shift_jis")).text == japanese
    assert decode(japanese.encode("euc_jp")).text == japanese
    russian = "Перед пуском закройте клапан и проверьте давление в системе. " * 5
    assert decode(russian.encode("cp1251")).text == russian
    korean = "시동 전에 밸브를 닫고 압력을 확인하십시오. " * 5
    assert decode(korean.encode("cp949")).text == korean
    chinese = "启动前请关闭阀门并检查压力。然后打开主电源，等待五分钟。" * 5
    assert decode(chinese.encode("gbk")).text == chinese


def test_broken_bytes_in_utf8_are_replaced_and_counted():
    found = decode("Größe der Düse\n".encode() + b"a\xffb\xc3(\n" + "für".encode())
    assert found.text == "Größe der Düse\na\ufffdb\ufffd(\nfür"
    assert found.notes == ("2 places not valid utf-8, replaced by U+FFFD",)


def test_a_replacement_sign_of_the_author_is_not_counted():
    found = decode("äöü \ufffd ".encode() + b"\xff")
    assert found.notes == ("1 place not valid utf-8, replaced by U+FFFD",)


def test_utf8_cut_off_at_its_end_is_still_utf8():
    assert decode(b"plain words \xe5\xbc").text == "plain words \ufffd"


def test_binary_content_is_refused_with_where_it_was_seen():
    with pytest.raises(InputError, match="2 NUL bytes in 10, the first at byte 4") as caught:
        decode(b"GIF8\x00abcd\x00")
    assert caught.value.hint


def test_nothing_is_decoded_to_nothing():
    assert decode(b"").text == ""


def test_an_unknown_or_senseless_label_is_passed_over():
    assert decode("é".encode(), "x-unknown").text == "é"
    assert decode(b"abc\xe9", "rot13").text.startswith("abc")


def test_decomposed_characters_stay_decomposed():
    assert decode("e\u0301".encode()).text == "e\u0301"


def test_charset_of_a_media_type():
    assert charset_of('text/html; Charset="ISO-8859-2"; x=y') == "ISO-8859-2"
    assert charset_of("text/html") == ""
