"""Answer questions about a dive: find passages, let a model answer from them, or quote them if there is no model."""

from __future__ import annotations

import secrets
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from headwater.dive.answers.citations import CitationChecker
from headwater.dive.answers.event_stream import EventStreamParser
from headwater.dive.answers.extracts import extract_sentences
from headwater.dive.answers.prompt import build_messages
from headwater.dive.pipeline import raise_dive_not_found
from headwater.dive.retrieval.searcher import get_best_similarity
from headwater.errors import ModelError
from headwater.fetch.model_client import ModelClient
from headwater.relevance.query_terms import extract_keywords, measure_coverage
from headwater.store import Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from headwater.dive.answers.citations import CheckedSentence
    from headwater.dive.retrieval.searcher import Hit, Searcher
    from headwater.settings import Settings
    from headwater.store import DiveStore

MIN_WORD_COVERAGE = 0.5
"""Without vectors, a question is answered only if a passage contains at least this share of its words."""

HISTORY_TURNS = 6
MIN_QUERY_WORDS = 4
CHARS_PER_TOKEN = 8
NO_MODEL_NOTE = "these are extracts, because no model is configured (OPENAI_BASE_URL and HEADWATER_CHAT_MODEL)"
NO_ANSWER_TEXT = "The site does not answer this."


class Passages(NamedTuple):
    """The passages for the answer; citation `[1]` is the first one."""

    hits: tuple[Hit, ...]


class AnswerDelta(NamedTuple):
    """The next part of the answer, with checked citations."""

    text: str


class Answer(NamedTuple):
    """The whole answer; `citations` are numbers of passages, `dropped` counts citations without support."""

    text: str
    citations: tuple[int, ...] = ()
    model: str = ""
    note: str = ""
    is_answered: bool = True
    dropped: int = 0


async def ask(
    searcher: Searcher,
    dives: DiveStore,
    settings: Settings,
    question: str,
    dive: int | None = None,
    *,
    should_save: bool = True,
) -> AsyncGenerator[Passages | AnswerDelta | Answer]:
    """Yield the passages, the parts of the answer and the whole answer; leaving the loop cancels the request.

    With `should_save` the question and its answer are added to the dive's conversation, which is part of the prompt.
    """
    number = (dives.resolve_dive(dive) or raise_dive_not_found(dive))[0]
    history = dives.messages(number, HISTORY_TURNS) if should_save else []
    query = _build_query(question, history)
    results = await searcher.search(query, number, limit=settings.passages)
    hits = results.hits
    yield Passages(hits)
    if not _is_relevant(question, hits, settings) or (query != question and not _is_follow_up_covered(question, hits)):
        answer = Answer(NO_ANSWER_TEXT, is_answered=False, note=results.note)
        yield AnswerDelta(answer.text)
    elif settings.chat_model and settings.openai_base_url:
        answer = Answer("")
        async with aclosing(_answer_with_model(question, hits, history, settings)) as parts:
            async for part in parts:
                if isinstance(part, Answer):
                    answer = part
                else:
                    yield part
    else:
        answer = _answer_from_extracts(question, hits)
        yield AnswerDelta(answer.text)
    if should_save:
        _store_turn(dives, number, question, answer, hits)
    yield answer


def _build_query(question: str, history: Sequence[Message]) -> str:
    """Return the search query; a very short question is searched together with the previous one."""
    before = next((turn.text for turn in reversed(history) if turn.role == "user"), "")
    return f"{before} {question}" if before and len(extract_keywords(question)) < MIN_QUERY_WORDS else question


def _is_relevant(question: str, hits: Sequence[Hit], settings: Settings) -> bool:
    """Return True if the passages are about the question."""
    similarity = get_best_similarity(hits)
    if similarity is not None:
        return similarity >= settings.similarity_floor
    return _is_covered(question, hits)


def _is_follow_up_covered(question: str, hits: Sequence[Hit]) -> bool:
    """Return True if passages that were found with the previous question also cover this one."""
    return not extract_keywords(question) or _is_covered(question, hits)


def _is_covered(question: str, hits: Sequence[Hit]) -> bool:
    return any(measure_coverage(question, f"{hit.heading} {hit.passage}") >= MIN_WORD_COVERAGE for hit in hits)


def _answer_from_extracts(question: str, hits: Sequence[Hit]) -> Answer:
    parts = extract_sentences(question, hits)
    text = "\n\n".join(f"{part} [{number}]" for part, number in parts)
    return Answer(text, tuple(number for _, number in parts), note=NO_MODEL_NOTE)


async def _answer_with_model(
    question: str, hits: Sequence[Hit], history: Sequence[Message], settings: Settings
) -> AsyncGenerator[AnswerDelta | Answer]:
    checker = CitationChecker([f"{hit.heading} {hit.passage}" for hit in hits], [hit.url for hit in hits])
    sentences: list[CheckedSentence] = []
    note = ""
    async with aclosing(_stream_deltas(question, hits, history, settings)) as deltas:
        async for text, finish in deltas:
            note = "cut off at answer_tokens" if finish == "length" else note
            for sentence in checker.feed(text):
                sentences.append(sentence)
                yield AnswerDelta(sentence.text)
    for sentence in checker.finish():
        sentences.append(sentence)
        yield AnswerDelta(sentence.text)
    cited = tuple(dict.fromkeys(number for sentence in sentences for number in sentence.cited))
    text = "".join(sentence.text for sentence in sentences).strip()
    if not text:
        raise ModelError(f"the model {settings.chat_model} answered nothing")
    dropped = sum(sentence.dropped for sentence in sentences)
    yield Answer(text, cited, settings.chat_model or "", note, dropped=dropped)


async def _stream_deltas(
    question: str, hits: Sequence[Hit], history: Sequence[Message], settings: Settings
) -> AsyncGenerator[tuple[str, str]]:
    """Yield (text, finish reason) as they arrive, limited to the requested length."""
    request = {
        "model": settings.chat_model,
        "messages": build_messages(question, hits, history, f"=={secrets.token_hex(8)}=="),
        "max_tokens": settings.answer_tokens,
        "temperature": 0.2,
        "stream": True,
    }
    server, events, room = ModelClient(settings), EventStreamParser(), settings.answer_tokens * CHARS_PER_TOKEN
    try:
        async with aclosing(server.stream("/chat/completions", request)) as pieces:
            async for piece in pieces:
                for delta in events.feed(piece):
                    yield delta.text[:room], delta.finish
                    room -= len(delta.text)
                    if room <= 0:
                        yield "", "length"
                        return
    finally:
        await server.aclose()


def _store_turn(dives: DiveStore, dive: int, question: str, answer: Answer, hits: Sequence[Hit]) -> None:
    cited = [
        {
            "number": number,
            **{name: getattr(hits[number - 1], name) for name in ("url", "page_url", "heading", "passage")},
        }
        for number in answer.citations
    ]
    dives.add_message(dive, Message("user", question, (), ""))
    dives.add_message(dive, Message("assistant", answer.text, cited, ""))
