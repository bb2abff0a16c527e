"""Check the architecture: imports go down the layers, there are no cycles, and pure packages have no side effects."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "headwater"

# Top to bottom; packages on one line do not import each other.
LAYERS = (
    {"__main__"},
    {"cli"},
    {"web", "worker", "mcp", "scheduling"},
    {"api"},
    {"runner"},
    {"discovery", "dive"},
    {"fetch", "store", "export"},
    {"examination", "page_sequence"},
    {"pages", "classify", "frontier", "relevance", "audit", "diagnosis"},
    {"urls"},
    {"settings"},
    {"model"},
    {"output_stream"},
    {"errors", "version", "plurals", "event_loop", "connection_limits"},
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
PURE = {
    "audit",
    "model",
    "settings",
    "errors",
    "version",
    "plurals",
    "examination",
    "urls",
    "pages",
    "frontier",
    "classify",
    "relevance",
    "diagnosis",
    "export",
}
IMPURE_MODULES = {"asyncio", "os", "time", "socket", "sqlite3", "logging", "random", "subprocess", "pathlib", "io"}
IMPURE_CALLS = {"open", "print", "input"}
FORBIDDEN_NAMES = {"utils", "helpers", "manager", "base"}

MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file when a test needs it: every process of a run collects these tests, but only one runs each."""
    return ast.parse(path.read_text())


def part_of(path: Path) -> str:
    """Return the package or top-level module of a file; empty for `headwater/__init__.py`."""
    first = path.relative_to(SOURCE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def imports_of(tree: ast.Module) -> set[str]:
    """Return the names of all modules that a file imports, at any level."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def name_of(path: Path) -> str:
    """Return the name of a file in the id of a test."""
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_down_the_layers(path: Path) -> None:
    here = part_of(path)
    if not here:
        return
    assert here in LEVEL, f"{here} has no layer; give it one in LAYERS"
    for name in imports_of(tree_of(path)):
        package, _, rest = name.partition(".")
        there = rest.partition(".")[0]
        if package == "headwater" and there in LEVEL and there != here:
            assert LEVEL[there] > LEVEL[here], f"{here} imports {there}, which is not below it"


SCAN_INTERNALS = {"open_context", "discover_site"}


def test_only_the_runner_runs_scans() -> None:
    callers = {
        part_of(path)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Name) and node.id in SCAN_INTERNALS
    }
    assert callers == {"runner"}


@pytest.mark.parametrize("path", [path for path in MODULES if part_of(path) in {"api", "cli"}], ids=name_of)
def test_commands_and_the_api_use_discovery_only_through_the_runner(path: Path) -> None:
    assert not [name for name in imports_of(tree_of(path)) if name.startswith("headwater.discovery")]


@pytest.mark.parametrize("path", [path for path in MODULES if part_of(path) in PURE], ids=name_of)
def test_pure_packages_have_no_side_effects(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports_of(tree_of(path))} & IMPURE_MODULES
    called = {
        node.func.id
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & IMPURE_CALLS


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_have_a_docstring(path: Path) -> None:
    docstring = ast.get_docstring(tree_of(path))
    assert docstring, "a module begins with a docstring"
    assert docstring.splitlines()[0].rstrip().endswith((".", ":"))
    assert path.stem not in FORBIDDEN_NAMES


# Modules that may open connections, and the libraries they may use, with a reason where it is not obvious.
NETWORK_MODULES = {
    "socket",
    "ssl",
    "http",
    "pycurl",
    "aiohttp",
    "httpx",
    "requests",
    "urllib3",
    "ftplib",
    "smtplib",
    "socketserver",
}
MAY_USE = {
    "connection_limits.py": {"socket"},  # sets an option on sockets that the server accepted
    "fetch/egress.py": {"socket"},  # opens sockets for libcurl, after checking the address
    "fetch/http/dns_resolver.py": {"socket"},  # resolves names
    "fetch/http/client.py": {"pycurl"},
    "fetch/http/curl_driver.py": {"pycurl"},
    "fetch/http/socket_watchers.py": {"pycurl"},
    "fetch/http/transfer.py": {"pycurl"},
    "fetch/failure_reasons.py": {"pycurl"},
    "fetch/http/alt_svc.py": {"pycurl"},
    "fetch/model_client.py": {"pycurl"},
    "fetch/webhook_client.py": {"pycurl"},
    "export/screaming_frog.py": {"http"},  # the phrases of statuses
}
MAY_CALL = {
    "fetch/browser/network/socks_proxy.py": {"open_connection"},  # for the browser, after checking the address
    "fetch/browser/network/udp_canary.py": {"create_datagram_endpoint"},  # listens on loopback, sends nothing
}
CONNECTING_CALLS = {
    "open_connection",
    "create_connection",
    "open_unix_connection",
    "urlopen",
    "create_datagram_endpoint",
}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_fetch_opens_connections(path: Path) -> None:
    """Only `fetch` opens connections, and only to addresses that `egress` allows."""
    used = {name.partition(".")[0] for name in imports_of(tree_of(path))} & NETWORK_MODULES
    assert used <= MAY_USE.get(name_of(path), set())
    assert "urllib.request" not in imports_of(tree_of(path))
    attributes = {node.attr for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    assert not attributes & (CONNECTING_CALLS - MAY_CALL.get(name_of(path), set()))


def test_folders_have_at_most_15_modules() -> None:
    sizes = Counter(path.parent.relative_to(SOURCE).as_posix() for path in MODULES)
    assert {folder: size for folder, size in sizes.items() if size > 15} == {}


def test_no_import_cycles() -> None:
    graph = {_module(path): _dependencies(path) for path in MODULES}
    done: set[str] = set()
    for start in graph:
        _visit(start, graph, [], done)


def _module(path: Path) -> str:
    parts = ["headwater", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(part for part in parts if part != "__init__")


def _dependencies(path: Path) -> set[str]:
    """Return the modules that are loaded by importing a file: its imports outside TYPE_CHECKING blocks."""
    tree = tree_of(path)
    for_types = {node for block in tree.body if isinstance(block, ast.If) for node in ast.walk(block)}
    executed = ast.Module([node for node in tree.body if node not in for_types], [])
    known = {_module(other) for other in MODULES}
    return imports_of(executed) & known - {"headwater"}


def _visit(module: str, graph: dict[str, set[str]], trail: list[str], done: set[str]) -> None:
    assert module not in trail, " → ".join([*trail, module])
    if module not in done:
        for other in graph[module]:
            _visit(other, graph, [*trail, module], done)
        done.add(module)


def test_import_headwater_is_light() -> None:
    """`import headwater` loads neither the command line, the event loop, a database nor the second URL parser."""
    import subprocess

    heavy = "import sys, headwater; print([m for m in ('click', 'ada_url', 'asyncio', 'sqlite3') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", heavy], text=True).strip() == "[]"


STREAMS = {"output_stream.py", "cli/display/terminal.py"}
"""Modules that may send escape sequences or reach below the standard streams."""


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_output_goes_through_the_standard_streams(path: Path) -> None:
    if path.relative_to(SOURCE).as_posix() in STREAMS:
        return
    strings = [node.value for node in ast.walk(tree_of(path)) if isinstance(node, ast.Constant)]
    assert not [text for text in strings if isinstance(text, str) and "\x1b" in text], "use cli/display/terminal.py"
    names = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    assert not names & {"sys.stdout.buffer", "sys.stderr.buffer", "sys.__stdout__", "sys.__stderr__"}


def read_section(title: str) -> str:
    """Return the text below a heading of ARCHITECTURE.md."""
    return (ROOT / "ARCHITECTURE.md").read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


PACKAGE_ROWS = [
    (row[1], re.findall(r"`(\w+)`", row[2]))
    for row in re.finditer(r"^\| `(\S+)` \|.*\|(.*)\|$", read_section("Packages"), re.M)
]


def test_architecture_page_names_every_package_once() -> None:
    packages = sorted(path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*/__init__.py"))
    assert sorted(name for name, _ in PACKAGE_ROWS) == packages


@pytest.mark.parametrize(("package", "modules"), PACKAGE_ROWS, ids=[name for name, _ in PACKAGE_ROWS])
def test_architecture_page_names_existing_modules(package: str, modules: list[str]) -> None:
    assert [name for name in modules if not (SOURCE / package / f"{name}.py").exists()] == []


def test_architecture_page_names_every_module_outside_packages() -> None:
    named = re.findall(r"`(\w+\.py)`", read_section("Packages"))
    assert sorted(named) == sorted(path.name for path in SOURCE.glob("*.py") if not path.name.startswith("__"))


def test_architecture_page_shows_the_layers() -> None:
    shown = read_section("Layers").split("```")[1].strip().splitlines()
    assert [set(line.split(" | ")) for line in shown] == list(LAYERS)


def test_flow_has_nine_steps_named_after_modules() -> None:
    steps = re.findall(r"^(\d)\. \*\*`(\w+)`\*\* \(`(\S+)`", read_section("The flow of a scan"), re.M)
    assert [number for number, _, _ in steps] == list("123456789")
    for _, name, path in steps:
        assert Path(path).stem == name
        assert (SOURCE / path).exists()
