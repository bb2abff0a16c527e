"""Recognize URLs whose request may change something: sign out, delete, buy."""

from __future__ import annotations

import re

_HARMFUL_URL = re.compile(
    r"(?:\A|[/?&=._-])(?:log-?_?out|sign-?_?out|log-?_?off|delete|remove|destroy|unsubscribe|purge|deactivate|cancel|abmelden"
    r"|deconnexion|checkout|purchase|buy|pay|order-now)(?:\Z|[/?&=._-])",
    re.IGNORECASE,
)
_SESSION_HARMFUL_URL = re.compile(
    r"(?:[/?&=])(?:log-?_?me-?_?out|end-?_?session|exit|quit|erase|discard|trash|wipe|reset|revoke|terminate|disable|enable|"
    r"activate|approve|reject|decline|accept|confirm|vote|ban|block|kick|leave|unfollow|follow|like|dislike|restart|reboot|"
    r"shutdown|uninstall|archive|publish|unpublish|refund|transfer|withdraw|impersonate|ausloggen|kuendigen|deconnecter|"
    r"cerrar-sesion|salir|sair|esci|uitloggen|afmelden|wyloguj|odhlasit|cikis|logga-ut|log-ud)(?:\Z|[/?&#])",
    re.IGNORECASE,
)
"""Whole segments and values that change something if a user is logged in."""


def is_harmful_url(url: str) -> bool:
    """Return True if the path or query of a URL suggests that a request changes something."""
    slash = url.find("/", 8)
    return slash > 0 and _HARMFUL_URL.search(url, slash) is not None


def is_harmful_for_session(url: str) -> bool:
    """Return True if a request may sign out the user of a session or act in the user's name."""
    slash = url.find("/", 8)
    return slash > 0 and (is_harmful_url(url) or _SESSION_HARMFUL_URL.search(url, slash) is not None)
