"""`headwater mcp`: serve Headwater's tools to language models."""

from __future__ import annotations

import os
from importlib.util import find_spec

import click

from headwater.cli.async_runner import run
from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.server_commands.access_token import TOKEN_VARIABLE, get_access_token
from headwater.errors import HeadwaterError
from headwater.fetch.egress import require_named_hosts


@click.command("mcp", cls=SettingsCommand)
@click.option(
    "--http", "port", type=click.IntRange(1, 65535), metavar="PORT", help="Serve HTTP on this port instead of stdio"
)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Listen on this address  [default: 127.0.0.1]")
@settings_options("scope", "limits", "fetch", "dive", "store")
def command(port: int | None, host: str, chosen: EffectiveSettings) -> None:
    """Serve tools to a language model over the Model Context Protocol: scan, list, dive, search and ask.

    This needs the extra `mcp`. Over HTTP, every request needs the token in HEADWATER_TOKEN, or the one printed at the
    start.
    """
    require_named_hosts(chosen.settings.allow_private)
    if find_spec("mcp") is None or find_spec("uvicorn") is None:
        raise HeadwaterError("the extra `mcp` is not installed; install it with: pip install 'headwater[mcp]'")
    from headwater.mcp.server import serve_http, serve_stdio  # noqa: PLC0415  (needs the extra)

    if port is None:
        run(serve_stdio(chosen.settings))
        return
    token = get_access_token()
    token_text = f"of {TOKEN_VARIABLE}" if os.environ.get(TOKEN_VARIABLE) else token

    def print_address(address: str) -> None:
        click.echo(f"{address}  token {token_text}", err=True)

    run(serve_http(chosen.settings, host, port, token, print_address))
