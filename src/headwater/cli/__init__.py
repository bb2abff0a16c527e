"""The command line: data goes to stdout, everything for people to stderr; one file a command."""

from headwater.cli.main import main

__all__ = ["main"]
