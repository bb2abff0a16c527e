"""An option without its value does not take the next option for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from headwater.cli.bare_options import resolve_bare_options
from headwater.fetch.egress import EgressPolicy
from tests.commands import headwater
from tests.sites.table_site import table_site

if TYPE_CHECKING:
    from pathlib import Path

FLAGS = frozenset({"-o", "--output", "--private", "--quiet", "--no-quiet", "--sources", "--url"})
VALUES = {"-o": "", "--output": "", "--private": "seeds", "--sources": "", "--url": ""}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--private -o p.csv U", "--private=seeds -o p.csv U"),
        ("--private --output=p.csv", "--private=seeds --output=p.csv"),
        ("--private --no-quiet", "--private=seeds --no-quiet"),
        ("U --private", "U --private=seeds"),
        ("--private http://10.0.0.1/", "--private=seeds http://10.0.0.1/"),
        ("--private 10.0.0.0/8 U", "--private 10.0.0.0/8 U"),
        ("--private=host -o x", "--private=host -o x"),
        ("--private --private host", "--private=seeds --private host"),
        ("--sources -apis,+wayback", "--sources -apis,+wayback"),
        ("-o - U", "-o - U"),
        ("--url http://e.com/ -o x", "--url http://e.com/ -o x"),
        ("-o --unknown", "-o --unknown"),
        ("-- --private -o", "-- --private -o"),
        ("-o", "-o"),
    ],
)
def test_values_that_are_missing(arguments: str, expected: str) -> None:
    assert resolve_bare_options(arguments.split(), FLAGS, VALUES) == expected.split()


@pytest.mark.parametrize("arguments", ["--output --private", "-o --quiet", "--url --output=x"])
def test_a_value_that_is_needed(arguments: str) -> None:
    with pytest.raises(click.BadOptionUsage, match=r"needs a value, but --"):
        resolve_bare_options(arguments.split(), FLAGS, VALUES)


def test_commands(tmp_path: Path) -> None:
    with table_site(lambda _: {"/": "<title>Home</title>Home"}) as site:
        found = headwater(
            "--allow-private", "-o", "pages.csv", site.origin, "--render", "never", "--quiet", cwd=tmp_path
        )
    assert (found.code, found.out) == (0, "")
    assert site.origin in (tmp_path / "pages.csv").read_text()
    wrong = headwater("--cookies", "--quiet", "https://e.com", cwd=tmp_path)
    assert (wrong.code, "--cookies needs a value, but --quiet follows" in wrong.err) == (2, True)
    served = headwater("serve", "--allow-private", "--port", "0", cwd=tmp_path)
    assert (served.code, "a server needs the names of the private hosts" in served.err) == (2, True)


@pytest.mark.parametrize(
    ("allowed", "host", "address", "expected"),
    [
        (("seeds",), "intranet.example", "10.0.0.7", True),
        (("seeds",), "10.0.0.9", "10.0.0.9", True),
        (("seeds",), "other.example", "10.0.0.7", False),
        (("seeds", "10.1.0.0/16"), "other.example", "10.1.0.7", True),
        (("10.1.0.0/16",), "intranet.example", "10.0.0.7", False),
    ],
)
def test_private_hosts_of_seeds(allowed: tuple[str, ...], host: str, address: str, expected: bool) -> None:
    policy = EgressPolicy.from_allow_list(allowed, ["https://intranet.example/a", "http://10.0.0.9:8080/"])
    assert policy.permits(host, address) is expected
