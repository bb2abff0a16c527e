"""HTTP connections with deadlines and a maximum number, so that slow clients cannot block others."""

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
"""Connections accepted in one iteration of the event loop, all open before any of them can be closed."""

_AUTHENTICATED = "is_authenticated"


class ConnectionLimits(NamedTuple):
    """Deadlines in seconds for each part of an exchange, and the maximum number of open connections."""

    head: float = 5.0
    body: float = 30.0
    write: float = 60.0
    connections: int = 500


def mark_authenticated(scope: MutableMapping[str, Any]) -> None:
    """Record that the request carried the token, so that its connection is dropped last."""
    scope.setdefault("state", {})[_AUTHENTICATED] = True


class LimitedProtocol(H11Protocol):
    """One connection of uvicorn, dropped when its client is too slow or when others need its place."""

    limits: ClassVar[ConnectionLimits] = ConnectionLimits()
    _numbers: ClassVar[Iterator[int]] = count(1)

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401  (the arguments of uvicorn)
        super().__init__(*arguments, **named)
        self.number = next(self._numbers)
        self._was_authenticated = False
        self._expected = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None

    @property
    def is_authenticated(self) -> bool:
        """Return True if a request on this connection carried the token."""
        return self._was_authenticated or (
            bool(self.scope) and _AUTHENTICATED in self.scope["state"]
        )  # the scope is None before the first request

    @property
    def is_answering(self) -> bool:
        """Return True if a complete request has arrived and its response is not complete."""
        return bool(self.scope) and not self.cycle.more_body and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Disable Nagle's algorithm and start the deadline for the first request."""
        super().connection_made(transport)
        # Nagle's algorithm delays a response until the client acknowledges its head, 40 ms later.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._expect("head", self.limits.head)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadlines."""
        self._expect("", 0)
        self._cancel_write_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Start or cancel the deadline for the part of the request that is due."""
        super().data_received(data)
        self._expect_rest()

    def pause_writing(self) -> None:
        """Start the deadline for reading the buffered response."""
        super().pause_writing()
        self._write_deadline = self.loop.call_later(self.limits.write, self.drop)

    def resume_writing(self) -> None:
        """Cancel the deadline, because the client reads."""
        super().resume_writing()
        self._cancel_write_deadline()

    def on_response_complete(self) -> None:
        """Start the deadline for reading the end of the response; closing would wait for it without a limit."""
        cycle, self._was_authenticated = self.cycle, self.is_authenticated
        super().on_response_complete()
        self._expect_rest()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(self.limits.write, self._drop_unless_read, cycle)

    def drop(self) -> None:
        """Close the connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _expect_rest(self) -> None:
        """Start the deadline for the rest of a request that is arriving."""
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._expect("body", self.limits.body)
        elif state is h11.IDLE and self.conn.trailing_data[0]:
            self._expect("head", self.limits.head)
        else:
            self._expect("", 0)

    def _expect(self, part: str, seconds: float) -> None:
        """Start the deadline for one part of a request, unless it is running; an empty part cancels it."""
        if part == self._expected:
            return
        if self._deadline is not None:
            self._deadline.cancel()
        self._expected = part
        self._deadline = self.loop.call_later(seconds, self.drop) if part else None

    def _cancel_write_deadline(self) -> None:
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
        min(droppable, key=_get_drop_order, default=self).drop()


def _get_drop_order(connection: LimitedProtocol) -> tuple[bool, bool, int]:
    """Return a key that orders connections by when they may be dropped, first ones first."""
    return connection.is_authenticated, connection.is_answering, connection.number
