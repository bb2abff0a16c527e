"""Keep libraries from reporting to their vendors: only the user's own requests leave the machine."""

from __future__ import annotations

import os

TELEMETRY_VARIABLES = ("ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED")
"""Variables that ONNX Runtime reads when it is imported; 1.29 and 1.30 know only the second one."""


def disable_telemetry() -> None:
    """Switch off ONNX Runtime's usage reports; call this before it is imported."""
    for name in TELEMETRY_VARIABLES:
        os.environ[name] = "1"
