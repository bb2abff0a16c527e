"""Write the session of a login to a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from headwater.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path

    from headwater.settings import Settings

OWNER_ONLY = 0o600


def check_writable(path: Path, settings: Settings) -> None:
    """Raise SettingError if a session could not be kept in this file."""
    problem = ""
    if path.is_dir():
        problem = "it is a folder"
    elif not path.parent.is_dir():
        problem = f"the folder {path.parent} does not exist"
    elif not os.access(path.parent, os.W_OK):
        problem = "permission denied"
    if problem:
        advice = "" if settings.session else "; name another file with --session"
        raise SettingError("session", f"{path} cannot be written: {problem}{advice}")


def write_session(path: Path, text: str) -> None:
    """Replace the file at once, so that no other process reads a part of it, and with the permissions of a secret."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY), "w") as file:
            file.write(text)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise SettingError("session", f"{path} cannot be written: {error.strerror}") from None
