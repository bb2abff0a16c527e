"""Settings of dives, search and answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from headwater.settings.setting import setting
from headwater.settings.value_kinds import Choice, Flag, Number, Text, integer, seconds

_dive = partial(setting, "dive")
_optional_text = Text(optional=True)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class DiveSettings:
    """The settings that decide what a dive reads and how questions are answered."""

    max_dive_pages: int | None = _dive(integer(1, optional=True), 10_000, "Read at most this many pages in one dive")
    include_noindex: bool = _dive(Flag(), False, "Read pages marked noindex too")
    chunk_tokens: int = _dive(integer(60, 8000), 220, "Maximum number of tokens in a passage, including its heading")
    embedder: Literal["auto", "minilm", "openai", "fastembed", "none"] = _dive(
        Choice(("auto", "minilm", "openai", "fastembed", "none")),
        "auto",
        "Compute embeddings with this embedder; auto means minilm if the extra `dive` is installed, else none",
    )
    embedding_model: str | None = _dive(
        _optional_text, None, "Use this model with --embedder openai or fastembed", metavar="NAME"
    )
    openai_base_url: str | None = _dive(
        _optional_text,
        None,
        "Use this OpenAI-compatible server for chat and embeddings, for example http://127.0.0.1:8080/v1",
        metavar="URL",
        alias="OPENAI_BASE_URL",
        may_hold_password=True,
    )
    openai_api_key: str | None = _dive(
        Text(optional=True, secret=True), None, "Send this key to the OpenAI-compatible server", alias="OPENAI_API_KEY"
    )
    chat_model: str | None = _dive(
        _optional_text, None, "Answer questions with this model; without one, answers are quotations", metavar="NAME"
    )
    passages: int = _dive(integer(1, 50), 6, "Number of passages an answer is based on")
    similarity_floor: float = _dive(
        Number(0.0, 1.0, whole=False), 0.3, "Give no answer if no passage is at least this similar to the question"
    )
    answer_tokens: int = _dive(integer(16, 32_000), 700, "Maximum number of tokens in an answer")
    answer_timeout: float = _dive(seconds(0.1, 3600.0), 120.0, "Timeout for an answer from a model")
