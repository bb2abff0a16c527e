"""One row of the settings table: name, default, kind of value, section and help, and how its value may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from headwater.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings.value_kinds import ValueKind

MAX_SHOWN_LENGTH = 80
_USER_INFORMATION = re.compile(r"//[^/]*@")
_PASSWORD_PARAMETER = re.compile(r"([?&](?:password|sslpassword)=)[^&]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the table.

    `flags` are additional command-line flags. `alias` is an additional environment variable, whose numbers count
    `alias_unit` seconds. `may_hold_password` marks addresses that can contain a user name and a password. `bare_value`
    is the value of a flag that is given without one.
    """

    name: str = ""
    default: object
    kind: ValueKind
    section: str
    help: str
    metavar: str = ""
    flags: tuple[str, ...] = ()
    alias: str = ""
    alias_unit: float = 1.0
    may_hold_password: bool = False
    bare_value: str = ""

    @property
    def flag(self) -> str:
        """Return the long command-line flag."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Return the name of the environment variable."""
        return "HEADWATER_" + self.name.upper()

    @property
    def is_secret(self) -> bool:
        """Return True if the value must never be shown or stored."""
        return bool(getattr(self.kind, "secret", False))

    def create_value_error(self, value: object, origin: str = "") -> SettingError:
        """Return the error for a value that is not allowed."""
        text = "the value" if self.is_secret else self._format_wrong(value)
        excerpt = text if len(text) <= MAX_SHOWN_LENGTH else text[: MAX_SHOWN_LENGTH - 1] + "…"
        hint = suggest_option(value, getattr(self.kind, "options", ()))
        return SettingError(self.name, f"{excerpt} is not allowed; expected {self.kind.allowed}{hint}", origin)

    def _format_wrong(self, value: object) -> str:
        """Return the value, or the first word of a list that is not allowed."""
        options = getattr(self.kind, "options", ())
        if options and isinstance(value, list | tuple):
            return repr(next((word for word in value if str(word).lstrip("+-") not in options), value))
        return repr(_redact_url(value) if isinstance(value, str) else value)

    def redact(self, value: Any) -> Any:  # noqa: ANN401  (each setting has its own type)
        """Return a value as it may be shown or stored: secrets become "hidden", addresses lose their password."""
        if self.is_secret:
            return ("hidden",) * len(value) if isinstance(value, tuple) else value and "hidden"
        if not self.may_hold_password or not value:
            return value
        if self.name == "proxy" and "://" not in value:  # short for http://
            return value.rpartition("@")[2]
        return _redact_url(value)


def setting(section: str, kind: ValueKind, default: Any, help: str, **more: Any) -> Any:  # noqa: A002, ANN401
    """Return a dataclass field that is a row of the table; like `dataclasses.field` it is typed as its value."""
    row = Setting(default=default, kind=kind, section=section, help=help, **more)
    return field(default=default, metadata={"setting": row})


def suggest_option(value: object, options: Sequence[str]) -> str:
    """Return `; did you mean title?` for the first word that is almost one of the options, else an empty string."""
    words = value if isinstance(value, list | tuple) else str(value).split(",")
    unknown = (str(word).strip().lower()[:MAX_SHOWN_LENGTH] for word in words if word not in options)
    similar = next((close[0] for word in unknown if (close := get_close_matches(word, options, n=1))), "")
    return f"; did you mean {similar}?" if similar else ""


def _redact_url(url: str) -> str:
    return _PASSWORD_PARAMETER.sub(r"\1hidden", _USER_INFORMATION.sub("//", url))
