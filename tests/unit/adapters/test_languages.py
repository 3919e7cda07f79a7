# ruff: noqa: E501
"""Languages told without the classifier, and those that are left to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from answerable.adapters.languages import by_function_words, by_script, detect

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[3] / "../shared/data"))

TOLD = {
    "en": "The gate is opened at half past five and the guard has to fetch the key from the office. "
    "It is not allowed to bring in other people.",
    "de": "Das Tor wird um halb sechs geöffnet, und der Wächter muss den Schlüssel aus dem Büro "
    "holen. Es ist nicht erlaubt, andere mit in die Halle zu nehmen.",
    "fr": "Nous ne sommes pas dans le bâtiment avec vous, et il n'est pas permis d'amener d'autres "
    "personnes avec soi dans ce bureau. Les clés ne sont pas pour vous mais pour le gardien.",
    "ja": "門は毎朝五時半に開きます。警備員は事務所で鍵を受け取らなければなりません。他の人を連れて行くことはできません。",
    "ko": "문은 매일 아침 다섯 시 반에 열립니다. 경비원은 사무실에서 열쇠를 가져와야 합니다. 다른 사람은 안 됩니다.",
    "zh": "大门每天早上五点半开放。保安必须到办公室领取钥匙。不允许带其他人进入，所有进入大门的人都必须出示证件。",
    "el": "Η πύλη ανοίγει κάθε μέρα στις πέντε και μισή και ο φύλακας παίρνει το κλειδί.",
    "th": "ประตูเปิดทุกวันเวลาห้านาฬิกาสามสิบนาที และยามต้องไปรับกุญแจที่สำนักงาน",
}
LEFT = {
    "af": "Die hek word elke oggend om half ses oopgemaak en die wag moet die sleutel in die kantoor "
    "gaan haal. Dit is nie toegelaat om ander mense saam te neem nie.",
    "nl": "De poort gaat elke dag om half zes open en de bewaker moet de sleutel op kantoor halen. "
    "Het is niet toegestaan om andere mensen mee te nemen.",
    "lb": "D'Paart gëtt all Dag um hallwer sechs opgemaach an de Wiechter muss de Schlëssel am Büro "
    "siche goen. Et ass net erlaabt, aner Leit matzehuelen.",
    "ca": "La porta s'obre cada dia a dos quarts de sis i el guarda ha d'anar a buscar la clau a "
    "l'oficina. No es permet de portar altres persones.",
    "ru": "Ворота открываются каждый день в половине шестого, и охранник должен взять ключ в конторе.",
    "bg": "Портата се отваря всеки ден в пет и половина и пазачът трябва да вземе ключа от канцеларията.",
}


def words(text):
    return [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]


@pytest.mark.parametrize("code", TOLD)
def test_told_by_script_or_function_words(code):
    found = by_script("".join(words(TOLD[code]))) or by_function_words(words(TOLD[code]))
    assert found == code
    assert detect(TOLD[code]) == code


@pytest.mark.parametrize("code", LEFT)
def test_left_to_the_classifier(code):
    text = LEFT[code]
    assert by_script("".join(words(text))) == by_function_words(words(text)) == ""
    assert detect(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the gate of the dock is shut",  # too short
        "7 8 9 " * 30,
        "kettle lever bracket washer spanner gasket flange rivet bobbin spindle " * 3,
    ],
)
def test_what_cannot_be_told_by_words_is_not(text):
    assert by_function_words(words(text)) in ("", "en")
    assert len(text) < 40 or by_function_words(words(text)) == ""
    assert len(text) >= 40 or detect(text) == ""


def test_two_languages_in_one_text_are_not_told_by_words():
    assert by_function_words(words(TOLD["en"] + " " + TOLD["de"])) == ""


def test_plain_english_loads_no_classifier():
    code = (
        "import sys\nfrom answerable.adapters.languages import detect\n"
        f"assert detect({TOLD['en']!r}) == 'en'\n"
        "assert not [name for name in sys.modules if name.startswith('py3langid')]\n"
        f"assert detect({LEFT['nl']!r}) == 'nl'\n"
        "assert 'py3langid.langid' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.data
@pytest.mark.parametrize("code", ["en", "de", "zh"])
def test_what_is_told_of_a_known_collection_is_right(code):
    lines = (DATA / "xquad" / code / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [words(json.loads(line)["text"]) for line in lines]
    found = [by_script("".join(text)) or by_function_words(text) for text in texts]
    assert set(found) <= {code, ""}
    assert found.count(code) > len(texts) / 2
