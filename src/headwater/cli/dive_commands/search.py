"""`headwater search`: the passages of a dive that fit a question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.async_runner import run
from headwater.cli.display.text_streams import printable
from headwater.cli.dive_commands.common import open_existing_store
from headwater.cli.options import add_setting_origin, load_settings, settings_options
from headwater.dive import SearchFilters, open_searcher

if TYPE_CHECKING:
    from headwater.dive import Hit, Results
    from headwater.settings import Settings
    from headwater.store import Store

MAX_LINES = 3
WIDTH = 110


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--dive", "number", type=click.IntRange(1), metavar="N", help="Which dive  [default: the newest]")
@click.option("--cluster", default="", metavar="NAME", help="Only pages of this cluster")
@click.option("--language", default="", metavar="CODE", help="Only pages in this language")
@click.option("--path", default="", metavar="GLOB", help="Only pages whose URL matches, such as /docs/*")
@click.option("--limit", type=click.IntRange(1, 100), default=10, metavar="N", help="Passages at most  [default: 10]")
@click.option(
    "--format", "style", type=click.Choice(["text", "jsonl"]), default="text", help="For people, or for programs"
)
@settings_options("dive", "store")
def command(
    words: tuple[str, ...],
    *,
    number: int | None,
    cluster: str,
    language: str,
    path: str,
    limit: int,
    style: str,
    **flags: Any,  # noqa: ANN401  (click gives every flag its own type)
) -> None:
    """Find the passages of a dive that answer WORDS best, by words and, with the extra `dive`, by meaning."""
    chosen = load_settings(flags)
    store = open_existing_store(chosen.settings.db)
    with add_setting_origin(chosen):
        filters = SearchFilters(cluster, language, path)
        results = run(_search(store, chosen.settings, " ".join(words), number, filters=filters, limit=limit))
    write = _write_json if style == "jsonl" else _write_text
    for place, hit in enumerate(results.hits, 1):
        write(place, hit)
    if results.note:
        click.echo(f"searched {results.note}", err=True)
    if not results.hits:
        click.echo("nothing fits", err=True)


async def _search(
    store: Store, settings: Settings, query: str, dive: int | None, *, filters: SearchFilters, limit: int
) -> Results:
    async with open_searcher(store, settings) as searcher:
        return await searcher.search(query, dive, limit=limit, filters=filters)


def _write_json(place: int, hit: Hit) -> None:
    click.echo(json.dumps({"rank": place, **hit._asdict()}, ensure_ascii=False))


def _write_text(place: int, hit: Hit) -> None:
    ranks = [f"words {hit.word_rank}"] if hit.word_rank else []
    ranks += [f"meaning {hit.meaning_rank} ({hit.similarity:.2f})"] if hit.meaning_rank else []
    lines = [line for line in hit.passage.splitlines() if line.strip()][:MAX_LINES]
    click.echo(
        f"{place:>2}  {printable(hit.heading or hit.title)}\n    {printable(hit.url, 500)}  [{', '.join(ranks)}]"
    )
    for line in lines:
        click.echo(f"    {printable(line, WIDTH)}")
    click.echo()
