"""The table of settings. To add one, add a field with its section, kind of value, default and help.

The field belongs in the class of its section: `ScanSettings`, `DiveSettings`, `ResultSettings` or `WorkerSettings`, for
which no methods are generated, because that takes time at every start. The command-line flag, environment variable,
TOML key and documentation follow from it. Defaults are those of the preset `full`, which `headwater URL` uses.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from headwater.settings.dive_settings import DiveSettings
from headwater.settings.result_settings import ResultSettings
from headwater.settings.scan_settings import ScanSettings
from headwater.settings.worker_settings import WorkerSettings

if TYPE_CHECKING:
    from headwater.settings.setting import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(WorkerSettings, ResultSettings, DiveSettings, ScanSettings):  # the fields of the last base come first
    """The value of every setting; `headwater settings` prints them with their origin."""

    def __post_init__(self) -> None:
        for row in SETTINGS.values():
            value = getattr(self, row.name)
            try:
                object.__setattr__(self, row.name, row.kind.validate(value))
            except (ValueError, OverflowError):
                raise row.create_value_error(value) from None

    @property
    def has_session(self) -> bool:
        """Return True if requests carry the session of a user, so that links that change something are not followed."""
        has_file = self.cookies or self.storage_state or self.login
        return bool(has_file or any(line.lower().startswith("cookie:") for line in self.header))

    @property
    def redacted_db(self) -> str:
        """Return `db` without its password, for messages."""
        return str(redact_value("db", self.db))


SETTINGS: dict[str, Setting] = {one.name: replace(one.metadata["setting"], name=one.name) for one in fields(Settings)}


def redact_value(name: str, value: Any) -> Any:  # noqa: ANN401  (each setting has its own type)
    """Return the value of a setting as it may be shown or stored."""
    return SETTINGS[name].redact(value)
