"""Scans with the session of a user: cookies go where they belong, are stored nowhere, and nothing is changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from headwater import SettingError, discover
from tests.commands import headwater
from tests.sites.table_site import Answer, ReceivedRequest, Server, serve

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "c00kie-s3cret"
HOME = (
    "<title>Home</title><a href=/a>a</a><a href=/area/b>b</a><a href=/logout>Bye</a><a href=/x?id=7>Delete post</a>"
    "<a href=/y title='Log out'><i></i></a><a href=/help>How to delete files</a>"
)


def members_only(request: ReceivedRequest) -> Answer | None:
    """Answer only with the cookie of the session; redirect other visitors to the login page."""
    path = request.path
    if path == "/robots.txt" or path.startswith("/login"):
        return Answer("<title>Log in</title><input type=password>") if path != "/robots.txt" else None
    if f"sid={SECRET}" not in request.headers.get("cookie", ""):
        return Answer(status=302, headers={"Location": f"/login?next={path}"})
    pages = {
        "/": HOME,
        **{name: f"<title>{name}</title>{name}" for name in ("/a", "/area/b", "/help", "/x?id=7", "/y")},
    }
    return Answer(pages[path]) if path in pages else None


def write_cookies(path: Path, *lines: str, mode: int = 0o600) -> str:
    path.write_text("# Netscape HTTP Cookie File\n" + "".join(f"{line}\n" for line in lines))
    path.chmod(mode)
    return str(path)


def cookie_line(name: str, value: str, domain: str = "127.0.0.1", path: str = "/", secure: str = "FALSE") -> str:
    return f"{domain}\tFALSE\t{path}\t{secure}\t0\t{name}\t{value}"


def paths_of(server: Server) -> set[str]:
    return {request.path for request in server.requests}


def test_cookies_are_sent_to_their_domain_and_stored_nowhere(tmp_path: Path) -> None:
    file = write_cookies(
        tmp_path / "cookies.txt",
        cookie_line("sid", SECRET),
        cookie_line("narrow", "n1", path="/area"),
        cookie_line("tls", "t1", secure="TRUE"),
        cookie_line("other", "o1", domain="127.0.0.2"),
        mode=0o644,
    )
    with serve(members_only) as server:
        result = headwater(
            f"{server.origin}/", "--cookies", file, "--render", "never", "--format", "jsonl", "--keep-skipped",
            cwd=tmp_path,
        )  # fmt: skip
        sent = {request.path: request.headers.get("cookie", "") for request in server.requests}
    urls = [json.loads(line)["url"].removeprefix(server.origin) for line in result.out.splitlines()]
    assert urls == ["/", "/a", "/area/b", "/help"]
    assert not {"/logout", "/x?id=7", "/y"} & set(sent)
    assert sent["/a"] == f"sid={SECRET}"
    assert sent["/area/b"].split("; ") == ["narrow=n1", f"sid={SECRET}"]
    assert f"other users can read {file}" in result.err
    assert SECRET not in result.out + result.err
    for stored in tmp_path.glob("headwater.db*"):
        assert SECRET.encode() not in stored.read_bytes()
        assert b"cookies.txt" not in stored.read_bytes()


def test_without_a_session_the_scan_says_so(tmp_path: Path) -> None:
    with serve(members_only) as server, discover(f"{server.origin}/", render="never") as found:
        assert not found.urls
        assert "--cookies FILE" in found.diagnosis[0]
    expired = write_cookies(tmp_path / "cookies.txt", cookie_line("sid", "old"))
    with serve(members_only) as server, discover(f"{server.origin}/", render="never", cookies=expired) as found:
        assert "the session has expired or is not accepted" in found.diagnosis[0]


def test_a_session_that_ends_during_the_scan_is_reported(tmp_path: Path) -> None:
    served = iter(range(1000))

    def expires(request: ReceivedRequest) -> Answer | None:
        if request.path == "/robots.txt" or request.path.startswith("/login"):
            return None
        if next(served) > 12:
            return Answer(status=302, headers={"Location": f"/login?next={request.path}"})
        links = "".join(f"<a href=/{number}>{number}</a> " for number in range(40))
        return Answer(f"<title>{request.path}</title>{request.path}{links}")

    file = write_cookies(tmp_path / "cookies.txt", cookie_line("sid", SECRET))
    with serve(expires) as server:
        result = headwater(f"{server.origin}/", "--cookies", file, "--render", "never", cwd=tmp_path)
    line = next(line for line in result.err.splitlines() if "The session seems to have ended" in line)
    assert "asked for a login. Log in again" in line


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), ("no cookies here", "seven fields"), ("{}", "neither cookies nor local storage")],
)
def test_files_that_cannot_be_read_are_reported_before_the_scan(
    content: str | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "session"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SettingError, match=words):
        discover("http://127.0.0.1:9/", cookies=str(file))


def test_pages_in_the_browser_have_the_session(tmp_path: Path) -> None:
    shell = (
        "<title>App</title><div id=root></div><script>document.getElementById('root').innerHTML ="
        " `<a href=/${localStorage.getItem('place')}>x</a> <a href=/${document.cookie.split('=')[1]}>y</a>`</script>"
    )
    pages = {"/": shell, "/from-storage": "<title>s</title>s", "/from-cookie": "<title>c</title>c"}

    def answer(request: ReceivedRequest) -> Answer | None:
        return Answer(pages[request.path]) if request.path in pages else None

    with serve(answer) as server:
        state = {
            "cookies": [{"name": "sid", "value": "from-cookie", "domain": "127.0.0.1", "path": "/", "expires": -1}],
            "origins": [{"origin": server.origin, "localStorage": [{"name": "place", "value": "from-storage"}]}],
        }
        file = tmp_path / "state.json"
        file.write_text(json.dumps(state))
        with discover(f"{server.origin}/", storage_state=str(file)) as found:
            assert found.urls == [f"{server.origin}{path}" for path in ("/", "/from-cookie", "/from-storage")]
