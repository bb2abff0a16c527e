"""Extract phrases from titles that say what a page is about."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

_BREAK = re.compile(r"[\W_]+")
_PUNCTUATION = re.compile(r"[,;!?](?=\s|\Z)|[:.](?=\s|\Z)|\s[-–—|·»/]+\s|[()\[\]{}\"“”„]")
_IDENTIFIER = re.compile(r"\S*[\d._:/<>=+*&@$~^\\#]\S*")
"""Identifiers such as `java.util` or `base64`, which are not part of phrases."""

STOP_WORDS = frozenset(
    """a about above add adding additional advanced after again all also am an and any appendix are as at back basic
    basics be because been before being below best better between both build building but by can change changes
    changing chapter com common could create creating custom day define defining did different do does doing don
    down each edition en even every example examples few find first for free from full further general get gets
    getting give go good got great had handling has have having he her here him his home how htm html http https i
    if important in index info into intro introducing introduction is it its just know last latest learn let like
    list look main make makes making many may me misc miscellaneous more most much must my need never new next no
    non nor not now null of off official old on one only or other our out over overview own page pages part parts
    people per php post posts provide read really same section see set she should show simple site so some standard
    start started starting still such summary take than thank thanks that the their them then there these they thing
    things this those three through time to today too top two under understand understanding untitled up us use used
    useful user uses using various very via view want was way we web website week welcome well were what when where
    which while who why will with within without work works write writing www year years yes you your support
    als auch auf aus bei das dem den der des die ein eine einer für im ist mit nach nicht oder sich sie sind und von vor
    wie zu zum zur au aux avec ce ces dans du elle est et il la le les leur nous par pas pour que qui sa sur un une vos
    votre vous al como con del el en es esta las los más no nos o para por que se si sin su sus una y ya da das dos e em
    na não os ou seu sua uma che di gli i lo nel non per più sono""".split()
)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the same form for singular and plural, accurate enough to count them together."""
    word = word.lower()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "os", "as")):
        return word[:-1]
    return word


def extract_phrases(text: str) -> list[tuple[str, str]]:
    """Return all pairs of adjacent content words, with no punctuation or identifier between them."""
    found: list[tuple[str, str]] = []
    for part in _PUNCTUATION.split(text):
        row = _BREAK.split(_IDENTIFIER.sub(" 0 ", part))
        found += [pair for pair in pairwise(row) if all(map(_is_content_word, pair))]
    return found


@lru_cache(maxsize=1 << 16)
def _is_content_word(word: str) -> bool:
    return 3 <= len(word) <= 24 and word.isalpha() and word.lower() not in STOP_WORDS
