"""Log in before a scan, unless the session of an earlier login still works."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import LoginError, SettingError
from headwater.fetch.browser.chromium import explain_missing_browser
from headwater.fetch.egress import get_loopback_host
from headwater.fetch.login.recipe_loading import is_exposed, load_recipe
from headwater.fetch.login.recipe_runner import RecipeRunner
from headwater.fetch.login.session_writing import check_writable, write_session
from headwater.fetch.session_loading import find_exposed_files, get_session_path, load_session, read_session_file
from headwater.fetch.stack import FetchStack
from headwater.model import FetchFailure
from headwater.pages.documents.login_forms import LoginSigns
from headwater.pages.files.session_files import SessionFileError, format_session_file, parse_session_file
from headwater.urls.patterns import compile_patterns
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from headwater.fetch.browser.browser import Browser
    from headwater.pages.files.login_recipes import LoginRecipe
    from headwater.pages.files.session_files import BrowserSession
    from headwater.settings import Settings


def check_login(settings: Settings) -> LoginRecipe | None:
    """Return the recipe; raise SettingError if it or a session file that the settings name cannot be used."""
    recipe, path = load_recipe(settings), get_session_path(settings)
    if path is not None:
        check_writable(path, settings)
    load_session(replace(settings, login=None, session=None))
    return recipe


def find_exposed_secrets(settings: Settings) -> list[str]:
    """Return the files with a session or password that other users of the machine can read."""
    recipes = [settings.login] if settings.login is not None and is_exposed(Path(settings.login)) else []
    return [*find_exposed_files(settings), *recipes]


async def log_in(settings: Settings, seeds: Sequence[str] = (), say: Callable[[str], None] | None = None) -> None:
    """Carry out the recipe of --login and keep its session; do nothing without one, or if a kept session works."""
    recipe, path = check_login(settings), get_session_path(settings)
    if recipe is None or path is None:
        return
    if missing := explain_missing_browser(settings.browser, settings.ca_file):
        raise SettingError("login", f"a login needs a browser, and {missing}")
    from headwater.fetch.browser.browser import Browser  # noqa: PLC0415  (commands without a browser start faster)

    loopback = [host for origin in recipe.origins if (host := get_loopback_host(origin))]
    settings = replace(settings, allow_private=(*settings.allow_private, *loopback))
    await _check_robots(recipe, settings, seeds)
    browser = Browser(replace(settings, login=None, session=None, allow_post=()), seeds)
    try:
        is_working = await _is_working(browser, recipe, _read_kept_session(path), settings)
        if say:
            say(f"Using the session in {path}" if is_working else f"Logging in at {recipe.start}")
        if not is_working:
            await _run_recipe(browser, recipe, path, settings)
    finally:
        await browser.aclose()


async def _check_robots(recipe: LoginRecipe, settings: Settings, seeds: Sequence[str]) -> None:
    """Raise LoginError if robots.txt disallows the login page, unless the recipe says to ignore it."""
    if settings.robots == "ignore" or not recipe.obeys_robots:
        return
    async with FetchStack(replace(settings, login=None, session=None), seeds) as stack:
        entry = await stack.get_robots(recipe.start)
    if entry.robots is None:
        why = entry.result.reason if isinstance(entry.result, FetchFailure) else f"status {entry.result.status}"
        raise LoginError(f"could not load robots.txt of {recipe.start} ({why})")
    rule = entry.robots.find_deciding_rule(ROBOTS_NAME, recipe.start)
    if rule is not None and not rule.allow:
        raise LoginError(
            f"robots.txt disallows {recipe.start} (line {rule.line}). If programs may log in there, add "
            'robots = "ignore" to the recipe'
        )


def _read_kept_session(path: Path) -> BrowserSession | None:
    """Return the session that an earlier login kept; None if there is none that can be read."""
    try:
        return read_session_file("session", path) if path.exists() else None
    except SettingError:
        return None


async def _is_working(
    browser: Browser, recipe: LoginRecipe, session: BrowserSession | None, settings: Settings
) -> bool:
    """Return True if the page that showed the success of the recipe shows it again."""
    if session is None or session.login.start_url != recipe.start:
        return False
    url = session.login.checked_url
    async with browser.open_tab(url, session) as tab:
        return await RecipeRunner(recipe, browser, tab, settings.render_timeout).check(url)


async def _run_recipe(browser: Browser, recipe: LoginRecipe, path: Path, settings: Settings) -> None:
    allowed = compile_patterns([f"{origin}/*" for origin in recipe.origins], "login")
    async with browser.open_tab(recipe.start, allowed_writes=allowed) as tab:
        runner = RecipeRunner(recipe, browser, tab, settings.render_timeout)
        try:
            await runner.run()
        except LoginError as error:
            raise LoginError(f"{settings.login}: {error}") from None
        state = await tab.context.storage_state()
        login = LoginSigns(recipe.start, tab.page.url, frozenset(runner.login_forms))
    text = format_session_file(dict(state), login)
    try:
        parse_session_file(text)
    except SessionFileError as error:
        raise LoginError(f"{settings.login}: the login left no session that a scan can use: {error}") from None
    write_session(path, text)
