"""Language codes and names: codes that are used in URLs and documents, ambiguous codes, and names of languages."""

from __future__ import annotations

import re
from functools import lru_cache

from headwater.urls.locales import LANGUAGE_CODES, is_locale

UNAMBIGUOUS_CODES = frozenset(
    """bg bn da de el en es et fa fi fr hu hy ja ka kk ko lt lv mk nb nl nn pl pt ro ru sk sl sq sr sv ta te th tr
    ur uz vi zh""".split()
)
"""Codes that rarely mean anything else in a URL."""

AMBIGUOUS_CODES = frozenset("af ar az bs ca cs cy eu gl he hi hr id is it km mn ms ne no sw uk".split())
"""Codes of languages with many sites that are also words, countries, states or departments: it, hr, no, is, cs."""

COUNTRY_LIKE_CODES = frozenset({"ca", "uk"})
"""Canada or Catalan, United Kingdom or Ukrainian: languages only if `en` is a sibling."""

ENGLISH_SPEAKING_COUNTRIES = frozenset("au gb ie in nz us za".split())
"""If one of these is a sibling, `de` and `fr` are Germany and France."""

SELF_SUFFICIENT_CODES = frozenset("da ja ko zh".split())
"""Codes of large languages that are neither countries nor words: as the first segment they need no confirmation."""

MISUSED_COUNTRY_CODES = frozenset("cn cz dk gr jp ua".split())
"""Country codes that sites use for languages; they are no evidence for or against their siblings."""

_REGIONS = frozenset(
    """ad ae af ag ai al am ao ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg ch
    ci cl cm cn co cr cu cv cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fm fo fr ga gb gd ge gf gg gh gi gl gm
    gn gp gq gr gt gu gw gy hk hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz
    la lb lc li lk lr ls lt lu lv ly ma mc md me mg mk ml mm mn mo mq mr ms mt mu mv mw mx my mz na nc ne ng ni nl no
    np nr nz om pa pe pf pg ph pk pl pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg si sk sl sm sn so sr st sv sy
    sz tc td tg th tj tl tm tn to tr tt tv tw tz ua ug uk us uy uz va ve vg vi vn vu ws xk ye za zm zw""".split()
)

# Ambiguous codes also form words, such as `hi-fi`, `no-go`, `to-do`; only these pairs are languages.
_SURE_PAIRS = frozenset(
    """af-za ar-ae ar-eg ar-sa az-az bs-ba ca-es cs-cz cy-gb eu-es gl-es he-il hi-in hr-hr id-id is-is it-ch it-it
    km-kh mn-mn ms-my ne-np no-no sw-ke uk-ua ga-ie mt-mt be-by my-mm lo-la am-et si-lk mr-in gu-in kn-in
    ml-in pa-in""".split()
)

_TAG = re.compile(r"([a-z]{2,3})((?:[-_][a-z0-9]{1,8})*)", re.IGNORECASE)
_SUBTAG = re.compile(r"[a-z]{2}|[a-z]{4}|\d{3}")
_LONG_CODES = {
    "ara": "ar", "ces": "cs", "chi": "zh", "dan": "da", "deu": "de", "dut": "nl", "ell": "el", "eng": "en", "fin": "fi",
    "fra": "fr", "fre": "fr", "ger": "de", "heb": "he", "hin": "hi", "hun": "hu", "ita": "it", "jpn": "ja", "kor": "ko",
    "nld": "nl", "nor": "no", "pol": "pl", "por": "pt", "rus": "ru", "spa": "es", "swe": "sv", "tur": "tr", "ukr": "uk",
    "zho": "zh",
}  # fmt: skip
_NO_LANGUAGE = frozenset({"mis", "mul", "und", "zxx"})
_CANONICAL_CODES = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi"}

LANGUAGE_NAMES: dict[str, str] = {
    "af": "Afrikaans", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali",
    "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fil": "Filipino", "fr": "French", "ga": "Irish", "gl": "Galician", "gu": "Gujarati",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer",
    "kn": "Kannada", "ko": "Korean", "la": "Latin", "lb": "Luxembourgish", "lo": "Lao", "lt": "Lithuanian",
    "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay",
    "mt": "Maltese", "my": "Burmese", "nb": "Norwegian", "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian Nynorsk",
    "no": "Norwegian", "pa": "Punjabi", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "uz": "Uzbek", "vi": "Vietnamese", "yi": "Yiddish", "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip


CODE_BY_NATIVE_NAME: dict[str, str] = {
    "català": "ca", "čeština": "cs", "cestina": "cs", "dansk": "da", "deutsch": "de", "eesti": "et", "español": "es",
    "espanol": "es", "euskara": "eu", "français": "fr", "francais": "fr", "galego": "gl", "hrvatski": "hr",
    "italiano": "it", "latviešu": "lv", "lietuvių": "lt", "magyar": "hu", "nederlands": "nl", "norsk": "no",
    "polski": "pl", "português": "pt", "portugues": "pt", "română": "ro", "romana": "ro", "slovenčina": "sk",
    "slovenščina": "sl", "srpski": "sr", "suomi": "fi", "svenska": "sv", "türkçe": "tr", "turkce": "tr",
    "ελληνικά": "el", "български": "bg", "русский": "ru", "українська": "uk", "עברית": "he", "العربية": "ar",
    "فارسی": "fa", "ไทย": "th", "中文": "zh", "日本語": "ja", "한국어": "ko",
}  # fmt: skip
"""Names of languages in the language itself: as a segment they rarely mean anything but a translation."""

CODE_BY_ENGLISH_NAME: dict[str, str] = {
    name.lower(): code for code, name in LANGUAGE_NAMES.items() if " " not in name and code not in {"la", "nb", "yi"}
}
"""Names of languages in English: as a segment they may also be a subject that is taught."""


def find_code_by_name(segment: str) -> str:
    """Return the code of the language that a segment names, `fr` for `french` or `francais`; otherwise empty."""
    name = segment.lower()
    return CODE_BY_NATIVE_NAME.get(name) or CODE_BY_ENGLISH_NAME.get(name, "")


@lru_cache(maxsize=1 << 12)
def parse_url_code(text: str) -> str:
    """Return the code of a segment, label or parameter, `pt-br` for `pt_BR`; empty for `de-dupe`."""
    if not is_locale(text):
        return ""
    code = text.lower().replace("_", "-")
    primary, _, region = code.partition("-")
    if not region or code in _SURE_PAIRS:
        return code
    return code if primary in UNAMBIGUOUS_CODES and (len(region) > 2 or region in _REGIONS) else ""


@lru_cache(maxsize=1 << 12)
def parse_language_tag(tag: str) -> str:
    """Return the code of a language tag in a document, with its region or script; empty if it is not a language."""
    match = _TAG.fullmatch(tag.strip()[:35])
    if match is None:
        return ""
    primary = _LONG_CODES.get(match.group(1).lower(), match.group(1).lower())
    if primary in _NO_LANGUAGE or (
        len(primary) == 2 and primary not in LANGUAGE_CODES and primary not in _CANONICAL_CODES
    ):
        return ""
    first = match.group(2).lower().replace("_", "-")[1:].partition("-")[0]
    return f"{primary}-{first}" if _SUBTAG.fullmatch(first) else primary


def get_primary_language(code: str) -> str:
    """Return the language without its region; languages with two codes are always returned with the same one."""
    primary = code.lower().replace("_", "-").partition("-")[0].strip()
    return _CANONICAL_CODES.get(primary, primary)


def get_language_name(code: str) -> str:
    """Return the English name of the language."""
    primary = get_primary_language(code)
    return LANGUAGE_NAMES.get(primary, primary.upper())
