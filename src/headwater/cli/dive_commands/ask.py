"""`headwater ask`: a question answered from the passages of a dive, with citations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.async_runner import run
from headwater.cli.display.text_streams import printable
from headwater.cli.dive_commands.common import open_existing_store
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.dive import Answer, AnswerDelta, Passages, ask, open_searcher

if TYPE_CHECKING:
    from headwater.dive import Hit
    from headwater.settings import Settings
    from headwater.store import Store


@click.command("ask")
@click.argument("words", nargs=-1, required=True)
@click.option("--dive", "number", type=click.IntRange(1), metavar="N", help="Which dive  [default: the newest]")
@click.option("--alone", is_flag=True, help="Neither use nor keep the dive's conversation")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="For people, or for programs"
)
@settings_options("dive", "store")
def command(words: tuple[str, ...], *, number: int | None, alone: bool, style: str, **flags: Any) -> None:  # noqa: ANN401
    """Answer the question WORDS from the passages of a dive, with checked citations.

    With OPENAI_BASE_URL, OPENAI_API_KEY and HEADWATER_CHAT_MODEL a model of that server answers; without, the best
    passages are quoted. A dive's conversation is kept, so that a question may follow another.
    """
    chosen = load_settings(flags)
    store = open_existing_store(chosen.settings.db)
    with add_setting_origin(chosen):
        hits, answer = run(
            _ask(store, chosen.settings, " ".join(words), number, keeps=not alone, is_shown=style == "text")
        )
    if style == "json":
        click.echo(json.dumps({**answer._asdict(), "passages": [hit._asdict() for hit in hits]}, ensure_ascii=False))
        return
    click.echo("\n")
    for cited in answer.citations:
        hit = hits[cited - 1]
        click.echo(f"[{cited}] {printable(hit.heading or hit.title)}\n    {printable(hit.url, 500)}")
    if answer.dropped:
        click.echo(f"{answer.dropped} citations did not hold and were dropped", err=True)
    if answer.note:
        click.echo(answer.note, err=True)


async def _ask(
    store: Store, settings: Settings, question: str, dive: int | None, *, keeps: bool, is_shown: bool
) -> tuple[tuple[Hit, ...], Answer]:
    hits: tuple[Hit, ...] = ()
    answer = Answer("")
    async with open_searcher(store, settings) as searcher:
        async for part in ask(searcher, store.dives, settings, question, dive, keeps=keeps):
            if isinstance(part, Passages):
                hits = part.hits
            elif isinstance(part, AnswerDelta):
                _print_piece(part.text, is_shown)
            else:
                answer = part
    return hits, answer


def _print_piece(text: str, is_shown: bool) -> None:
    if is_shown:
        click.echo("\n".join(printable(line, len(line)) for line in text.split("\n")), nl=False)
