"""A new column of pages takes a migration and two fields; storage, rescans, exports, the API and the screen follow."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import headwater

PACKAGE = Path(headwater.__file__).parent
FIELD = "    content_length: int | None = None\n"
PROGRAM = """
import io
from headwater.export.formats import write_csv
from headwater.export.output import Output
from headwater.store import MemoryStore, VisitResult
from headwater.web.scans.page_views import list_details
from headwater.web.scans.records import PageRow
from tests.store.test_contract import found

store = MemoryStore()
scan = store.create_scan(["https://e.com/"], {}).number
store.save_batch(scan, (), [found("/a")], {})
[(_, candidate)] = store.next_candidates(scan, 1, 1)
store.save_batch(scan, [VisitResult(candidate, "fetched", 200, content_length=512)], (), {})
print(store.previous_visit(scan, candidate.identity).content_length)
[page] = store.pages(scan)
table = io.StringIO()
write_csv([page], Output(table))
print(*(line.rpartition(",")[2] for line in table.getvalue().splitlines()))
row = PageRow.make(1, page)
print(row.content_length, dict(list_details(row))["content length"])
"""


def append_field(path: Path, record: str) -> None:
    """Add the field after the last one of a record."""
    text = path.read_text()
    start = text.index(f"class {record}(NamedTuple)")
    body, mark, rest = text[start:].partition("\n\n    @property" if record == "Page" else "\n\n\n")
    path.write_text(f"{text[:start]}{body}\n{FIELD.rstrip()}{mark}{rest}")


def test_a_new_column_takes_a_migration_and_two_fields(tmp_path: Path) -> None:
    package = tmp_path / "headwater"
    shutil.copytree(PACKAGE, package)  # with the bytecode, which saves a second
    migrations = package / "store" / "sql" / "sqlite"
    number = 1 + max(int(path.stem) for path in migrations.glob("[0-9]*.sql"))
    (migrations / f"{number:04}.sql").write_text("ALTER TABLE page ADD COLUMN content_length INTEGER;\n")
    append_field(package / "model" / "page.py", "Page")
    append_field(package / "store" / "records" / "scan_records.py", "VisitResult")
    run = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM], env={"PYTHONPATH": f"{tmp_path}:{Path(__file__).parent.parent}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.stdout.splitlines() == ["512", "content_length 512", "512 512"], run.stderr
