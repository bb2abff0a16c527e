"""Where an exporter writes: one stream, and more by name for formats that need several files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import TextIO


class Output(NamedTuple):
    """The main stream; `open_part` gives another beside it, None where there is only one, as on a pipe.

    `origin` is where the files will be published, as far as that is known.
    """

    main: TextIO
    open_part: Callable[[str], AbstractContextManager[TextIO]] | None = None
    title: str = "Headwater"
    origin: str = ""
