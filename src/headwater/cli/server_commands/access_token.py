"""The token that servers ask for: given by the user, or drawn anew."""

from __future__ import annotations

import os
import secrets

from headwater.errors import SettingError

TOKEN_VARIABLE = "HEADWATER_TOKEN"
MIN_LENGTH = 16


def get_access_token(given: str | None = None) -> str:
    """Return the token that was given, that of the environment, or a new one; short ones can be guessed."""
    token = given or os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    if len(token) < MIN_LENGTH or not token.isascii() or not token.isprintable() or " " in token:
        raise SettingError("token", f"a token has at least {MIN_LENGTH} characters, all of ASCII, and no blanks")
    return token
