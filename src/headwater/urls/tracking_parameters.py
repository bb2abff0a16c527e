"""Parameters that track visitors or hold their session, and do not change the content of a page."""

from __future__ import annotations

import re

TRACKING_PREFIXES = ("utm_", "mtm_", "matomo_", "pk_", "hsa_", "__hs", "oly_", "vero_")

TRACKING_PARAMETERS = frozenset(
    {
        "_ga", "_gl", "_hsenc", "_hsmi", "_kx", "_openstat", "dclid", "ef_id", "epik", "fbclid", "gad_source",
        "gbraid", "gclid", "gclsrc", "igshid", "irclickid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid",
        "rb_clickid", "s_cid", "s_kwcid", "srsltid", "ttclid", "twclid", "wbraid", "wickedid", "yclid", "ysclid",
    }
)  # fmt: skip

_SESSION_NAMES = frozenset({"phpsessid", "jsessionid", "oscsid", "zenid", "cftoken", "cfid"})
_POSSIBLE_SESSION_NAMES = frozenset({"sid", "sess", "session", "sessionid", "session_id"})
_SESSION_PREFIX = "aspsessionid"
"""Names that always hold a session, and names that do if their value is a token: `sid=12` may name a story."""

_TOKEN = re.compile(r"(?=[^&]*\d)(?=[^&]*[A-Za-z])(?:[0-9A-Fa-f]{16,128}|[0-9A-Za-z,_-]{26,128})")
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?#;]*", re.IGNORECASE)


def is_session_parameter(parameter: str) -> bool:
    """Return True if a parameter, with its value, holds the session of a visitor."""
    name, _, value = parameter.partition("=")
    lowered = name.lower()
    if lowered in _SESSION_NAMES or lowered.startswith(_SESSION_PREFIX):
        return True
    return lowered in _POSSIBLE_SESSION_NAMES and _TOKEN.fullmatch(value) is not None


def drop_path_session(path: str) -> str:
    """Return a path without `;jsessionid=…`."""
    return _PATH_SESSION.sub("", path)


def is_tracking_parameter(name: str) -> bool:
    """Return True if a query parameter of this name only tracks visitors."""
    lowered = name.lower()
    return lowered in TRACKING_PARAMETERS or lowered.startswith(TRACKING_PREFIXES)
