"""The browser verifies certificates, also with `--ca-file` and `--insecure`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from headwater.fetch.browser.network.nss_home import NssHome
from headwater.fetch.browser.rendered_page import RenderedPage
from headwater.model import FetchFailure
from tests.commands import until
from tests.fetch.browsing import open_all
from tests.fetch.certificates import Authority
from tests.sites.table_site import Answer, table_site

UNTRUSTED = "net::ERR_CERT_AUTHORITY_INVALID"
SCRIPT = Answer("", type="text/javascript")


def make_authority(folder: Path, name: str) -> Authority:
    (folder / name).mkdir()
    return Authority(folder / name)


@pytest.fixture(scope="module")
def authorities(tmp_path_factory: pytest.TempPathFactory) -> tuple[Authority, Authority]:
    folder = tmp_path_factory.mktemp("authorities")
    return make_authority(folder, "known"), make_authority(folder, "unknown")


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which this test's home folders are created."""
    folder = tmp_path / "homes"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_authorities_of_a_file_are_trusted_and_no_others(
    authorities: tuple[Authority, Authority], tmp_path: Path, homes: Path
) -> None:
    known, unknown = authorities
    ca_file = tmp_path / "bundle.pem"
    ca_file.write_bytes(Path(make_authority(tmp_path, "first").file).read_bytes() + Path(known.file).read_bytes())
    with (
        table_site(lambda _: {"/": "Here", "/script.js": SCRIPT}, unknown.server("127.0.0.1")) as other,
        table_site(
            lambda _: {
                "/": f"<script src={other.origin}/script.js></script><script src=/script.js></script>",
                "/script.js": SCRIPT,
            },
            known.server("127.0.0.1"),
        ) as site,
    ):
        opened, rejected = open_all(
            [f"{site.origin}/", f"{other.origin}/"],
            [site.origin, other.origin],
            ca_file=str(ca_file),
            header=("Authorization: Bearer secret",),
        )
    assert isinstance(opened, RenderedPage)
    assert {"/", "/script.js"} <= set(site.hits)
    assert isinstance(rejected, FetchFailure)
    assert (rejected.reason, UNTRUSTED in rejected.detail) == ("render-failed", True)
    assert other.requests == []
    assert not list(homes.iterdir())


def test_insecure_is_for_the_named_host_only(authorities: tuple[Authority, Authority]) -> None:
    """Other hosts are verified, whether a page of the named host loads from them or redirects to them."""
    unknown = authorities[1]
    with (
        table_site(lambda _: {"/": "Here", "/script.js": SCRIPT}, unknown.server("127.0.0.2"), "127.0.0.2") as other,
        table_site(
            lambda _: {
                "/": f"<script src={other.origin}/script.js></script><script src=/script.js></script>",
                "/script.js": SCRIPT,
                "/away": Answer("", 302, headers={"Location": f"{other.origin}/"}),
            },
            unknown.server("127.0.0.1"),
        ) as site,
    ):
        results = open_all(
            [f"{site.origin}/", f"{site.origin}/away", f"{site.origin}/"],
            [site.origin],
            insecure=("127.0.0.1",),
            allow_private=("127.0.0.2",),
            header=("Authorization: Bearer secret",),
            render_parallel=1,
        )
    assert [isinstance(one, RenderedPage) for one in results] == [True, False, True]
    assert isinstance(results[1], FetchFailure)
    assert (results[1].reason, UNTRUSTED in results[1].detail) == ("render-failed", True)
    assert site.hits["/script.js"]
    assert other.requests == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "could not read --ca-file .*: No such file or directory"),
        ("nothing", "holds no certificate in PEM format"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "certutil could not store the certificates"),
    ],
    ids=["missing", "no certificate", "damaged"],
)
def test_an_unusable_ca_file_is_an_error(tmp_path: Path, homes: Path, content: str | None, problem: str) -> None:
    ca_file = tmp_path / "ca.pem"
    if content is not None:
        ca_file.write_text(content)
    with pytest.raises(RuntimeError, match=problem):
        NssHome(str(ca_file))
    assert not list(homes.iterdir())


def test_the_home_folder_is_removed_when_its_process_is_killed(authorities: tuple[Authority, Authority]) -> None:
    module = "headwater.fetch.browser.network.nss_home"
    code = f"import sys; from {module} import NssHome; print(NssHome(sys.argv[1]).folder, flush=True)"
    command = [sys.executable, "-c", f"{code}; sys.stdin.read()", authorities[0].file]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        assert (folder / ".pki" / "nssdb" / "cert9.db").exists()
        process.kill()
    until(lambda: not folder.exists())
