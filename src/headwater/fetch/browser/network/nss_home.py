"""Make Chromium trust `--ca-file`, with an NSS store in a temporary home folder.

Chromium on Linux has no flag for this. It trusts its built-in authorities and those in `~/.pki/nssdb`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CERTUTIL = "certutil"
CERTUTIL_INSTALL_HINT = "apt install libnss3-tools (or your system's package)"
CERTUTIL_TIMEOUT = 120.0
"""Seconds for filling the store; a bundle of 120 certificates takes 5 seconds."""

_CERTIFICATE = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)

# Runs when this process has ended for any reason, several times because Chromium may still write files.
_CLEANUP_SCRIPT = 'while read -r _; do :; done; for _ in 1 2 3 4 5; do rm -rf -- "$1"; sleep 1; done'


def explain_unsupported_ca_file() -> str:
    """Return the reason why the browser cannot use `--ca-file`; empty if it can."""
    if not sys.platform.startswith("linux"):
        return "--ca-file has no effect on Chromium on this system: use --render never, or add the CA to the system"
    if not shutil.which(CERTUTIL):
        return f"--ca-file needs certutil for the browser, which is not installed: {CERTUTIL_INSTALL_HINT}"
    return ""


class NssHome:
    """A temporary home folder whose NSS store contains the certificates of a file."""

    def __init__(self, ca_file: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="headwater-home-"))
        self._cleanup_process = subprocess.Popen(  # noqa: S603
            ["/bin/sh", "-c", _CLEANUP_SCRIPT, "sh", str(self.folder)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            _fill_store(self.folder, Path(ca_file))
        except BaseException:
            self.close()
            raise

    def environment(self) -> dict[str, str | float | bool]:
        """Return our environment with this home folder and without XDG variables, which name the user's folders."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        return {**kept, "HOME": str(self.folder)}

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._cleanup_process.kill()
        self._cleanup_process.wait()
        assert self._cleanup_process.stdin is not None
        self._cleanup_process.stdin.close()


def _fill_store(home: Path, ca_file: Path) -> None:
    certificates = _read_certificates(ca_file)
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=home) as folder:
        commands = Path(folder, "commands")
        for number, certificate in enumerate(certificates):
            Path(folder, str(number)).write_bytes(certificate + b"\n")
        lines = (f"-A -n ca-{number} -t C,, -i {folder}/{number}\n" for number in range(len(certificates)))
        commands.write_text("".join(lines))
        _run_certutil(ca_file, store, "-N", "--empty-password")
        _run_certutil(ca_file, store, "-B", "-i", str(commands))


def _read_certificates(ca_file: Path) -> list[bytes]:
    try:
        found = _CERTIFICATE.findall(ca_file.read_bytes())
    except OSError as error:
        raise RuntimeError(f"could not read --ca-file {ca_file}: {error.strerror}") from None
    if not found:
        raise RuntimeError(f"--ca-file {ca_file} holds no certificate in PEM format")
    return found


def _run_certutil(ca_file: Path, store: Path, *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603
        [CERTUTIL, "-d", f"sql:{store}", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=CERTUTIL_TIMEOUT, check=False,
    )  # fmt: skip
    if done.returncode:
        message = done.stderr.strip().partition("\n")[0]
        raise RuntimeError(f"certutil could not store the certificates of --ca-file {ca_file}: {message}")
