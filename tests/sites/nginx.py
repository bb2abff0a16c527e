"""Run nginx on loopback for a test or benchmark, and find free ports."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  include /etc/nginx/mime.types; access_log {access_log};
  keepalive_requests 10000000; sendfile on; tcp_nodelay on;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port} {listen}; {tls} root {root}; {more} }}
}}
"""


@contextmanager
def nginx(
    root: Path, *, more: str = "", certificate: tuple[Path, Path] | None = None, log: bool = False
) -> Iterator[str]:
    """Serve a folder and yield the origin; with a certificate nginx uses TLS and HTTP/2."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        tls = f"ssl_certificate {certificate[0]}; ssl_certificate_key {certificate[1]};" if certificate else ""
        text = CONFIGURATION.format(
            folder=folder,
            port=port,
            root=root,
            more=more,
            listen="ssl http2" if certificate else "",
            tls=tls,
            access_log=f"{folder}/access.log" if log else "off",
        )
        (Path(folder) / "nginx.conf").write_text("user root;\n" * _is_root() + text)
        process = subprocess.Popen([program, "-c", f"{folder}/nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield f"{'https' if certificate else 'http'}://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def free_port() -> int:
    """Return a free port outside the ephemeral range, so that no other socket gets it meanwhile."""
    first_ephemeral = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    candidates = range(10_000, first_ephemeral) or range(10_000, 60_000)
    while True:
        port = random.SystemRandom().choice(candidates)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_for(port: int, seconds: float = 120.0, host: str = "127.0.0.1") -> None:
    """Wait until something listens on a port."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((host, port)) == 0:
                return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port}")


def _is_root() -> bool:
    return os.geteuid() == 0
