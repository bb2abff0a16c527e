"""The output of an exporter: one stream, and further files for formats that need several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import TextIO


class Output(NamedTuple):
    """The main stream; `open_part` opens another file beside it, and is None if there can be only one, as on a pipe.

    `origin` is the origin of the URL at which the files will be published; empty if unknown.
    `fields` are the fields to write; without any, each format writes its own. `extracted` are the names of extracted
    values, which have a column each in tables.
    """

    main: TextIO
    open_part: Callable[[str], AbstractContextManager[TextIO]] | None = None
    title: str = "Headwater"
    origin: str = ""
    fields: tuple[str, ...] = ()
    extracted: tuple[str, ...] = ()
