"""Languages of the pages of small sites; codes may also be words, departments, states or countries."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import LanguageClassifier, PageLanguage, is_other_language
from headwater.classify.languages import language
from headwater.classify.languages.language import MAX_POSITIONS
from headwater.classify.languages.language_codes import get_language_name, parse_language_tag, parse_url_code
from tests.urls.strategies import url_like

# Sites: URL without scheme, declared language, expected code.
SITES: dict[str, list[tuple[str, str, str]]] = {
    "departments that declare English": [
        ("e.edu/", "en", "en"),
        ("e.edu/it/helpdesk", "en", "en"),
        ("e.edu/it/contact", "en-US", "en-us"),
        ("e.edu/hr/contact", "en", "en"),
        ("e.edu/cs/courses", "en", "en"),
        ("e.edu/pr/contact", "", ""),
        ("e.edu/no/such-page", "en", "en"),
        ("e.edu/is/this-it", "en", "en"),
    ],
    "departments without a declared language": [
        ("e.org/it/helpdesk", "", ""),
        ("e.org/it/contact", "", ""),
        ("e.org/hr/contact", "", ""),
        ("e.org/it", "", ""),
        ("e.org/contact", "", ""),
        ("e.org/no", "", ""),
        ("e.org/is/open", "", ""),
    ],
    "a folder with only its own page": [
        ("h.com/", "", ""),
        ("h.com/about", "", ""),
        ("h.com/de", "", ""),
    ],
    "one translation that repeats the site's paths": [
        ("i.com/", "", ""),
        ("i.com/about", "", ""),
        ("i.com/de", "", "de"),
        ("i.com/de/about", "", "de"),
    ],
    "a translation beside one with a region": [
        ("j.com/a", "", ""),
        ("j.com/de/b", "", "de"),
        ("j.com/pt-br/c", "", "pt-br"),
    ],
    "a translation beside one that declares itself": [
        ("k.com/a", "", ""),
        ("k.com/de/b", "", "de"),
        ("k.com/it/c", "it", "it"),
    ],
    "a translation beside a department": [
        ("l.com/a", "", ""),
        ("l.com/de/b", "", ""),
        ("l.com/it/c", "", ""),
    ],
    "a doubtful code beside many languages that translate their paths": [
        ("m.com/en/about", "", "en"),
        ("m.com/de/impressum", "", "de"),
        ("m.com/fr/apropos", "", "fr"),
        ("m.com/pl/kontakt", "", "pl"),
        ("m.com/it/azienda", "", "it"),
    ],
    "a doubtful code beside two languages that translate their paths": [
        ("n.com/en/about", "", "en"),
        ("n.com/de/impressum", "", "de"),
        ("n.com/it/wifi", "", ""),
    ],
    "a translation with words of its own": [
        ("fr.com/about", "", ""),
        ("fr.com/contact", "", ""),
        ("fr.com/fr/a-propos", "", "fr"),
        ("fr.com/fr/tarifs", "", "fr"),
        ("fr.com/fr", "", "fr"),
    ],
    "a doubtful code with words of its own": [
        ("dm.com/about", "", ""),
        ("dm.com/it/chi-siamo", "", "it"),
        ("dm.com/it/wifi", "", "it"),
        ("dm.com/no/go", "", ""),
    ],
    "words of a language other than the code": [
        ("ot.com/about", "", ""),
        ("ot.com/de/a-propos", "", ""),
        ("ot.com/it/over-the-top", "", ""),
        ("ot.com/it/come-to-us", "", ""),
        ("ou.com/nl/over", "", ""),
    ],
    "a country with words of its language": [
        ("cy.com/us/about", "", ""),
        ("cy.com/gb/about", "", ""),
        ("cy.com/de/ueber-uns", "", "de"),
        ("cy.com/it/shoes", "", ""),
    ],
    "codes that mean nothing else": [
        ("ja.com/about", "", ""),
        ("ja.com/ja/gaiyou", "", "ja"),
        ("ja.com/docs/ko/start", "", "ko"),
    ],
    "letters of a script": [
        ("sc.com/about", "", ""),
        ("sc.com/ru/%D0%BE-%D0%BD%D0%B0%D1%81", "", "ru"),
        ("sc.com/el/%CF%83%CF%87%CE%B5%CF%84%CE%B9%CE%BA%CE%AC", "", "el"),
        ("sc.com/uk/%D0%BF%D1%80%D0%BE-%D0%BD%D0%B0%D1%81", "", "uk"),
    ],
    "names of languages with words of their own": [
        ("nm.com/about", "", ""),
        ("nm.com/french/a-propos", "", "fr"),
        ("nm.com/french", "", "fr"),
        ("nm.com/german/about-us", "", "de"),
    ],
    "names of languages that repeat the site's paths": [
        ("np.com/about", "", ""),
        ("np.com/team", "", ""),
        ("np.com/Spanish/about", "", "es"),
        ("np.com/Spanish/team", "", "es"),
    ],
    "native names of languages": [
        ("ns.com/about", "", ""),
        ("ns.com/deutsch/seite1", "", "de"),
        ("ns.com/fran%C3%A7ais/page1", "", "fr"),
        ("ns.com/espanol", "", "es"),
    ],
    "languages that are taught": [
        ("tu.edu/about", "", ""),
        ("tu.edu/french/faculty", "", ""),
        ("tu.edu/german/faculty", "", ""),
        ("tu.edu/courses/french", "", ""),
        ("tu.edu/courses/italiano", "", ""),
        ("tu.edu/english/faculty", "en", "en"),
    ],
    "before the file extension": [
        ("sf.com/intro.html", "", ""),
        ("sf.com/intro.fr.html", "", "fr"),
        ("sf.com/intro.de.html", "", "de"),
        ("sf.com/a/index.html", "", ""),
        ("sf.com/a/index.ja.html", "", "ja"),
        ("sf.com/a/index.pt-br.html", "", "pt-br"),
        ("sf.com/jquery.min.html", "", ""),
    ],
    "after the file extension": [
        ("ap.org/docs/mod.html.fr", "", "fr"),
        ("ap.org/docs/mod.html.de", "", "de"),
        ("ap.org/docs/start.html.ko", "", "ko"),
        ("ap.org/docs/start.html.fr", "", "fr"),
    ],
    "names of modules": [
        ("py.org/xml.sax.html", "", ""),
        ("py.org/os.path.html", "", ""),
        ("py.org/tkinter.tk.html", "", ""),
        ("py.org/serde.de.html", "", ""),
    ],
    "detected in some pages of a folder": [
        ("dt.com/docs/a", "en-x-detected", "en"),
        ("dt.com/docs/b", "en-x-detected", "en"),
        ("dt.com/docs/c", "", "en"),
        ("dt.com/docs/more/d", "", "en"),
        ("dt.com/news/a", "fr-x-detected", "fr"),
        ("dt.com/news/b", "fr-x-detected", "fr"),
        ("dt.com/news/c", "", "fr"),
        ("dt.com/news/d", "es", "es"),
        ("dt.com/x", "", ""),
    ],
    "detected in one page": [("do.com/a", "fr-x-detected", "fr"), ("do.com/b", "", "")],
    "detected languages that disagree": [
        ("dd.com/a", "fr-x-detected", "fr"),
        ("dd.com/b", "de-x-detected", "de"),
        ("dd.com/c", "", ""),
    ],
    "detected below a code": [
        ("db.com/about", "", ""),
        ("db.com/fr/page1", "fr-x-detected", "fr"),
        ("db.com/fr/page2", "", "fr"),
        ("db.com/it/page1", "en-x-detected", "en"),
        ("db.com/it/page2", "", ""),
        ("db.com/german/page1", "de-x-detected", "de"),
        ("db.com/german/page2", "", "de"),
    ],
    "declared against detected": [
        ("da.com/de/a", "de", "de"),
        ("da.com/de/b", "en-x-detected", "de"),
        ("da.com/de/c", "en-x-detected", "de"),
    ],
    "detected once among many": [
        *((f"lo.com/p{number}", "en-x-detected", "en") for number in range(20)),
        ("lo.com/code", "cy-x-detected", ""),
    ],
    "a department beside translations": [
        ("u.edu/en/study", "", "en"),
        ("u.edu/de/study", "", "de"),
        ("u.edu/fr/study", "", "fr"),
        ("u.edu/es/study", "", "es"),
        ("u.edu/it/wifi", "", ""),
        ("u.edu/it/printers", "", ""),
    ],
    "Italian, declared by the pages": [
        ("e.it/it/chi-siamo", "it", "it"),
        ("e.it/it/contatti", "", "it"),
        ("e.it/en/about", "en", "en"),
    ],
    "translations with the same paths": [
        ("m.com/de/about", "", "de"),
        ("m.com/fr/about", "", "fr"),
        ("m.com/it/about", "", "it"),
        ("m.com/no/about", "", "no"),
        ("m.com/de/pricing", "", "de"),
        ("m.com/it/pricing", "", "it"),
        ("m.com/io/about", "", ""),
        ("m.com/about", "", ""),
    ],
    "translations with paths of their own": [
        ("t.com/de/ueber-uns", "", "de"),
        ("t.com/fr/a-propos", "", "fr"),
        ("t.com/es/quienes-somos", "", "es"),
        ("t.com/it/chi-siamo", "", "it"),
    ],
    "home pages only": [("h.com/de", "", "de"), ("h.com/fr", "", "fr"), ("h.com/ja/", "", "ja"), ("h.com/", "", "")],
    "one translation beside the default": [
        ("o.com/about", "", ""),
        ("o.com/de/about", "", "de"),
        ("o.com/de/team", "", "de"),
        ("o.com/team", "", ""),
    ],
    "a code alone": [("a.com/de", "", ""), ("a.com/de/x", "", ""), ("a.com/about", "", "")],
    "words that begin like codes": [
        ("w.com/de-dupe", "", ""),
        ("w.com/de-dupe/how-to", "en", "en"),
        ("w.com/hi-fi/speakers", "", ""),
        ("w.com/to-do/list", "", ""),
        ("w.com/no-go", "", ""),
        ("w.com/co-op/shops", "", ""),
        ("w.com/design", "", ""),
        ("w.com/fr-amework/x", "", ""),
    ],
    "codes with a region": [
        ("r.com/pt-br/sobre", "", "pt-br"),
        ("r.com/pt_BR/sobre", "", "pt-br"),
        ("r.com/zh-Hans/a", "", "zh-hans"),
        ("r.com/es-419/a", "", "es-419"),
        ("r.com/it-it/a", "", "it-it"),
        ("r.com/en-us/a", "", "en-us"),
        ("r.com/docs/de-at/a", "en", "de-at"),
    ],
    "countries": [
        ("c.com/us/shoes", "", ""),
        ("c.com/uk/shoes", "", ""),
        ("c.com/ca/shoes", "", ""),
        ("c.com/de/shoes", "", ""),
        ("c.com/fr/shoes", "fr", "fr"),
        ("c.com/it/shoes", "en", "en"),
    ],
    "states": [
        ("s.gov/al/dmv", "", ""),
        ("s.gov/de/dmv", "", ""),
        ("s.gov/fl/dmv", "", ""),
        ("s.gov/id/dmv", "", ""),
        ("s.gov/ny/dmv", "", ""),
        ("s.gov/tx/dmv", "", ""),
    ],
    "codes as subjects": [
        ("f.com/flags/de", "", ""),
        ("f.com/flags/fr", "", ""),
        ("f.com/countries/de/capital", "", ""),
        ("f.com/countries/fr/capital", "", ""),
        ("f.com/users/no", "", ""),
    ],
    "in the second segment": [
        ("d.com/docs/de/intro", "", "de"),
        ("d.com/docs/fr/intro", "", "fr"),
        ("d.com/blog/de/hello", "", "de"),
        ("d.com/blog/fr/hello", "", "fr"),
        ("d.com/docs/3.11/ja/intro", "ja", "ja"),
        ("d.com/docs/3.11/ja/more", "", "ja"),
        ("d.com/a/b/c/de/x", "", ""),
    ],
    "Ukrainian and Catalan beside English": [
        ("k.org/en/a", "", "en"),
        ("k.org/pl/a", "", "pl"),
        ("k.org/uk/a", "", "uk"),
        ("k.org/ca/a", "", "ca"),
    ],
    "subdomains": [
        ("de.example.com/a", "", "de"),
        ("it.example.com/helpdesk", "", ""),
        ("my.example.com/account", "", ""),
        ("id.example.com/login", "", ""),
        ("tv.other.com/a", "", ""),
        ("docs.example.com/a", "", ""),
        ("pt-br.example.com/a", "", "pt-br"),
        ("de.com/a", "", ""),
        ("no.firm.com/jobb", "nb", "no"),
    ],
    "a subdomain that declares otherwise": [("de.site.com/a", "en", "en"), ("de.site.com/b", "en", "en")],
    "encyclopaedia": [
        ("en.wiki.org/wiki/Rhine", "", "en"),
        ("de.wiki.org/wiki/Rhine", "", "de"),
        ("fr.wiki.org/wiki/Rhine", "", "fr"),
        ("it.wiki.org/wiki/Rhine", "", "it"),
    ],
    "parameters": [
        ("p.com/a?lang=de", "", "de"),
        ("p.com/a?x=1&hl=pt-BR", "", "pt-br"),
        ("p.com/a?locale=it", "", "it"),
        ("p.com/a?q=de", "", ""),
        ("p.com/a?id=no", "", ""),
    ],
    "programming languages": [
        ("g.com/docs?lang=cs", "", ""),
        ("g.com/docs?lang=js", "", ""),
        ("g.com/docs?lang=python", "", ""),
        ("g.com/docs?lang=ts", "", ""),
    ],
    "declared languages": [
        ("x.com/1", "EN", "en"),
        ("x.com/2", "zh-Hans-CN", "zh-hans"),
        ("x.com/3", "deu", "de"),
        ("x.com/4", "{{ lang }}", ""),
        ("x.com/5", "und", ""),
        ("x.com/6", "pt_BR", "pt-br"),
        ("x.com/7", "xx", ""),
        ("x.com/8", "x-default", ""),
    ],
}


@pytest.mark.parametrize("site", SITES)
def test_the_language_of_every_page(site: str) -> None:
    languages = LanguageClassifier()
    for url, declared, _ in SITES[site]:
        languages.note(f"https://{url}", declared)
    found = {url: languages.determine_language(f"https://{url}", declared).code for url, declared, _ in SITES[site]}
    assert found == {url: expected for url, _, expected in SITES[site]}


def test_the_table_is_long_enough() -> None:
    assert sum(map(len, SITES.values())) >= 100


def test_the_source_of_a_language() -> None:
    languages = LanguageClassifier()
    for url in ("https://e.com/de/a", "https://e.com/fr/a"):
        languages.note(url)
    assert languages.determine_language("https://e.com/de/a") == PageLanguage("de", "segment")
    assert languages.determine_language("https://e.com/de/a", "de-AT") == PageLanguage("de", "segment")
    assert languages.determine_language("https://e.com/de/a", "", "fr-CA") == PageLanguage("fr-ca", "hreflang")
    assert languages.determine_language("https://pt-br.e.com/a") == PageLanguage("pt-br", "subdomain")
    assert languages.determine_language("https://e.com/a?lang=pt-br") == PageLanguage("pt-br", "parameter")
    assert languages.determine_language("https://e.com/a", "ja") == PageLanguage("ja", "html")
    assert languages.determine_language("https://e.com/a") == PageLanguage("", "")
    languages.note("https://e.com/a.fr.html")
    languages.note("https://e.com/a")
    assert languages.determine_language("https://e.com/a.fr.html") == PageLanguage("fr", "suffix")
    for url in ("https://f.com/a", "https://f.com/b"):
        languages.note(url, "ja-x-detected")
    assert languages.determine_language("https://f.com/a", "ja-x-detected") == PageLanguage("ja", "text")
    assert languages.determine_language("https://f.com/c") == PageLanguage("ja", "folder")


def test_hreflang_confirms_a_code() -> None:
    languages = LanguageClassifier()
    languages.note("https://e.com/it/a", hreflang="it")
    assert languages.determine_language("https://e.com/it/b") == PageLanguage("it", "segment")


def languages_of(rows: list[tuple[str, str, str]]) -> dict[str, PageLanguage]:
    languages = LanguageClassifier()
    for url, declared, _ in rows:
        languages.note(f"https://{url}", declared)
    return {url: languages.determine_language(f"https://{url}", declared) for url, declared, _ in rows}


def test_the_order_of_the_pages_does_not_matter() -> None:
    rows = [row for site in SITES.values() for row in site]
    expected = languages_of(rows)
    for seed in range(5):
        assert languages_of(Random(seed).sample(rows, len(rows))) == expected


def test_the_order_of_the_pages_does_not_matter_beyond_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "MAX_POSITIONS", 200)
    rows = [(f"e.com/user{number}/de/about", "de" if number % 3 else "", "") for number in range(400)]
    assert languages_of(rows) == languages_of(rows[::-1]) == languages_of(Random(1).sample(rows, len(rows)))


def test_memory_is_bounded() -> None:
    languages = LanguageClassifier()
    for number in range(3 * MAX_POSITIONS):
        languages.note(f"https://e.com/user{number}/de/x", "en")
        languages.note("https://e.com/it/x", "it")
    assert all(len(places) <= MAX_POSITIONS for places in languages._positions)  # noqa: SLF001
    assert languages.determine_language("https://e.com/it/x").code == "it"


@pytest.mark.parametrize(
    ("code", "wanted", "expected"),
    [
        ("de", "en", True),
        ("en", "en", False),
        ("en-gb", "en", False),
        ("en_GB", "EN", False),
        ("", "en", False),
        ("de", "", False),
        ("de", "any", False),
        ("de", (), False),
        ("de", ("en", "de"), False),
        ("fr", ("en", "de"), True),
        ("fr", "en, de", True),
        ("de-at", "en,de", False),
        ("pt-pt", "pt-br", True),
        ("pt", "pt-br", False),
        ("nb", "no", False),
    ],
)
def test_pages_of_other_languages_are_recognized(code: str, wanted: tuple[str, ...] | str, expected: bool) -> None:
    assert is_other_language(code, wanted) is expected


@pytest.mark.parametrize(
    ("code", "name"), [("de", "German"), ("pt-br", "Portuguese"), ("nb", "Norwegian"), ("xx", "XX")]
)
def test_names_of_languages(code: str, name: str) -> None:
    assert get_language_name(code) == name


@given(st.lists(st.tuples(url_like(), st.text(max_size=8), st.text(max_size=8)), max_size=8), st.text(max_size=8))
def test_no_url_raises(pages: list[tuple[str, str, str]], wanted: str) -> None:
    languages = LanguageClassifier()
    for page in pages:
        languages.note(*page)
    for page in pages:
        language = languages.determine_language(*page)
        assert bool(language.code) == bool(language.source)
        assert is_other_language(language.code, wanted) in {True, False}


@given(st.text(max_size=12))
def test_codes_are_lower_case(text: str) -> None:
    assert parse_language_tag(text) == parse_language_tag(text).lower()
    assert parse_url_code(text) == parse_url_code(text).lower()
