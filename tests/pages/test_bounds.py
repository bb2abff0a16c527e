"""No parser takes more than linear memory or time for any input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from headwater.pages.documents.markup_limits import TREE_ALLOWANCE_BYTES
from tests.pages.hostile_inputs import CASES

BYTES_PER_INPUT_BYTE, MAX_BYTES = 40, 900_000_000
ALLOWANCES = {"page": TREE_ALLOWANCE_BYTES}


def get_allowance(case: int) -> int:
    """Return the bytes that a parser may take in addition to a multiple of its input."""
    return ALLOWANCES.get(CASES[case].parser, 50_000_000)


def test_memory_and_time_of_every_parser_are_linear() -> None:
    """Parsers take at most 40 times the input plus 50 MB, and never more than 900 MB; slow ones are killed.

    The tree of a page may take 400 MB more, because a closer check would slow down every page.
    """
    command = [sys.executable, "-m", "tests.pages.hostile_inputs"]
    folder = Path(__file__).parents[2]
    lines = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in lines.stdout.splitlines()]
    assert len(rows) == len(CASES)
    exceeding = [
        (row, CASES[row["case"]].parser, CASES[row["case"]].begin[:40], CASES[row["case"]].filling)
        for row in rows
        if not 0 <= row["growth"] <= min(BYTES_PER_INPUT_BYTE * row["size"] + get_allowance(row["case"]), MAX_BYTES)
    ]
    assert exceeding == []
