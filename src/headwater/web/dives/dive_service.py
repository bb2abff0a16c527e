"""Search and answers in a thread of their own, which keeps the model and the vectors in memory."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

from headwater.dive import ask, open_searcher
from headwater.event_loop import cancel_tasks
from headwater.store import open_store
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from headwater.dive import Answer, AnswerDelta, Passages, Results, Searcher, SearchFilters
    from headwater.settings import Settings

Result = TypeVar("Result")

MAX_CONCURRENT_QUESTIONS = 4
"""Questions answered at the same time; each may occupy a model for minutes."""


class DiveService:
    """A thread with an event loop, a store and a searcher; all of them start with the first request."""

    def __init__(self, db: str, settings: Settings) -> None:
        self.settings = settings
        self._db = db
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._store: Any = None
        self._searcher: Searcher | None = None
        self._searcher_context: Any = None
        self._active_questions = 0

    async def search(self, dive: int, query: str, limit: int, filters: SearchFilters) -> Results:
        """Return the passages that match a query."""

        async def work() -> Results:
            searcher = await self._get_searcher()
            return await searcher.search(query, dive, limit=limit, filters=filters)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), self._get_loop()))

    async def ask(self, dive: int, question: str, *, keep: bool) -> AsyncGenerator[Passages | AnswerDelta | Answer]:
        """Yield the answer piece by piece. Closing the generator cancels the request to the model."""
        if self._active_questions >= MAX_CONCURRENT_QUESTIONS:
            raise Problem(429, f"{MAX_CONCURRENT_QUESTIONS} questions are being answered. Try again when one is done")
        self._active_questions += 1
        caller, parts = asyncio.get_running_loop(), asyncio.Queue[Any]()

        async def work() -> None:
            try:
                searcher = await self._get_searcher()
                answer = ask(searcher, self._store.dives, self.settings, question, dive, should_save=keep)
                async with aclosing(answer):
                    async for part in answer:
                        caller.call_soon_threadsafe(parts.put_nowait, part)
                caller.call_soon_threadsafe(parts.put_nowait, None)
            except Exception as error:  # noqa: BLE001  (raised again for the caller)
                caller.call_soon_threadsafe(parts.put_nowait, error)

        future = asyncio.run_coroutine_threadsafe(work(), self._get_loop())
        try:
            while (part := await parts.get()) is not None:
                if isinstance(part, Exception):
                    raise part
                yield part
        finally:
            self._active_questions -= 1
            future.cancel()

    def close(self) -> None:
        """Cancel running requests, and close the model and the store."""
        if self._loop is not None and self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._release(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _get_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="dive-service", daemon=True)
            self._thread.start()
        return self._loop

    async def _get_searcher(self) -> Searcher:
        """Return the searcher; it is opened without yielding in between, so that it is opened once."""
        if self._searcher is None:
            self._store = self._store or open_store(self._db)
            opening = open_searcher(self._store, self.settings)
            self._searcher, self._searcher_context = await opening.__aenter__(), opening
        return self._searcher

    async def _release(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await cancel_tasks(others)
        if self._searcher_context is not None:
            await self._searcher_context.__aexit__(None, None, None)
        if self._store is not None:
            self._store.close()
        await asyncio.get_running_loop().shutdown_default_executor()
