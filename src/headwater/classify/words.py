"""Words of segments and titles, and the names that people would give to parts of a site."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

_BREAK = re.compile(r"[\W_]+")
_PAUSE = re.compile(r"[^\w\s'’_-]+|\s[-–—|]+\s")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART_BREAK = re.compile(r"[-_+~\s]+")
_VERSION = re.compile(r"v?\d+(?:\.\w+)*", re.IGNORECASE)

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

_SPELLINGS = {
    "ai": "AI", "api": "API", "apis": "APIs", "asp": "ASP", "aws": "AWS", "ci": "CI", "cli": "CLI", "cms": "CMS",
    "cpu": "CPU", "crm": "CRM", "css": "CSS", "csv": "CSV", "diy": "DIY", "dns": "DNS", "dvd": "DVD", "eu": "EU",
    "faq": "FAQ", "faqs": "FAQs", "ftp": "FTP", "gdpr": "GDPR", "github": "GitHub", "gpu": "GPU", "gui": "GUI",
    "hr": "HR", "html": "HTML", "http": "HTTP", "https": "HTTPS", "id": "ID", "ide": "IDE", "io": "I/O", "ios": "iOS",
    "iot": "IoT", "ip": "IP", "it": "IT", "javascript": "JavaScript", "json": "JSON", "jwt": "JWT", "ldap": "LDAP",
    "macos": "macOS", "ml": "ML", "mysql": "MySQL", "oauth": "OAuth", "pdf": "PDF", "php": "PHP", "pr": "PR",
    "qa": "QA", "rest": "REST", "rss": "RSS", "saas": "SaaS", "sdk": "SDK", "sdks": "SDKs", "seo": "SEO",
    "sms": "SMS", "sql": "SQL", "ssh": "SSH", "ssl": "SSL", "sso": "SSO", "tcp": "TCP", "tls": "TLS", "tv": "TV",
    "typescript": "TypeScript", "ui": "UI", "uk": "UK", "url": "URL", "urls": "URLs", "us": "US", "usa": "USA",
    "usb": "USB", "ux": "UX", "vpn": "VPN", "xml": "XML", "yaml": "YAML",
}  # fmt: skip

_NAMES = {
    "whatsnew": "What’s new",
    "howto": "How-to guides",
    "howtos": "How-to guides",
    "how-to": "How-to guides",
    "c-api": "C API",
    "f-a-q": "FAQ",
    "docs": "Documentation",
    "doc": "Documentation",
    "ref": "Reference",
    "aboutus": "About us",
    "genindex": "General index",
    "qanda": "Questions and answers",
}


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """One spelling for singular and plural, good enough to count them together."""
    word = word.lower()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "os", "as")):
        return word[:-1]
    return word


def words(text: str) -> list[str]:
    """The telling words of a text in their own spelling: no numbers, no stop words, nothing too short or too long."""
    return [word for word in _BREAK.split(_CAMEL.sub(" ", text)) if _is_telling(word)]


def phrases(text: str) -> list[tuple[str, str]]:
    """Two telling words in a row, with no pause between them."""
    found: list[tuple[str, str]] = []
    for part in _PAUSE.split(text):
        row = _BREAK.split(part)
        found += [pair for pair in pairwise(row) if all(map(_is_telling, pair))]
    return found


@lru_cache(maxsize=1 << 16)
def _is_telling(word: str) -> bool:
    return 3 <= len(word) <= 24 and word.isalpha() and word.lower() not in STOP_WORDS


@lru_cache(maxsize=1 << 10)
def title_of_segment(segment: str) -> str:
    """A path segment as a heading: `c-api` is C API, `getting_started` is Getting started."""
    if named := _NAMES.get(segment.lower()):
        return named
    if _VERSION.fullmatch(segment):
        return segment
    parts = [part for part in _PART_BREAK.split(_CAMEL.sub(" ", segment)) if part]
    spelled = [_SPELLINGS.get(part.lower(), part if part.isupper() else part.lower()) for part in parts]
    return capitalised(" ".join(spelled)) or segment


def title_of_word(word: str) -> str:
    """A single word as a heading."""
    return _NAMES.get(word.lower()) or capitalised(_SPELLINGS.get(word.lower(), word))


def capitalised(text: str) -> str:
    """With a capital first, the rest untouched; names that begin small on purpose stay."""
    return text if text[1:2].isupper() else text[:1].upper() + text[1:]
