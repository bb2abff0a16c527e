"""Questions to a dive: passages are found, a model answers from them, or they are quoted where there is no model."""

from __future__ import annotations

import secrets
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from headwater.dive.answers.citations import Checker
from headwater.dive.answers.event_stream import EventStream
from headwater.dive.answers.extracts import extract
from headwater.dive.answers.prompt import messages_for
from headwater.dive.dive import missing
from headwater.dive.retrieval.search import best_similarity
from headwater.dive.retrieval.words import content_words, coverage
from headwater.errors import ModelError
from headwater.fetch.model_server import ModelServer
from headwater.store import Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from headwater.dive.answers.citations import Sentence
    from headwater.dive.retrieval.search import Hit, Searcher
    from headwater.settings import Settings
    from headwater.store import DiveStore

WORD_FLOOR = 0.5
"""Without vectors: a question of whose words the best passage has less than this is not answered."""

TURNS = 6
FEW_WORDS = 4
CHARACTERS_A_TOKEN = 8
NO_MODEL = "no model is configured (OPENAI_BASE_URL and HEADWATER_CHAT_MODEL); these are extracts"
NOT_ANSWERED = "The site does not answer this."


class Passages(NamedTuple):
    """What the answer rests on; `[1]` is the first."""

    hits: tuple[Hit, ...]


class Piece(NamedTuple):
    """Some more of the answer, checked."""

    text: str


class Answer(NamedTuple):
    """The whole answer. `citations` are numbers of passages; `dropped` counts citations that did not hold."""

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
    keeps: bool = True,
) -> AsyncGenerator[Passages | Piece | Answer]:
    """First the passages, then the answer piece by piece, at last the whole. Leaving the loop ends the request.

    With `keeps` the turn joins the dive's conversation, and earlier turns are part of the question.
    """
    number = (dives.resolve_dive(dive) or missing(dive))[0]
    history = dives.messages(number, TURNS) if keeps else []
    query = _query(question, history)
    results = await searcher.search(query, number, limit=settings.passages)
    hits = results.hits
    yield Passages(hits)
    if not _is_near(question, hits, settings) or (query != question and not _is_taken_up(question, hits)):
        answer = Answer(NOT_ANSWERED, is_answered=False, note=results.note)
        yield Piece(answer.text)
    elif settings.chat_model and settings.openai_base_url:
        answer = Answer("")
        async with aclosing(_from_model(question, hits, history, settings)) as parts:
            async for part in parts:
                if isinstance(part, Answer):
                    answer = part
                else:
                    yield part
    else:
        answer = _from_extracts(question, hits)
        yield Piece(answer.text)
    if keeps:
        _keep(dives, number, question, answer, hits)
    yield answer


def _query(question: str, history: Sequence[Message]) -> str:
    """A question that says little is searched together with the one before it."""
    before = next((turn.text for turn in reversed(history) if turn.role == "user"), "")
    return f"{before} {question}" if before and len(content_words(question)) < FEW_WORDS else question


def _is_near(question: str, hits: Sequence[Hit], settings: Settings) -> bool:
    """Whether the passages speak of the question at all."""
    similarity = best_similarity(hits)
    if similarity is not None:
        return similarity >= settings.similarity_floor
    return _is_covered(question, hits)


def _is_taken_up(question: str, hits: Sequence[Hit]) -> bool:
    """Whether passages found with the question before it speak of this one too, as far as it says anything."""
    return not content_words(question) or _is_covered(question, hits)


def _is_covered(question: str, hits: Sequence[Hit]) -> bool:
    return any(coverage(question, f"{hit.heading} {hit.passage}") >= WORD_FLOOR for hit in hits)


def _from_extracts(question: str, hits: Sequence[Hit]) -> Answer:
    parts = extract(question, hits)
    text = "\n\n".join(f"{part} [{number}]" for part, number in parts)
    return Answer(text, tuple(number for _, number in parts), note=NO_MODEL)


async def _from_model(
    question: str, hits: Sequence[Hit], history: Sequence[Message], settings: Settings
) -> AsyncGenerator[Piece | Answer]:
    checker = Checker([f"{hit.heading} {hit.passage}" for hit in hits], [hit.url for hit in hits])
    sentences: list[Sentence] = []
    note = ""
    async with aclosing(_deltas(question, hits, history, settings)) as deltas:
        async for text, finish in deltas:
            note = "cut off at answer_tokens" if finish == "length" else note
            for sentence in checker.feed(text):
                sentences.append(sentence)
                yield Piece(sentence.text)
    for sentence in checker.finish():
        sentences.append(sentence)
        yield Piece(sentence.text)
    cited = tuple(dict.fromkeys(number for sentence in sentences for number in sentence.cited))
    text = "".join(sentence.text for sentence in sentences).strip()
    if not text:
        raise ModelError(f"the model {settings.chat_model} answered nothing")
    dropped = sum(sentence.dropped for sentence in sentences)
    yield Answer(text, cited, settings.chat_model or "", note, dropped=dropped)


async def _deltas(
    question: str, hits: Sequence[Hit], history: Sequence[Message], settings: Settings
) -> AsyncGenerator[tuple[str, str]]:
    """Text as it arrives, and why it ended; no more than was asked for, whatever the server sends."""
    request = {
        "model": settings.chat_model,
        "messages": messages_for(question, hits, history, f"=={secrets.token_hex(8)}=="),
        "max_tokens": settings.answer_tokens,
        "temperature": 0.2,
        "stream": True,
    }
    server, events, room = ModelServer(settings), EventStream(), settings.answer_tokens * CHARACTERS_A_TOKEN
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


def _keep(dives: DiveStore, dive: int, question: str, answer: Answer, hits: Sequence[Hit]) -> None:
    cited = [
        {
            "number": number,
            **{name: getattr(hits[number - 1], name) for name in ("url", "page_url", "heading", "passage")},
        }
        for number in answer.citations
    ]
    dives.add_message(dive, Message("user", question, (), ""))
    dives.add_message(dive, Message("assistant", answer.text, cited, ""))
