"""`headwater ask`: answer a question from the passages of a dive, with citations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from headwater.cli.async_runner import run
from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, SettingsCommand, dive_option, format_option, settings_options
from headwater.dive import Answer, AnswerDelta, Passages, ask, open_searcher
from headwater.plurals import format_count
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.dive import Hit
    from headwater.settings import Settings


@click.command("ask", cls=SettingsCommand)
@click.argument("words", nargs=-1, required=True)
@dive_option
@click.option("--alone", is_flag=True, help="Neither use nor store the conversation of the dive")
@format_option
@settings_options("dive", "store")
def command(words: tuple[str, ...], number: int | None, alone: bool, style: str, chosen: EffectiveSettings) -> None:
    """Answer the question WORDS from the passages of a dive, with checked citations.

    If OPENAI_BASE_URL, OPENAI_API_KEY and HEADWATER_CHAT_MODEL are set, a model on that server answers; otherwise the
    best passages are quoted. The conversation of a dive is stored, so that a question can refer to earlier ones.
    """
    question = " ".join(words)
    hits, answer = run(_ask(chosen.settings, question, number, keeps=not alone, prints=style == "text"))
    if style == "json":
        click.echo(json.dumps({**answer._asdict(), "passages": [hit._asdict() for hit in hits]}, ensure_ascii=False))
        return
    click.echo("\n")
    for cited in answer.citations:
        hit = hits[cited - 1]
        click.echo(f"[{cited}] {printable(hit.heading or hit.title)}\n    {printable(hit.url, 500)}")
    if answer.dropped:
        click.echo(
            f"{format_count(answer.dropped, 'citation')} dropped because the passages do not support them", err=True
        )
    if answer.note:
        click.echo(answer.note, err=True)


async def _ask(
    settings: Settings, question: str, dive: int | None, *, keeps: bool, prints: bool
) -> tuple[tuple[Hit, ...], Answer]:
    store = open_store(settings.db, must_exist=True)
    hits: tuple[Hit, ...] = ()
    answer = Answer("")
    async with open_searcher(store, settings) as searcher:
        async for part in ask(searcher, store.dives, settings, question, dive, should_save=keeps):
            if isinstance(part, Passages):
                hits = part.hits
            elif isinstance(part, AnswerDelta):
                if prints:
                    click.echo("\n".join(printable(line, len(line)) for line in part.text.split("\n")), nl=False)
            else:
                answer = part
    return hits, answer
