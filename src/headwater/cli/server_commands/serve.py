"""`headwater serve`: the web page and its API, on this machine, for whoever has the token."""

from __future__ import annotations

import os

import click

from headwater.cli.options import load_settings, read_config_file
from headwater.cli.server_commands.access_token import get_access_token
from headwater.errors import HeadwaterError
from headwater.settings import build_environment_layer, redact_value

DEFAULT_PORT = 8420
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")


@click.command("serve")
@click.option("--db", metavar="FILE|URL", help="The store to look at, and to keep scans in  [default: headwater.db]")
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="The address to listen on  [default: 127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, metavar="N", help="The port  [default: 8420]"
)
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="Another NAME or NAME:PORT this server answers to"
)
@click.option("--token", metavar="TEXT", help="The token to ask for instead of a new one; also HEADWATER_TOKEN")
@click.option(
    "--allow-private", multiple=True, metavar="HOST|CIDR", help="Private targets that scans started here may request"
)
@click.option("--config", metavar="FILE", help="Read settings from this file instead of headwater.toml")
def command(
    *,
    db: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    token: str | None,
    allow_private: tuple[str, ...],
    config: str | None,
) -> None:
    """Serve a page to start scans, watch them and look through what they found, with its API under /api/v1.

    It listens on this machine only, and asks for the token that the printed link holds.
    """
    chosen = load_settings({"db": db, "allow_private": allow_private, "config": config}).settings
    token = get_access_token(token)
    try:
        from headwater.web.serving.server import ServerOptions, serve  # noqa: PLC0415  (its packages are optional)
    except ModuleNotFoundError as error:
        raise HeadwaterError(f"{error.name} is missing: `pip install headwater[web]` brings it") from None
    layers = (build_environment_layer(os.environ), read_config_file(config or os.environ.get("HEADWATER_CONFIG")))
    hosts = tuple(dict.fromkeys((*LOOPBACK_HOSTS, host, *names)))

    def tell(link: str) -> None:
        click.echo(f"Headwater serves {redact_value('db', chosen.db)} at\n\n    {link}\n\nCtrl-C ends it.", err=True)

    serve(chosen.db, ServerOptions(host, port, hosts, token), chosen.allow_private, layers, tell)
