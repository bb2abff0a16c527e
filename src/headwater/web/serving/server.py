"""Runs the application: one socket, one process, until it is told to stop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

import uvicorn

from headwater.connection_limits import BACKLOG, LimitedProtocol
from headwater.errors import SettingError
from headwater.event_loop import loop_factory
from headwater.store.opening import open_browse
from headwater.web.app import Service, forget_queue, make_app
from headwater.web.serving.guard import Access

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.settings import Layer

GRACE = 3


class Address(NamedTuple):
    """Where to listen, the hosts to answer to, and the token to ask for."""

    host: str
    port: int
    hosts: tuple[str, ...]
    token: str


def serve(
    db: str, address: Address, allow_private: Sequence[str], layers: Sequence[Layer], tell: Callable[[str], None]
) -> None:
    """Serve until interrupted; `tell` is called with the link once it listens."""
    host, port, hosts, token = address
    config = uvicorn.Config(
        _not_yet,
        host=host,
        port=port,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        http=LimitedProtocol,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE,
        ws="none",
        use_colors=False,  # our streams escape what a library colors
    )
    try:
        listening = config.bind_socket()
    except SystemExit:
        raise SettingError("port", f"{host}:{port} cannot be listened on; is another server there?") from None
    listening.listen(BACKLOG)
    bound = listening.getsockname()[1]
    access = Access(token, answered(hosts, bound), f"headwater-{bound}")
    shown = f"[{host}]" if ":" in host else host
    store = open_browse(db)
    if store.hold("serve"):  # else another server is alive, whose queue it is
        forget_queue(store)
    with listening:
        config.app = make_app(Service(db, access, tuple(allow_private), tuple(layers), store.close))
        tell(f"http://{shown}:{bound}/login?token={token}")
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(uvicorn.Server(config).serve(sockets=[listening]))


def answered(hosts: Sequence[str], port: int) -> frozenset[str]:
    """The Host headers that are answered: every name with our port, or with the port it was given."""
    named = {host.lower() if _has_port(host) else f"{host.lower()}:{port}" for host in hosts}
    return frozenset(named | {host.removesuffix(":80") for host in named if host.endswith(":80")})


def _has_port(host: str) -> bool:
    return host.rpartition("]")[2].count(":") == 1


async def _not_yet(*_: object) -> None:
    """Stands for the application until the port is known, which its cookie is named after."""
