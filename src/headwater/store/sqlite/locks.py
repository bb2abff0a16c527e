"""Lock files beside a store, so that two processes do not run the same scan or list."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


class FileLocks:
    """Locks of one store; the system releases them when the process ends, even after a crash."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._held: dict[str, int] = {}

    def acquire(self, name: str) -> bool:
        """Acquire a lock; return False if another process holds it."""
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock  # noqa: PLC0415  (missing on some systems)
        except ImportError:
            return True
        if not self._path or name in self._held:
            return True
        lock_path = f"{self._path}-{name}.lock"
        while True:
            descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
            except OSError:
                os.close(descriptor)
                return False
            if _is_same_file(lock_path, descriptor):
                self._held[name] = descriptor
                return True
            os.close(descriptor)  # the last holder has just deleted the file

    def release(self) -> None:
        """Release all locks."""
        for name, descriptor in self._held.items():
            Path(f"{self._path}-{name}.lock").unlink(missing_ok=True)
            os.close(descriptor)
        self._held.clear()


def _is_same_file(lock_path: str, descriptor: int) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.stat(lock_path), os.fstat(descriptor))  # noqa: PTH116  (as the line above)
    return False
