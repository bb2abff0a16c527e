"""Who works on a scan or a list in a file holds it, so that no second process goes on with it meanwhile."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


class FileLocks:
    """Locks beside a file. The system lets go of them with the process, however that ends."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._held: dict[str, int] = {}

    def acquire(self, name: str) -> bool:
        """Hold it; false if another process does."""
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock  # noqa: PLC0415  (not every system has it)
        except ImportError:
            return True
        if not self._path or name in self._held:
            return True
        place = f"{self._path}-{name}.lock"
        while True:
            descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                flock(descriptor, LOCK_EX | LOCK_NB)
            except OSError:
                os.close(descriptor)
                return False
            if _is_same_file(place, descriptor):
                self._held[name] = descriptor
                return True
            os.close(descriptor)  # its holder has just taken the file away

    def release(self) -> None:
        """Let go of everything."""
        for name, descriptor in self._held.items():
            Path(f"{self._path}-{name}.lock").unlink(missing_ok=True)
            os.close(descriptor)
        self._held.clear()


def _is_same_file(place: str, descriptor: int) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.stat(place), os.fstat(descriptor))  # noqa: PTH116  (as the line above)
    return False
