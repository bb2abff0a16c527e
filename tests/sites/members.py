"""A site for members: pages ask for a login, and the form of the login page is sent by POST."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from tests.sites.table_site import Answer, ReceivedRequest, Server, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

USER, PASSWORD, TOKEN = "anna", "correct-h0rse", "s3ssion-token"
FORM = (
    "<form method=post action=/session><input type=hidden name=csrf value=c5rf><input id=user name=user>"
    "<input id=password type=password name=pw><button type=submit>Log in</button></form>"
)
HOME = "<title>Home</title><h1>Home</h1><p>Hello</p><a href=/logout>Log out</a><a href=/x?id=7>Delete post</a>"
FOOTER = "".join(f"<a href=/help/{number}>Help {number}</a> " for number in range(8))


@dataclass
class Members:
    """The state of the site: pages are answered while `max_pages` lasts, then the session has ended.

    With `shows_form` pages ask for the login themselves, below their own links, instead of redirecting to `login_path`.
    """

    pages: tuple[str, ...] = ("/a", "/b", "/c")
    login_path: str = "/login"
    shows_form: bool = False
    max_pages: int = 10_000
    robots: str = ""
    script: str = ""
    logins: int = 0
    served: list[str] = field(default_factory=list)

    def answer(self, request: ReceivedRequest) -> Answer | None:
        """Answer a request as the site does."""
        path = request.path.partition("?")[0]
        if path == "/robots.txt":
            return Answer(self.robots, type="text/plain") if self.robots else None
        if path == self.login_path:
            return Answer(f"<title>Members</title>{self.script}{FORM}{FOOTER}")
        if path == "/session" and request.method == "POST":
            return self._log_in(parse_qs(request.body.decode()))
        if path.startswith("/help/"):
            return Answer(f"<title>{path}</title>{path}")
        if f"sid={TOKEN}" not in request.headers.get("cookie", "") or len(self.served) >= self.max_pages:
            return self._ask_for_login(path)
        return self._show(request.path)

    def _log_in(self, values: dict[str, list[str]]) -> Answer:
        if values != {"csrf": ["c5rf"], "user": [USER], "pw": [PASSWORD]}:
            return Answer(status=303, headers={"Location": f"{self.login_path}?failed=1"})
        self.logins += 1
        return Answer(status=303, headers={"Location": "/", "Set-Cookie": f"sid={TOKEN}; Path=/; HttpOnly"})

    def _ask_for_login(self, path: str) -> Answer:
        if self.shows_form and path != "/":
            return Answer(f"<title>Members</title>{FOOTER}{FORM}<p>{'Members only. ' * 100}</p>")
        return Answer(status=302, headers={"Location": self.login_path})

    def _show(self, path: str) -> Answer | None:
        if path not in {"/", *self.pages}:
            return None
        self.served.append(path)
        links = "".join(f"<a href={page}>{page}</a> " for page in self.pages)
        if path == "/":
            return Answer(HOME + links)
        return Answer(f"<title>{path}</title>Members read {path}{links}")


@contextmanager
def members_site(site: Members) -> Iterator[Server]:
    """Serve the site for the length of the block."""
    with serve(site.answer) as server:
        yield server
