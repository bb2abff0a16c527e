"""Evidence: the steps of a scan and their outcomes."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (NamedTuple needs it at run time)
from types import MappingProxyType
from typing import NamedTuple

NO_CONTENT: Mapping[str, object] = MappingProxyType({})


class Evidence(NamedTuple):
    """A step of a scan and its outcome; `content` holds facts that depend on the kind, in types that JSON has."""

    kind: str
    url: str = ""
    success: bool = True
    status: int | None = None
    error: str = ""
    content: Mapping[str, object] = NO_CONTENT
    started: str = ""
    finished: str = ""
    parent: int | None = None
    number: int = 0
