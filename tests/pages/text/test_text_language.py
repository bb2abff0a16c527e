"""Languages that are detected in paragraphs."""

from __future__ import annotations

from collections import Counter

import pytest

from headwater.pages.documents.html_parser import parse_html
from headwater.pages.text.text_language import (
    ISO_639_1_BY_ISO_639_3,
    SAMPLING_INTERVAL,
    detect_text_language,
    is_sampled,
)

KEY = next(key for number in range(1000) if is_sampled(key := f"https://e.com/{number}"))
OTHER_KEY = next(key for number in range(1000) if not is_sampled(key := f"https://e.com/{number}"))

# Article 1 of the Universal Declaration of Human Rights.
TEXTS = {
    "en": "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience "
    "and should act towards one another in a spirit of brotherhood.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de "
    "conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt "
    "und sollen einander im Geist der Brüderlichkeit begegnen.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y "
    "conciencia, deben comportarse fraternalmente los unos con los otros.",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di "
    "coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de "
    "consciência, devem agir uns para com os outros em espírito de fraternidade.",
    "nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en "
    "geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i "
    "sumieniem i powinni postępować wobec innych w duchu braterstwa.",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и "
    "должны поступать в отношении друг друга в духе братства.",
    "uk": "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і "
    "повинні діяти у відношенні один до одного в дусі братерства.",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "zh": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve "
    "birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
}


def detect(html: str, key: str = KEY) -> str:
    return detect_text_language(parse_html(html), key)


@pytest.mark.parametrize("code", TEXTS)
def test_languages_are_detected(code: str) -> None:
    assert detect(f"<nav><a>Home</a> <a>Search</a></nav><p>{TEXTS[code]}</p>") == f"{code}-x-detected"


def test_paragraphs_are_read_together() -> None:
    halves = TEXTS["fr"].split(". ")
    assert detect("".join(f"<p>{half}</p><pre>int main() {{ return 0; }}</pre>" for half in halves)) == "fr-x-detected"


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>Bonjour</p>",
        "<ul><li>index</li><li>modules</li><li>next</li></ul>",
        "<p>OK</p>" * 50,
        "<p>0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789</p>",
        f"<div>{TEXTS['fr']}</div>",
    ],
    ids=["empty", "short", "menu", "labels", "digits", "no paragraph"],
)
def test_no_language_is_detected_without_prose(html: str) -> None:
    assert detect(html) == ""


def test_a_page_is_sampled_by_its_key() -> None:
    assert detect(f"<p>{TEXTS['fr']}</p>", OTHER_KEY) == ""
    sampled = Counter(is_sampled(f"https://e.com/docs/page-{number}.html") for number in range(8000))
    assert 0.8 < sampled[True] * SAMPLING_INTERVAL / 8000 < 1.2


def test_detected_codes_are_those_that_documents_use() -> None:
    assert all(len(long) == 3 and len(short) == 2 for long, short in ISO_639_1_BY_ISO_639_3.items())
