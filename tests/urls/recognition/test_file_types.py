"""Types of files by the extension of a path."""

from __future__ import annotations

import pytest

from headwater.urls.recognition.file_types import EXTENSIONS_BY_TYPE, TYPE_BY_EXTENSION, get_extension, get_file_type


@pytest.mark.parametrize(
    ("path", "extension"),
    [
        ("/a/report.PDF", "pdf"),
        ("/a/archive.tar.gz", "gz"),
        ("/a/report.pdf/", ""),
        ("/v1.2/report", ""),
        ("/.htaccess", ""),
        ("/a/.", ""),
        ("/a.", ""),
        ("/", ""),
        ("", ""),
    ],
)
def test_the_extension_of_the_last_segment(path: str, extension: str) -> None:
    assert get_extension(path) == extension


@pytest.mark.parametrize(
    ("path", "file_type"),
    [
        ("/a/report.pdf", "document"),
        ("/favicon.ico", "icon"),
        ("/data/export.JSON", "data"),
        ("/a/page.html", None),
        ("/a/page.php", None),
        ("/a/page", None),
        ("/docs/node.js/", None),
    ],
)
def test_files_that_are_not_pages_have_a_type(path: str, file_type: str | None) -> None:
    assert get_file_type(path) == file_type


def test_every_extension_has_one_type() -> None:
    assert sum(map(len, EXTENSIONS_BY_TYPE.values())) == len(TYPE_BY_EXTENSION)
