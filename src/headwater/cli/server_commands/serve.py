"""`headwater serve`: serve the web page and its API."""

from __future__ import annotations

import click

from headwater.cli.options import EffectiveSettings, SettingsCommand, settings_options
from headwater.cli.server_commands.access_token import get_access_token
from headwater.errors import HeadwaterError
from headwater.fetch.egress import require_named_hosts

DEFAULT_PORT = 8420
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")


@click.command("serve", cls=SettingsCommand)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Listen on this address  [default: 127.0.0.1]")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    metavar="N",
    help="Listen on this port  [default: 8420]",
)
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="Accept requests for this NAME or NAME:PORT too"
)
@click.option("--token", metavar="TEXT", help="Ask for this token instead of a new one; also HEADWATER_TOKEN")
@settings_options(also=("db", "allow_private"), has_preset=False)
def command(host: str, port: int, names: tuple[str, ...], token: str | None, chosen: EffectiveSettings) -> None:
    """Serve a web page to start and watch scans and to browse their results, with an API under /api/v1.

    By default it is reachable from this machine only. Every request needs the token, which is part of the printed
    link.
    """
    settings = chosen.settings
    require_named_hosts(chosen.settings.allow_private)
    token = get_access_token(token)
    try:
        from headwater.web.serving.server import ServerOptions, serve  # noqa: PLC0415  (its packages are optional)
    except ModuleNotFoundError as error:
        raise HeadwaterError(
            f"the package {error.name} is missing; install it with: pip install 'headwater[web]'"
        ) from None
    hosts = tuple(dict.fromkeys((*LOOPBACK_HOSTS, host, *names)))

    def print_link(link: str) -> None:
        click.echo(f"Headwater serves {settings.redacted_db} at\n\n    {link}\n\nPress Ctrl-C to stop.", err=True)

    without_flags = tuple(chosen.layers[1:])
    serve(settings.db, ServerOptions(host, port, hosts, token), settings.allow_private, without_flags, print_link)
