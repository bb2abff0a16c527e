"""Disable usage reports of libraries."""

from __future__ import annotations

import os

TELEMETRY_VARIABLES = ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED")
"""Environment variables that ONNX Runtime reads on import; versions 1.29 and 1.30 know only the second one."""


def disable_telemetry() -> None:
    """Disable ONNX Runtime's usage reports; must be called before its import."""
    for name in TELEMETRY_VARIABLES:
        os.environ[name] = "1"
