"""TLS certificates are verified; exceptions are explicit and recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.model import FetchFailure, Response
from tests.fetch.certificates import Authority
from tests.fetch.fetching import exchange, reason
from tests.sites.fault_server import fault_server

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


def test_a_trusted_certificate(authority: Authority) -> None:
    with fault_server(tls=authority.server("127.0.0.1")) as server:
        result = exchange(server.url("/page"), ca_file=authority.file)[0]
    assert isinstance(result, Response)
    assert not result.insecure


def test_an_unknown_authority(authority: Authority) -> None:
    with fault_server(tls=authority.server("127.0.0.1")) as server:
        result = exchange(server.url("/page"))[0]
        assert server.seen == []
    assert isinstance(result, FetchFailure)
    assert result.reason == "tls"
    assert "certificate" in result.detail


def test_another_hosts_certificate(authority: Authority) -> None:
    with fault_server(tls=authority.server("other.example")) as server:
        assert reason(exchange(server.url("/page"), ca_file=authority.file)[0]) == "tls"
        assert server.seen == []


def test_an_expired_certificate(authority: Authority) -> None:
    with fault_server(tls=authority.server("127.0.0.1", expired=True)) as server:
        assert reason(exchange(server.url("/page"), ca_file=authority.file)[0]) == "tls"


def test_insecure_is_for_the_named_host_and_recorded(authority: Authority) -> None:
    with fault_server(tls=authority.server("other.example")) as server:
        result = exchange(server.url("/page"), insecure=("127.0.0.1",))[0]
        assert isinstance(result, Response)
        assert result.insecure
        assert reason(exchange(server.url("/page"), insecure=("127.0.0.9",))[0]) == "tls"


def test_plain_http_on_a_tls_port(authority: Authority) -> None:
    with fault_server(tls=authority.server("127.0.0.1")) as server:
        url = server.url("/page").replace("https:", "http:")
        assert reason(exchange(url)[0]) in {"truncated", "disconnected", "protocol"}


def test_a_missing_ca_file_is_a_failure(tmp_path: Path) -> None:
    with fault_server() as server:
        url = server.url("/page").replace("http:", "https:")
        result = exchange(url, ca_file=str(tmp_path / "none.pem"))[0]
    assert isinstance(result, FetchFailure)
    assert result.reason == "tls"
