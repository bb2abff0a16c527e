"""HTTP connections with deadlines and a maximum number, so that a slow client costs nobody but itself."""

from __future__ import annotations

import socket
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator, MutableMapping

BACKLOG = 256
"""Connections that are accepted in one turn of the event loop: their files are open before any can be closed."""

_AUTHENTICATED = "is_authenticated"


class ConnectionLimits(NamedTuple):
    """Seconds that a client has for each part of an exchange, and the number of connections that are kept open."""

    head: float = 5.0
    body: float = 30.0
    write: float = 60.0
    connections: int = 500


def mark_authenticated(scope: MutableMapping[str, Any]) -> None:
    """Note that the request carried the token; its connection is then the last to be dropped."""
    scope.setdefault("state", {})[_AUTHENTICATED] = True


class LimitedProtocol(H11Protocol):
    """One connection of uvicorn, dropped when its client takes too long or when others need its place."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()
    _numbers: ClassVar[Iterator[int]] = count(1)

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401  (what uvicorn gives)
        super().__init__(*arguments, **named)
        self.number = next(self._numbers)
        self._is_known = False
        self._awaited = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None

    @property
    def is_authenticated(self) -> bool:
        """Whether a request on this connection carried the token."""
        return self._is_known or (bool(self.scope) and _AUTHENTICATED in self.scope["state"])  # None at first

    @property
    def is_answering(self) -> bool:
        """Whether a request has arrived whole and is not answered yet."""
        return bool(self.scope) and not self.cycle.more_body and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Send small answers at once, and give the client its time for the first request."""
        super().connection_made(transport)
        # Nagle's algorithm holds an answer back until the client acknowledges its head, 40 ms later.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._await("head", self.limits.head)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadlines."""
        self._await("", 0)
        self._end_write_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Start or end the client's time for the part of the request that is due."""
        super().data_received(data)
        self._await_rest()

    def pause_writing(self) -> None:
        """Give the client its time to read what is buffered."""
        super().pause_writing()
        self._write_deadline = self.loop.call_later(self.limits.write, self.drop)

    def resume_writing(self) -> None:
        """Write on: the client reads."""
        super().resume_writing()
        self._end_write_deadline()

    def on_response_complete(self) -> None:
        """Give the client its time to read the end of the answer; closing waits for that without a limit."""
        cycle, self._is_known = self.cycle, self.is_authenticated
        super().on_response_complete()
        self._await_rest()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(self.limits.write, self._drop_unless_read, cycle)

    def drop(self) -> None:
        """End the connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _await_rest(self) -> None:
        """Wait for the rest of a request that has begun to arrive."""
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._await("body", self.limits.body)
        elif state is h11.IDLE and self.conn.trailing_data[0]:
            self._await("head", self.limits.head)
        else:
            self._await("", 0)

    def _await(self, part: str, seconds: float) -> None:
        """Start the time for one part of a request, unless it runs already; no part ends it."""
        if part == self._awaited:
            return
        if self._deadline is not None:
            self._deadline.cancel()
        self._awaited = part
        self._deadline = self.loop.call_later(seconds, self.drop) if part else None

    def _end_write_deadline(self) -> None:
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None

    def _drop_unless_read(self, cycle: object) -> None:
        if self.cycle is cycle and self.transport.get_write_buffer_size():
            self.drop()

    def _make_room(self) -> None:
        """Drop the oldest connection without the token, idle ones first, else the oldest idle one, else this one."""
        if len(self.connections) <= self.limits.connections:
            return
        others = (one for one in self.connections if isinstance(one, LimitedProtocol) and one is not self)
        droppable = [one for one in others if not (one.is_authenticated and one.is_answering)]
        min(droppable, key=_worth, default=self).drop()


def _worth(connection: LimitedProtocol) -> tuple[bool, bool, int]:
    return connection.is_authenticated, connection.is_answering, connection.number
