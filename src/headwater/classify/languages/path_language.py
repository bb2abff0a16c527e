"""Recognize the language of a path by typical words of each language, or by its script."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_BREAK = re.compile(r"[\W_]+")

_WORDS: dict[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "cs": "domu kontakt kontakty onas pro produkty sluzby nas nase jak aktuality cenik",
        "da": "og til om os kontakt forside produkter nyheder vores priser",
        "de": """aktuelles anfahrt anmelden ansprechpartner beim datenschutz der die das ein eine fuer für impressum
            karriere kontakt leistungen mit nachrichten neuigkeiten preise produkte startseite uber ueber ueberuns
            und unsere unternehmen uns veranstaltungen vom warenkorb wie zum zur über""",
        "es": """acerca actualidad aviso con contacto contactenos cursos del el empresa entrar inicio los las mas
            noticias nosotros nuestra nuestro para por precios preguntas privacidad productos quienes servicios sobre
            somos tienda una ayuda""",
        "fi": "ajankohtaista etusivu ja hinnat meista palvelut tietoa tuotteet yhteystiedot yritys",
        "fr": """accueil actualites actualités apropos au aux avec boutique connexion contactez dans
            de des du entreprise equipe et evenements faire legales les le la mentions nos notre nouvelles nous offres
            panier pour produits propos qui recherche sommes sur tarifs une votre à équipe""",
        "hu": "arak es hirek kapcsolat rolunk szolgaltatasok termekek",
        "it": """accedi assistenza azienda carrello chi come con contatti contattaci degli della delle di eventi il le
            lavora negozio notizie novita novità per prezzi prodotti servizi siamo sono storia su una""",
        "nl": """aanbod contactgegevens diensten en het hoe nieuws onze over ons prijzen producten van voor werkenbij
            winkel een""",
        "no": "og til om oss kontakt hjem produkter nyheter tjenester priser",
        "pl": "aktualnosci cennik dla i jak kontakt nas o oferta praca produkty sklep strona uslugi",
        "pt": """com contato contactos da do dos empresa entrar início inicio loja nos nossa noticias notícias não para
            precos produtos quem serviços servicos sobre somos uma ajuda""",
        "ro": "acasa contacteaza despre din noi noutati pentru preturi produse servicii si",
        "sv": "hem kontakta nyheter oss och om priser produkter till tjanster tjänster vara",
        "tr": "anasayfa fiyatlar hakkimizda hakkında haberler iletisim iletişim urunler ürünler ve hizmetler",
    }.items()
}  # fmt: skip
"""Words that are frequent in the paths of a language and rare in the paths of English pages."""

_WEAK = frozenset("come dans mentions over para pour till vara".split())
"""Words of a language that are also English words or names; like short words, they count only with another one."""

_SCRIPTS: dict[str, tuple[str, ...]] = {
    "ar": ("ARABIC",), "bg": ("CYRILLIC",), "bn": ("BENGALI",), "el": ("GREEK",), "fa": ("ARABIC",),
    "he": ("HEBREW",), "hi": ("DEVANAGARI",), "hy": ("ARMENIAN",), "ja": ("HIRAGANA", "KATAKANA", "CJK"),
    "ka": ("GEORGIAN",), "kk": ("CYRILLIC",), "ko": ("HANGUL",), "mk": ("CYRILLIC",), "mn": ("CYRILLIC",),
    "ru": ("CYRILLIC",), "sr": ("CYRILLIC",), "ta": ("TAMIL",), "te": ("TELUGU",), "th": ("THAI",),
    "uk": ("CYRILLIC",), "ur": ("ARABIC",), "zh": ("CJK",),
}  # fmt: skip


def has_language_words(path: tuple[str, ...], code: str) -> bool:
    """Return True if a segment of the path has a long word of the language, two short ones, or its script."""
    scripts, words = _SCRIPTS.get(code, ()), _WORDS.get(code, frozenset())
    return any(_has_script(segment, scripts) or _has_words(segment, words) for segment in path)


def _has_words(segment: str, words: frozenset[str]) -> bool:
    parts = [part for part in _BREAK.split(segment.lower()) if part]
    known = [part for part in parts if part in words]
    return len(known) > 1 or any(len(part) > 3 and part not in _WEAK for part in known)


@lru_cache(maxsize=1 << 12)
def _has_script(segment: str, scripts: tuple[str, ...]) -> bool:
    return (
        bool(scripts)
        and not segment.isascii()
        and unicodedata.name(_find_first_letter(segment), "").startswith(scripts)
    )


def _find_first_letter(segment: str) -> str:
    return next((letter for letter in segment if not letter.isascii() and letter.isalpha()), " ")
