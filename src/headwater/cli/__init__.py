"""The command line: results go to stdout, messages to stderr; one module per command."""

from headwater.cli.main import main

__all__ = ["main"]
