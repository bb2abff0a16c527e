"""The output of an exporter: one stream, and further files for formats that need several."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager
    from typing import BinaryIO, TextIO

    from headwater.model import LinkCounts, StoredLink


class Output(NamedTuple):
    """The main stream; `open_part` opens another file beside it, and is None if there can be only one, as on a pipe.

    `origin` is the origin of the URL at which the files will be published; empty if unknown.
    `fields` are the fields to write; without any, each format writes its own. `columns` is the program whose column
    names a table has. `extracted` are the names of extracted values, which have a column each in tables. `read_links`
    returns the links between the pages, sorted by page, and `count_links` the number of links of each page by its
    identity; both are None if the pages are not those of one scan.
    """

    main: TextIO
    open_part: Callable[[str], AbstractContextManager[TextIO]] | None = None
    title: str = "Headwater"
    origin: str = ""
    fields: tuple[str, ...] = ()
    columns: str = "headwater"
    extracted: tuple[str, ...] = ()
    read_links: Callable[[], Iterable[StoredLink]] | None = None
    count_links: Callable[[], Mapping[int, LinkCounts]] | None = None

    @property
    def binary(self) -> BinaryIO:
        """The main stream as bytes, for formats that are not text."""
        self.main.flush()
        return self.main.buffer
