"""The mistakes a caller can make; what goes wrong with a single URL is a value, never one of these.

HeadwaterError
├── UrlError         a URL that had to be usable is not
├── SettingError     a setting is unknown, or its value is not allowed
├── StoreError       a database cannot be opened, read or written
│   ├── FencedError  somebody else has the site now
│   └── StoreFailedError  the database stopped working while it was used, as on a full disk
├── OutputError      results cannot be written
├── UnreachableError no connection to the site can be made
├── ModelError       a model, or the server it runs on, cannot be used
└── StoppedError     somebody who watches the scan has stopped it
"""

from __future__ import annotations


class HeadwaterError(Exception):
    """Everything Headwater raises on purpose."""


class UrlError(HeadwaterError, ValueError):
    """A seed or base URL that nothing can be requested from."""

    def __init__(self, url: str, why: str) -> None:
        self.url = url
        self.why = why
        super().__init__(f"{url!r} cannot be used: {why}")


class SettingError(HeadwaterError, ValueError):
    """A setting that is unknown or has a value that is not allowed; `origin` says where it was written."""

    def __init__(self, name: str, problem: str, origin: str = "") -> None:
        self.name = name
        self.problem = problem
        self.origin = origin
        super().__init__(f"{name} (from {origin}): {problem}" if origin else f"{name}: {problem}")

    def at(self, origin: str) -> SettingError:
        """The same mistake, with the place it was written."""
        return SettingError(self.name, self.problem, origin)


class StoreError(HeadwaterError):
    """A database that is not ours, is newer than we are, or cannot be read or written."""


class LeaseLostError(StoreError):
    """The site belongs to another worker by now; nothing of what was to be written is kept."""


class StoreFailedError(StoreError):
    """A database that stopped working while it was used: the disk is full, or a read or a write failed."""


class OutputError(HeadwaterError):
    """Results that cannot be written to a file or to standard output."""

    advice = "Make room, or write somewhere else, and run the command again."

    def __init__(self, place: str, why: str) -> None:
        self.place = place
        super().__init__(f"could not write {place} ({why}).")


class UnreachableError(HeadwaterError):
    """A site whose hosts cannot be connected to: refused, unknown, without a secure connection, or silent."""


class ModelError(HeadwaterError):
    """An embedding or chat model that is not there, or a server that refuses, is gone or takes too long."""


class ScanStoppedError(HeadwaterError):
    """Somebody who watches a scan wished that it stop; what it found is kept, and it can go on."""
