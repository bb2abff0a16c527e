"""The token that clients of a server must send: given by the user, or newly generated."""

from __future__ import annotations

import os
import secrets

from headwater.errors import SettingError

TOKEN_VARIABLE = "HEADWATER_TOKEN"  # noqa: S105  (the name of a variable)
MIN_LENGTH = 16


def get_access_token(given: str | None = None) -> str:
    """Return the given token, the token of the environment, or a new one; short tokens are rejected."""
    token = given or os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
    if len(token) < MIN_LENGTH or not token.isascii() or not token.isprintable() or " " in token:
        raise SettingError("token", f"a token needs at least {MIN_LENGTH} characters, all ASCII, without spaces")
    return token
