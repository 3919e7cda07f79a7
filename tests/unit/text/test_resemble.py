"""Places that resemble a quote."""

import pytest

from answerable.text.resemble import resembling


def best(text: str, quote: str) -> tuple[str, float]:
    found = resembling(text, quote)[0]
    return text[found.span.start : found.span.end], found.similarity


def test_the_similarity_by_hand() -> None:
    # Both have 30 letters, digits and spaces once folded; 29 are the same: 2 * 29 / 60.
    text = "First. The pump is tested every 3 day! Last."
    assert best(text, "the pump is tested every 4 day") == (
        "The pump is tested every 3 day",
        pytest.approx(2 * 29 / 60),
    )


def test_marks_and_case_do_not_count() -> None:
    text = "See **The _Pump_** is\n| tested | every | 3 days |"
    assert best(text, "the pump is tested every 3 days")[1] == 1.0


def test_words_are_never_cut_and_other_ends_come_along() -> None:
    text = "Here. Everybody unpacks the deliveries in the yard on Mondays. There."
    assert best(text, "all unpack the deliveries in the yard on Monday")[0] == (
        "Everybody unpacks the deliveries in the yard on Mondays"
    )
    assert best("# Gate\n\nThe gate opens at 06:15 on weekdays.", "The gate opens at 05:30")[0] == (
        "The gate opens at 06:15"
    )


def test_the_next_sentence_and_line_stay_out() -> None:
    quote = "The gate opens at five in the morning on all days but Sundays."
    for more in (" Then come more words of that kind.", "\n\nThen come more words of that kind."):
        text = f"The gate opens at five in the morning.{more}"
        assert best(text, quote)[0] == "The gate opens at five in the morning"


def test_places_do_not_overlap_and_the_best_is_first() -> None:
    text = "The gate opens at five today. Far away. The gate opens at nine today. " * 1
    found = resembling(text, "The gate opens at nine todays")
    assert len(found) == 2
    assert found[0].similarity > found[1].similarity
    assert not found[0].span.overlaps(found[1].span)


def test_scripts_without_spaces() -> None:
    text = "水泵每三个月检查一次，由值班人员负责记录。其他设备每年检查一次。"
    assert best(text, "水泵每六个月检查一次，由值班人员负责记录") == (
        "水泵每三个月检查一次，由值班人员负责记录",
        pytest.approx(2 * 19 / 40),
    )


def test_short_quotes_and_other_texts_resemble_nothing() -> None:
    assert resembling("The gate opens at five.", "the gate") == ()
    assert resembling("The gate opens at five.", "Colourless green ideas sleep") == ()
    assert resembling("", "a quote that is long enough") == ()
