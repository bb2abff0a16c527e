"""Recognize URLs of login and consent pages, to which sites redirect visitors instead of showing a page."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

_LOGIN_SEGMENT = re.compile(
    r"(?:wp-|user-?|account-?|member-?)?(?:log-?_?in|log-?_?on|sign-?_?in|authenticate|authentication|auth|sso|saml2?|"
    r"oauth2?|authorize|openid-connect|cas|session|sessions|anmelden|einloggen|connexion|entrar|accedi|acceso|inloggen|"
    r"logowanie|logga-in|giris)(?:\.\w{1,5})?",
    re.IGNORECASE,
)
_LOGIN_HOSTS = frozenset({"login", "signin", "sso", "idp", "auth", "adfs", "accounts", "passport"})
_CONSENT_SEGMENT = re.compile(r"(?:cookie|privacy|gdpr)-?_?(?:consent|wall|gate)s?(?:\.\w{1,5})?", re.IGNORECASE)
_RETURN_NAME = re.compile(
    r"next|continue|dest(?:ination)?|goto|back(?:_?url)?|from|target|service|wreply|relaystate|(?:url|uri|path)|"
    r"(?:return|redirect|forward|callback|referr?er|success|done|origin(?:al)?)[-_]?(?:to|url|uri|path|page)?",
    re.IGNORECASE,
)
_RETURN_VALUE = re.compile(r"/|https?:", re.IGNORECASE)
_PROTOCOL_NAMES = frozenset({"samlrequest", "client_id", "response_type", "wtrealm"})
"""Parameters with which SAML, OAuth and WS-Federation ask an identity provider for a login."""

MAX_PARAMETERS = 100


def is_login_url(url: str) -> bool:
    """Return True if the host or a segment of the path is named after a login."""
    host, segments = _split(url)
    return host in _LOGIN_HOSTS or any(map(_LOGIN_SEGMENT.fullmatch, segments))


def is_consent_url(url: str) -> bool:
    """Return True if the host or a segment of the path is named after consent to cookies."""
    host, segments = _split(url)
    return host == "consent" or any(map(_CONSENT_SEGMENT.fullmatch, segments))


def names_return_address(url: str) -> bool:
    """Return True if the query names the page to go back to, or is a request of a login protocol."""
    query = urlsplit(url).query
    if query.count("&") >= MAX_PARAMETERS:
        return False
    return any(
        name.lower() in _PROTOCOL_NAMES or bool(_RETURN_NAME.fullmatch(name) and _RETURN_VALUE.match(value))
        for name, value in parse_qsl(query)
    )


def find_redirect_wall(source: str, target: str) -> str:
    """Return `login-required` or `consent-required` if a redirect asks the visitor for that, else an empty string."""
    if is_login_url(target) and not is_login_url(source) and names_return_address(target):
        return "login-required"
    if is_consent_url(target) and not is_consent_url(source) and names_return_address(target):
        return "consent-required"
    return ""


def _split(url: str) -> tuple[str, list[str]]:
    """Return the first label of the host, and the segments of the path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", []
    return (parts.hostname or "").partition(".")[0], parts.path.split("/")
