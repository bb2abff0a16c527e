"""Libraries do not send usage reports to their vendors."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.commands import PATIENCE, clean_environment

if TYPE_CHECKING:
    from pathlib import Path

EMBED = """
import asyncio
from headwater.dive.retrieval.minilm import MiniLmEmbedder
print(len(asyncio.run(MiniLmEmbedder().embed(["a river"]))))
"""


def test_onnx_runtime_writes_no_files_for_usage_reports(tmp_path: Path) -> None:
    """It would write a session file and a device id to TMPDIR and HOME."""
    environment = {**clean_environment(), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", EMBED], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.stdout, list(tmp_path.iterdir())) == ("1\n", []), done.stderr
