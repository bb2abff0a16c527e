"""The log of a worker on stderr: text, or JSON with the field names of OpenTelemetry."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

_STANDARD_ATTRIBUTES = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return an object with timestamp, severity, body and attributes."""
        attributes = {"process.pid": record.process, "code.namespace": record.name, **_extra_attributes(record)}
        if record.exc_info:
            attributes["exception.stacktrace"] = self.formatException(record.exc_info)
        line = {
            "timestamp": _format_timestamp(record),
            "severity_text": record.levelname,
            "severity_number": {10: 5, 20: 9, 30: 13, 40: 17, 50: 21}.get(record.levelno, 0),
            "body": record.getMessage(),
            "attributes": attributes,
        }
        return json.dumps(line, default=str)


class TextFormatter(logging.Formatter):
    """Formats a record as one line of text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time, process, level, message and attributes."""
        attributes = " ".join(f"{name}={value}" for name, value in _extra_attributes(record).items())
        head = f"{_format_timestamp(record)} {record.process} {record.levelname.lower():<7}"
        line = f"{head} {record.getMessage()} {attributes}".rstrip()
        safe = "".join(one if one.isprintable() else f"\\x{ord(one):02x}" for one in line)
        return f"{safe}\n{self.formatException(record.exc_info)}" if record.exc_info else safe


def set_up_logging(style: str) -> None:
    """Write the log of Headwater, and warnings of other libraries, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else TextFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("headwater").setLevel(logging.INFO)
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)  # the worker logs the same events itself
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)


def _extra_attributes(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD_ATTRIBUTES}


def _format_timestamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
