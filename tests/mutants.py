"""Mutate the pure packages and report the mutants that no test detects: `make mutants`.

cosmic-ray creates the mutants and runs the tests in clones of the committed code. The sample has a fixed seed, so two
runs on the same code test the same mutants.
"""

from __future__ import annotations

import ast
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
BUILD = ROOT / ".build" / "mutants"
PACKAGES = ("urls", "pages", "frontier", "classify")
TESTS = (*(f"tests/{name}" for name in PACKAGES), "tests/suites", "tests/examination")
COUNT = 400
SEED = 15
CLONES = 2
CONFIGURATION = """
[cosmic-ray]
module-path = {modules}
timeout = 120.0
excluded-modules = []
test-command = "{python} -m pytest -x -q -p no:cacheprovider --hypothesis-seed=15 {tests}"

[cosmic-ray.distributor]
name = "local"
"""


class Mutant(NamedTuple):
    """One change: its position, and the operator that makes it."""

    job: str
    path: str
    operator: str
    occurrence: int
    row: int
    column: int


class Verdict(NamedTuple):
    """The result of the tests for one mutant."""

    mutant: Mutant
    outcome: str
    diff: str


def main() -> int:
    """Test a sample of the mutants and print those that survived."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    started = time.monotonic()
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    if (ROOT.parent / "shared").is_dir():  # public test data
        (BUILD / "shared").symlink_to(ROOT.parent / "shared")
    clones = [_clone(BUILD / str(number)) for number in range(CLONES)]
    _cosmic_ray(clones[0], "init", "cosmic-ray.toml", "session.sqlite")
    chosen = sample(_mutants(clones[0]), count)
    for number, clone in enumerate(clones):
        if number:
            shutil.copy(clones[0] / "session.sqlite", clone)
    for number, clone in enumerate(clones):
        _keep_only(clone, chosen[number::CLONES])
    running = [subprocess.Popen(_command("exec", "cosmic-ray.toml", "session.sqlite"), cwd=clone) for clone in clones]
    for process in running:
        process.wait()
    _report([verdict for clone in clones for verdict in _verdicts(clone)], time.monotonic() - started)
    return 0


def sample(mutants: list[Mutant], count: int) -> list[Mutant]:
    """Draw random mutants, the same ones in every run."""
    ordered = sorted(mutants, key=lambda one: one[1:])
    return random.Random(SEED).sample(ordered, min(count, len(ordered)))


def _clone(folder: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    modules = [f"src/headwater/{name}" for name in PACKAGES]
    # The clone's own sources come before the installed ones.
    python = f"env PYTHONPATH={folder}/src PYTHONDONTWRITEBYTECODE=1 {ROOT}/.venv/bin/python"
    text = CONFIGURATION.format(modules=json.dumps(modules), python=python, tests=" ".join(TESTS))
    (folder / "cosmic-ray.toml").write_text(text)
    return folder


def _command(*arguments: str) -> list[str]:
    return [str(ROOT / ".build" / "cosmic-ray" / "bin" / "cosmic-ray"), *arguments]


def _cosmic_ray(folder: Path, *arguments: str) -> None:
    subprocess.run(_command(*arguments), cwd=folder, check=True)


def _mutants(clone: Path) -> list[Mutant]:
    """Return every mutant except those in annotations, which are never evaluated."""
    query = "SELECT job_id, module_path, operator_name, occurrence, start_pos_row, start_pos_col FROM mutation_specs"
    with closing(sqlite3.connect(clone / "session.sqlite")) as db:
        mutants = [Mutant(*row) for row in db.execute(query)]
    ignored = {path: _annotation_spans(clone / path) for path in {one.path for one in mutants}}
    return [one for one in mutants if not _is_within((one.row, one.column), ignored[one.path])]


Span = tuple[tuple[int, int], tuple[int, int]]


def _annotation_spans(path: Path) -> list[Span]:
    """Return the start and end of type annotations and of blocks under TYPE_CHECKING."""
    nodes: list[ast.expr | ast.stmt] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes.append(node)
        if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
            nodes.append(node.annotation)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            nodes.append(node.returns)
    return [((one.lineno, one.col_offset), (one.end_lineno or 0, one.end_col_offset or 0)) for one in nodes]


def _is_within(position: tuple[int, int], spans: list[Span]) -> bool:
    return any(begin <= position < end for begin, end in spans)


def _keep_only(clone: Path, chosen: list[Mutant]) -> None:
    jobs = [(one.job,) for one in chosen]
    with closing(sqlite3.connect(clone / "session.sqlite")) as db, db:
        db.execute("CREATE TEMP TABLE chosen (job TEXT PRIMARY KEY)")
        db.executemany("INSERT INTO chosen VALUES (?)", jobs)
        for table in ("mutation_specs", "work_items"):
            db.execute(f"DELETE FROM {table} WHERE job_id NOT IN (SELECT job FROM chosen)")


def _verdicts(clone: Path) -> list[Verdict]:
    query = (
        "SELECT job_id, module_path, operator_name, occurrence, start_pos_row, start_pos_col, "
        "CASE WHEN output = '' THEN 'UNTESTED' ELSE test_outcome END, coalesce(diff, '') "
        "FROM mutation_specs JOIN work_results USING (job_id)"
    )
    with closing(sqlite3.connect(clone / "session.sqlite")) as db:
        return [Verdict(Mutant(*row[:6]), *row[6:]) for row in db.execute(query)]


def _report(verdicts: list[Verdict], seconds: float) -> None:
    survivors = sorted(verdict for verdict in verdicts if verdict.outcome == "SURVIVED")
    for verdict in survivors:
        changes = [line for line in verdict.diff.splitlines() if line[:1] in "+-" and line[:3] not in {"+++", "---"}]
        print(f"\n{verdict.mutant.path}:{verdict.mutant.row}  {verdict.mutant.operator}", *changes, sep="\n  ")
    counts = Counter((Path(one.mutant.path).parent.name, one.outcome) for one in verdicts)
    killed, untested = (sum(counts[name, outcome] for name in PACKAGES) for outcome in ("KILLED", "UNTESTED"))
    for name in PACKAGES:
        print(f"{name}: {counts[name, 'KILLED']} killed, {counts[name, 'SURVIVED']} survived")
    print(f"{killed} of {len(verdicts)} mutants killed in {seconds / 60:.0f} minutes")
    if untested:
        print(f"{untested} were not tested because the tests did not start; was .venv rebuilt meanwhile?")


if __name__ == "__main__":
    sys.exit(main())
