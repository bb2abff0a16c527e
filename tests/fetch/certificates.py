"""Create certificates for tests: valid ones, and some that must not be trusted."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import trustme

if TYPE_CHECKING:
    from pathlib import Path


class Authority:
    """A certificate authority and the file with its certificate."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ca = trustme.CA()
        self.file = str(folder / "ca.pem")
        self._ca.cert_pem.write_to_path(self.file)

    def server(self, *names: str, expired: bool = False) -> ssl.SSLContext:
        """Return a server's TLS context with a certificate for these names."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._issue(names, expired).configure_cert(context)
        return context

    def files(self, *names: str) -> tuple[Path, Path]:
        """Write certificate chain and key to files and return their paths."""
        leaf = self._issue(names, expired=False)
        chain, key = self._folder / "chain.pem", self._folder / "key.pem"
        chain.write_bytes(b"".join(blob.bytes() for blob in leaf.cert_chain_pems))
        leaf.private_key_pem.write_to_path(key)
        return chain, key

    def _issue(self, names: tuple[str, ...], expired: bool) -> trustme.LeafCert:
        if expired:
            return self._ca.issue_cert(*names, not_after=datetime.now(UTC) - timedelta(days=1))
        return self._ca.issue_cert(*names)
