"""Write the report of an audit in the formats that people, forges and editors read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.export.audit.documents import write_html, write_markdown
from headwater.export.audit.junit import write_junit
from headwater.export.audit.sarif import write_sarif
from headwater.export.audit.structured import write_json
from headwater.export.audit.text import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TextIO

    from headwater.audit import AuditReport

AUDIT_WRITERS: Mapping[str, Callable[[AuditReport, TextIO], None]] = {
    "text": write_text,
    "json": write_json,
    "md": write_markdown,
    "html": write_html,
    "junit": write_junit,
    "sarif": write_sarif,
}
"""The writer of each format."""

FORMATS_BY_SUFFIX = {".txt": "text", ".json": "json", ".md": "md", ".html": "html", ".xml": "junit", ".sarif": "sarif"}

__all__ = ["AUDIT_WRITERS", "FORMATS_BY_SUFFIX"]
