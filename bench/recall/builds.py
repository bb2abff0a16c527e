"""Cached builds: environments by their lock, sites by the source of their builder and their lock."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path(__file__).parent
CACHE = HERE.parent.parent / ".build" / "recall"
PROSE = HERE / "prose.py"
LOCK = HERE / "requirements.lock"
NODE = HERE / "node"


class BuildError(Exception):
    """A site could not be built; the message names the log."""


def cached(name: str, sources: Sequence[Path], build: Callable[[Path], None]) -> Path:
    """Return the folder of a build, made by `build` unless one with the same sources exists.

    A second process that needs the same build waits for the first.
    """
    folder = CACHE / f"{name}-{hash_of(sources)}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            sys.stderr.write(f"building {name}\n")
            build(folder)
            (folder / ".ready").touch()
    return folder


def hash_of(sources: Sequence[Path]) -> str:
    """Return a hash of files, and of all files under folders."""
    digest = hashlib.sha256()
    for source in sources:
        for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def run(command: Sequence[str | Path], folder: Path, **variables: str) -> None:
    """Run a command with low priority; its output goes to build.log in the folder."""
    log = folder / "build.log"
    with log.open("ab") as output:
        done = subprocess.run(
            ["nice", "-n", "12", *map(str, command)],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "CI": "1", **variables},
            check=False,
        )
    if done.returncode:
        raise BuildError(f"{Path(command[0]).name} failed with exit code {done.returncode}; see {log}")


def python_tool(name: str) -> Path:
    """Return a program of the Python environment in `requirements.lock`, which is installed if missing."""

    def install(folder: Path) -> None:
        venv.create(folder, with_pip=True)
        run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--no-deps", "-r", LOCK], folder)

    return cached("python", [LOCK], install) / "bin" / name


def node_project(name: str, write: Callable[[Path], None], output: str) -> Callable[[Path], None]:
    """Return a build step that runs `npm run build` in a copy of `node/NAME` and keeps its output as `root`.

    `write` adds content to the project before it is built.
    """

    def install(folder: Path) -> None:
        for one in (NODE / name).glob("package*.json"):
            shutil.copy(one, folder)
        # Not `npm ci`: recent versions reject locks that leave out optional packages of other platforms.
        run(["npm", "install", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved"], folder)

    def build(folder: Path) -> None:
        project = cached(f"npm-{name}", sorted((NODE / name).glob("package*.json")), install)
        kept = {"node_modules", "package.json", "package-lock.json", ".ready"}
        for old in project.iterdir():
            if old.name not in kept:
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copytree(NODE / name, project, dirs_exist_ok=True)
        write(project)
        run(["npm", "run", "build"], project)
        shutil.move(project / output, folder / "root")

    return build
