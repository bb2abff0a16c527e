"""Check that the documentation is complete and matches the code."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import headwater
from headwater.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
FOLDERS = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
"""Source folders; those that start with a dot are environments and caches."""

MARKDOWN = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in folder.rglob("*.md")))
    if "node_modules" not in path.parts
)
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#]+)")
_SOURCE_FILE = re.compile(r"`(?:src/headwater/)?([a-z0-9_/]+/[a-z0-9_]+\.py)`")


def _load_generator() -> Any:
    spec = spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["settings.md", "commands.md", "reasons.md"])
def test_reference_pages_are_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text()
    assert written == _load_generator().PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_point_to_existing_files(path: Path) -> None:
    for target in _LINK.findall(path.read_text()):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_source_files_named_in_the_documentation_exist(path: Path) -> None:
    for name in _SOURCE_FILE.findall(path.read_text()):
        assert (ROOT / name).exists() or (ROOT / "src" / "headwater" / name).exists(), name


def test_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text()
    assert all(f"headwater {name}" in readme for name in COMMANDS)


def test_public_names_have_a_docstring() -> None:
    for name in headwater.__all__:
        assert getattr(headwater, name).__doc__, name


def test_make_targets_named_in_the_documentation_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in MARKDOWN:
        for target in re.findall(r"`make ([a-z-]+)", path.read_text()):
            assert target in targets, f"{path.name}: make {target}"


def test_lock_files_contain_only_pinned_versions() -> None:
    for lock in (ROOT / "requirements.lock", ROOT / "bench" / "requirements.lock"):
        for line in lock.read_text().splitlines():
            assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.]+", line), line
