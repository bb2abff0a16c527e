"""Runs the application in one process until it is interrupted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

import uvicorn

from headwater.connection_limits import BACKLOG, LimitedProtocol
from headwater.errors import SettingError
from headwater.event_loop import get_loop_factory
from headwater.store.factory import open_browse_store
from headwater.web.app import ServerConfig, interrupt_queued_scans, make_app
from headwater.web.serving.access_control import AccessPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.settings import Layer

SHUTDOWN_TIMEOUT = 3


class ServerOptions(NamedTuple):
    """Address to listen on, host names to answer to, and the token that requests must send."""

    host: str
    port: int
    hosts: tuple[str, ...]
    token: str


def serve(
    db: str,
    address: ServerOptions,
    allow_private: Sequence[str],
    layers: Sequence[Layer],
    on_started: Callable[[str], None],
) -> None:
    """Serve until interrupted; `on_started` is called with the login link once the server listens."""
    host, port, hosts, token = address
    config = uvicorn.Config(
        _placeholder_app,
        host=host,
        port=port,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        http=LimitedProtocol,
        backlog=BACKLOG,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        ws="none",
        use_colors=False,  # our output streams escape control characters
    )
    try:
        listening = config.bind_socket()
    except SystemExit:
        raise SettingError("port", f"cannot listen on {host}:{port}; another program may be using the port") from None
    listening.listen(BACKLOG)
    bound = listening.getsockname()[1]
    access = AccessPolicy(token, make_allowed_hosts(hosts, bound), f"headwater-{bound}")
    shown = f"[{host}]" if ":" in host else host
    store = open_browse_store(db)
    if store.acquire_lock("serve"):  # otherwise the queue belongs to another running server
        interrupt_queued_scans(store)
    with listening:
        config.app = make_app(ServerConfig(db, access, tuple(allow_private), tuple(layers), store.close))
        on_started(f"http://{shown}:{bound}/login?token={token}")
        with asyncio.Runner(loop_factory=get_loop_factory()) as runner:
            runner.run(uvicorn.Server(config).serve(sockets=[listening]))


def make_allowed_hosts(hosts: Sequence[str], port: int) -> frozenset[str]:
    """Return the accepted Host headers: every name with the port it has, or with the port of the server."""
    named = {host.lower() if _has_port(host) else f"{host.lower()}:{port}" for host in hosts}
    return frozenset(named | {host.removesuffix(":80") for host in named if host.endswith(":80")})


def _has_port(host: str) -> bool:
    return host.rpartition("]")[2].count(":") == 1


async def _placeholder_app(*_: object) -> None:
    """Stand in for the application until the port is known, which the name of its cookie contains."""
