"""Give every test run the same environment, share the slow real components, and fail if anything is left behind."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests import fork_server, leaks, postgres
from tests.commands import JOURNAL
from tests.permissions import missing_permissions

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
# Examples have no deadline, because machines differ. Every run tries the same examples; `make fuzz` tries others.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=5000)
settings.load_profile("repeatable")

MEMORY_NEEDED = 4 << 30
"""Bytes of free memory that a run may use for its files; it needs about a tenth of it."""

collect_ignore_glob = [] if DATA.is_dir() else ["suites/*"]
QUICK = (
    "urls/", "pages/", "frontier/", "classify/", "examination/", "settings/", "suites/", "export/test_formats.py",
    "store/test_contract.py", "test_api.py", "test_architecture.py", "test_docs.py",
    "fetch/test_faults.py::test_pages", "fetch/test_wrappers.py::TestRedirects",
    "discovery/test_crawl.py::test_every_page", "discovery/test_stages.py",
    "discovery/test_render.py::test_harmful_buttons", "cli/test_discover.py::test_every_format", "cli/test_settings.py",
    "scheduling/test_sites.py::test_urls_of_one_host", "worker/test_control.py::test_urgent_sites",
    "dive/test_dive.py::test_exports", "web/test_access_control.py",
    "web/test_scan_screens.py::test_folders_of_the_tree", "mcp/test_tools.py::test_requests_without_token",
)  # fmt: skip
"""Prefixes of the test ids that `make test-quick` runs: the tests of pure packages, and one of every other kind."""

NOT_QUICK = (
    "pages/test_bounds.py", "export/test_formats.py::test_120000_urls", "web/test_access_control.py::test_the_queue",
    "web/test_access_control.py::test_a_random_token", "web/test_access_control.py::test_a_second_server",
)  # fmt: skip
"""Prefixes of slow tests among them."""

SLOWEST = (
    "discovery/test_render.py", "dive/test_ask.py", "pages/test_bounds.py", "scheduling/test_sites.py",
    "fetch/test_browser.py", "fetch/test_login.py", "web/test_scan_screens.py", "sites/spa/test_sites_work.py",
    "web/test_api.py", "cli/test_watch.py", "cli/test_scans.py",
    "dive/test_search.py", "worker/test_control.py", "worker/test_lifecycle.py", "discovery/test_clicks.py",
    "discovery/test_same_result.py", "discovery/test_render_failures.py", "web/test_openapi.py",
    "sites/spa/test_hostile_pages.py", "export/test_html_in_chromium.py", "web/test_dive_screens.py",
    "discovery/test_eviction.py", "cli/test_starting.py", "cli/test_discover.py", "worker/test_heartbeat.py",
    "test_api.py", "discovery/test_crawl.py", "discovery/test_many_links.py", "web/test_fleet.py",
    "discovery/test_rendered_navigation.py", "discovery/test_listed.py", "fetch/test_ways_out.py",
    "mcp/test_tools.py", "fetch/test_tab_bounds.py", "dive/test_postgres.py", "discovery/test_resuming.py",
    "worker/test_crashes.py", "cli/test_postgres.py", "dive/test_rendering.py", "dive/test_dive.py",
    "discovery/test_recall.py", "test_architecture.py", "dive/test_killed.py", "store/test_postgres.py",
    "fetch/test_wrappers.py", "discovery/test_crash_record.py", "fetch/test_tab.py", "store/test_contract.py",
    "web/test_dives.py", "discovery/test_per_shape.py", "worker/test_fleet.py", "dive/test_chunks.py",
    "web/test_access_control.py", "worker/test_orphans.py", "pages/files/test_sitemap_parser.py",
    "discovery/test_source_limit.py", "fetch/test_interactions.py", "discovery/test_hints.py",
    "discovery/test_site_indexes.py", "pages/test_site_indexes.py", "discovery/test_stages.py",
    "discovery/test_sessions.py", "cli/test_stores.py", "test_new_column.py",
)  # fmt: skip
"""Files that take longest, the longest first."""


def pytest_configure(config: pytest.Config) -> None:
    """Reset signals that the caller's shell changed; the first process of a run creates the temporary folder."""
    _use_default_signals()
    gc.disable()  # until the tests are collected: nothing of them is garbage
    if leaks.VARIABLE not in os.environ:
        root = _temporary_root()
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", root)  # tmp_path of failed tests is kept for inspection
        folder = Path(tempfile.mkdtemp(prefix="headwater-", dir=root))
        folder.chmod(0o755)  # PostgreSQL runs as another user where the tests run as root
        os.environ[leaks.VARIABLE] = str(folder)
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["TMPDIR"] = os.environ[leaks.VARIABLE]
    tempfile.tempdir = None  # so that TMPDIR is read again


def _temporary_root() -> str:
    """Return a folder in memory where there is one with room: stores and servers then never wait for the disk."""
    memory = "/dev/shm"
    has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > MEMORY_NEEDED
    return memory if has_room and "TMPDIR" not in os.environ else tempfile.gettempdir()


def _use_default_signals() -> None:
    """Restore default signals: shells ignore some in background jobs, and child processes would inherit that."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the quick tests, and start with the files that take longest, so that the run does not wait for them."""
    _deselect_forbidden(config, items)
    names = {path: _get_name(path) for path in {item.path for item in items}}
    for item in items:
        name = f"{names[item.path]}::{item.nodeid.partition('::')[2]}"
        if name.startswith(QUICK) and not name.startswith(NOT_QUICK):
            item.add_marker(pytest.mark.quick)
    if not config.pluginmanager.has_plugin("randomly"):
        places = {name: place for place, name in enumerate(SLOWEST)}
        items.sort(key=lambda item: places.get(names[item.path], len(SLOWEST)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without a quick test if only those are wanted: reading all files takes several seconds."""
    if config.option.markexpr != "quick" or collection_path.suffix != ".py":
        return None
    name = _get_name(collection_path)
    is_quick = any(name.startswith(one) or one.startswith(f"{name}::") for one in QUICK)
    return None if is_quick and not name.startswith(NOT_QUICK) else True


def _get_name(path: Path) -> str:
    return path.relative_to(Path(__file__).parent).as_posix()


def pytest_collection_finish() -> None:
    """Keep the collected tests and imported modules out of all later garbage collections."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Let the interpreter delete all objects when it ends; extensions report those that are left."""
    gc.unfreeze()


def _deselect_forbidden(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remove the tests that need a permission this user does not have."""
    forbidden = [item for item in items if any(item.get_closest_marker(name) for name in missing_permissions())]
    if forbidden:
        config.hook.pytest_deselected(items=forbidden)
        items[:] = [item for item in items if item not in forbidden]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests were left out, and why."""
    for name, reason in missing_permissions().items():
        terminalreporter.write_line(f"Tests marked `{name}` were left out: {reason}", yellow=True)


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Stop the shared server and fail the run if a process or file is left; only the first process checks."""
    yield
    fork_server.stop()
    if hasattr(session.config, "workerinput"):
        return
    run_folder = Path(os.environ[leaks.VARIABLE])
    postgres.stop_shared(run_folder)
    left = [*leaks.leaked_processes(run_folder), *leaks.leaked_files(run_folder)]
    if left:
        print("\nThe tests left these processes and files behind:", *left, sep="\n  ")
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the commands of a failed test with their output, and the logs of its servers."""
    report = yield
    if report.failed and JOURNAL.records:
        report.sections.append(("commands and servers of this test", JOURNAL.text()))
    if call.when == "teardown":
        JOURNAL.remove_ended()
    return report


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield a Chromium of this module's own, so that hostile pages of one module do not disturb another."""
    from tests.browser import launched_browser

    with launched_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def postgres_server() -> postgres.Server:
    """Return the one PostgreSQL of this run, or the one that HEADWATER_TEST_POSTGRES names."""
    return postgres.from_environment() or postgres.shared(Path(os.environ[leaks.VARIABLE]))


@pytest.fixture(scope="module")
def crashable_server() -> Iterator[postgres.Server]:
    """Yield a PostgreSQL of this module's own, which tests may crash."""
    server = postgres.start()
    yield server
    server.stop()


@pytest.fixture
def empty_database(postgres_server: postgres.Server) -> Iterator[str]:
    """Yield the URL of a database without tables."""
    with postgres_server.database() as url:
        yield url


@pytest.fixture
def database(postgres_server: postgres.Server) -> Iterator[str]:
    """Yield the URL of a database with Headwater's tables and no rows."""
    with postgres_server.prepared_database() as url:
        yield url
