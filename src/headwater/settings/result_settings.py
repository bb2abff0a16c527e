"""Settings of results: the store that keeps them, and the output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from headwater.model import EXPORTED_FIELDS, LIST_NAMES, SCORE_FIELD
from headwater.settings.choices import COLUMN_NAMES, FORMATS, KIND_CHOICES, SORT_ORDERS, ColumnNames, Format, SortOrder
from headwater.settings.setting import setting
from headwater.settings.value_kinds import Choice, Flag, Text, TextList, integer, seconds

_store, _output = (partial(setting, section) for section in ("store", "output"))
_optional_text = Text(optional=True)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class ResultSettings:
    """The settings that decide what is stored, and what is written in which format."""

    db: str = _store(
        Text(),
        "headwater.db",
        "Keep scans in this SQLite file or postgresql:// database",
        metavar="FILE|URL",
        may_hold_password=True,
    )
    batch_size: int | None = _store(
        integer(1, 100_000, optional=True),
        None,
        "Write this many URLs per transaction; none means the URLs of one second or of 50 pages",
    )
    transaction_timeout: float | None = _store(seconds(0.1, optional=True), None, "Timeout for one transaction")
    links: Literal["all", "first", "none"] = _store(
        Choice(("all", "first", "none")), "all", "Store all links between pages, the first link to each page, or none"
    )
    max_links: int | None = _store(
        integer(0, 10**9, optional=True),
        50_000_000,
        "Store at most this many links per scan; further links are only counted",
    )
    keep_skipped: bool = _store(Flag(), False, "Store every skipped URL with its reason instead of only the counts")

    format: Format = _output(  # noqa: RUF009  (the alias of a Literal)
        Choice(FORMATS), "text", "Write results in this format; without it, the file name of --output decides"
    )
    output: str | None = _output(
        _optional_text,
        None,
        "Write results to this file instead of standard output",
        metavar="FILE",
        flags=("-o", "--outputPath"),
    )
    list: Literal["pages", "redirects", "duplicates", "broken", "files", "skipped", "all"] = _output(
        Choice((*LIST_NAMES, "all")), "pages", "Write this list of URLs instead of the pages"
    )
    kinds: tuple[str, ...] = _output(
        TextList(KIND_CHOICES, separator=","), ("page",), "Write URLs of these kinds", metavar="KINDS"
    )
    fields: tuple[str, ...] = _output(
        TextList((*EXPORTED_FIELDS, SCORE_FIELD), separator=","),
        (),
        "Write only these fields, in this order; for text, csv, json, jsonl, xlsx and parquet",
        metavar="FIELDS",
    )
    columns: ColumnNames = _output(  # noqa: RUF009  (the alias of a Literal)
        Choice(COLUMN_NAMES),
        "headwater",
        "Use the column names of this program, with the columns that both know; for csv, xlsx and parquet",
    )
    sort: SortOrder = _output(  # noqa: RUF009  (the alias of a Literal)
        Choice(SORT_ORDERS), "url", "Sort lists by URL, by priority (highest first) or by depth"
    )
    search: str | None = _output(
        _optional_text,
        None,
        "Sort lists by how well URL, title and heading match the words of this question",
        metavar="QUESTION",
    )
    language: str = _output(Text(), "en", "Mark pages in other languages than this one as skip-scrape", metavar="CODE")
    text_length: int = _output(integer(1, unit="characters"), 50, "Truncate link texts in results to this length")
    quiet: bool = _output(Flag(), False, "Print no progress, no pages that failed to load, and no summary")
    strict: bool = _output(Flag(), False, "Exit with code 3 if the scan is incomplete")
