"""`headwater search`: search the passages of a dive."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from headwater.cli.async_runner import run
from headwater.cli.display.text_streams import printable
from headwater.cli.options import EffectiveSettings, SettingsCommand, dive_option, gather_options, settings_options
from headwater.dive import SearchFilters, open_searcher
from headwater.store import open_store

if TYPE_CHECKING:
    from headwater.dive import Hit, Results

MAX_LINES = 3
WIDTH = 110


@click.command("search", cls=SettingsCommand)
@click.argument("words", nargs=-1, required=True)
@dive_option
@click.option("--cluster", default="", metavar="NAME", help="Search only pages of this cluster")
@click.option("--language", default="", metavar="CODE", help="Search only pages in this language")
@click.option("--path", default="", metavar="GLOB", help="Search only pages whose URL matches, for example /docs/*")
@click.option(
    "--limit", type=click.IntRange(1, 100), default=10, metavar="N", help="Maximum number of passages  [default: 10]"
)
@click.option(
    "--format", "style", type=click.Choice(["text", "jsonl"]), default="text", help="Output for people or for programs"
)
@gather_options(SearchFilters, "filters")
@settings_options("dive", "store")
def command(
    words: tuple[str, ...],
    *,
    number: int | None,
    filters: SearchFilters,
    limit: int,
    style: str,
    chosen: EffectiveSettings,
) -> None:
    """Find the passages of a dive that match WORDS best, by words and, with the extra `dive`, by meaning."""
    store = open_store(chosen.settings.db, must_exist=True)

    async def search() -> Results:
        async with open_searcher(store, chosen.settings) as searcher:
            return await searcher.search(" ".join(words), number, limit=limit, filters=filters)

    results = run(search())
    write = _write_json if style == "jsonl" else _write_text
    for rank, hit in enumerate(results.hits, 1):
        write(rank, hit)
    if results.note:
        click.echo(f"Searched {results.note}", err=True)
    if not results.hits:
        click.echo("No passage matches", err=True)


def _write_json(rank: int, hit: Hit) -> None:
    click.echo(json.dumps({"rank": rank, **hit._asdict()}, ensure_ascii=False))


def _write_text(rank: int, hit: Hit) -> None:
    ranks = [f"words {hit.word_rank}"] if hit.word_rank else []
    ranks += [f"meaning {hit.meaning_rank} ({hit.similarity:.2f})"] if hit.meaning_rank else []
    click.echo(f"{rank:>2}  {printable(hit.heading or hit.title)}")
    click.echo(f"    {printable(hit.url, 500)}  [{', '.join(ranks)}]")
    for line in [line for line in hit.passage.splitlines() if line.strip()][:MAX_LINES]:
        click.echo(f"    {printable(line, WIDTH)}")
    click.echo()
