"""Exceptions for a caller's mistakes and a broken environment; the failure of a single URL is a value instead.

HeadwaterError
├── UrlError              a seed or base URL cannot be used
├── SettingError          a setting is unknown, or its value is not allowed
├── StoreError            a database cannot be opened, read or written
│   ├── LeaseLostError    another worker has the site now
│   └── StoreFailedError  the database failed during use, for example because the disk is full
├── OutputError           results cannot be written
├── UnreachableError      no connection to the site can be made
├── LoginError            a login recipe could not be carried out
├── ModelError            a model, or the server it runs on, cannot be used
└── ScanStoppedError      a user stopped the scan
"""

from __future__ import annotations


class HeadwaterError(Exception):
    """Base class of all exceptions that Headwater raises."""


class UrlError(HeadwaterError, ValueError):
    """A seed or base URL that cannot be used."""

    def __init__(self, url: str, why: str) -> None:
        self.url = url
        self.why = why
        super().__init__(f"{url!r} cannot be used: {why}")


class SettingError(HeadwaterError, ValueError):
    """A setting that is unknown or has a value that is not allowed; `origin` says where it was set."""

    def __init__(self, name: str, problem: str, origin: str = "") -> None:
        self.name = name
        self.problem = problem
        self.origin = origin
        super().__init__(f"{name} (from {origin}): {problem}" if origin else f"{name}: {problem}")

    def at(self, origin: str) -> SettingError:
        """Return this error with the origin of the setting."""
        return SettingError(self.name, self.problem, origin)


class StoreError(HeadwaterError):
    """A database of another program or a newer version, or one that cannot be read or written."""


class LeaseLostError(StoreError):
    """The lease of a site was lost to another worker; the pending writes are discarded."""


class StoreFailedError(StoreError):
    """A database that failed during use: the disk is full, or a read or write failed."""


class OutputError(HeadwaterError):
    """A failure to write results to a file or to standard output."""

    advice = "Free some space or choose another file, and run the command again."

    def __init__(self, place: str, why: str) -> None:
        self.place = place
        super().__init__(f"could not write {place} ({why}).")


class UnreachableError(HeadwaterError):
    """A site that cannot be reached: connection refused, unknown host, TLS failure or timeout."""


class LoginError(HeadwaterError):
    """A login that failed: a step of the recipe, or the check of its success."""


class ModelError(HeadwaterError):
    """An embedding or chat model that is missing, or a model server that refuses, is down or times out."""


class ScanStoppedError(HeadwaterError):
    """A user stopped the scan; its results are kept, and it can be resumed."""
