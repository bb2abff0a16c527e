"""Read the session of a browser from the files that --cookies, --storage-state and --login name."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.fetch.egress import get_host
from headwater.pages.documents.login_forms import NO_SIGNS
from headwater.pages.files.session_files import BrowserSession, SessionFileError, parse_session_file
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from playwright._impl._api_structures import LocalStorageEntry
    from playwright.async_api import StorageState, StorageStateCookie

    from headwater.pages.files.session_files import Cookie
    from headwater.settings import Settings

MAX_FILE_BYTES = 20_000_000
SESSION_SUFFIX = ".session.json"
"""Added to the name of a recipe, for the file that keeps its session."""

_FILE_SETTINGS = ("cookies", "storage_state")


def load_session(settings: Settings) -> BrowserSession:
    """Return the session that the settings name; empty if they name none. Raise SettingError if it cannot be read."""
    sessions = [read_session_file(name, path) for name, path in _list_files(settings)]
    storage = {origin: items for one in sessions for origin, items in one.storage.items()}
    login = next((one.login for one in reversed(sessions) if one.login.forms), NO_SIGNS)
    return BrowserSession(tuple(cookie for one in sessions for cookie in one.cookies), storage, login)


def get_session_path(settings: Settings) -> Path | None:
    """Return the file that keeps the session of --login; None without that setting."""
    if settings.login is None:
        return None
    return Path(settings.session) if settings.session else Path(f"{settings.login}{SESSION_SUFFIX}")


def find_exposed_files(settings: Settings) -> list[str]:
    """Return the session files that other users of the machine can read."""
    paths = [path for _, path in _list_files(settings)]
    return [str(path) for path in paths if path.is_file() and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)]


def _list_files(settings: Settings) -> list[tuple[str, Path]]:
    """Return the setting and path of each session file; the one of a recipe need not exist yet."""
    files = [(name, Path(path)) for name in _FILE_SETTINGS if (path := getattr(settings, name))]
    kept = get_session_path(settings)
    return [*files, ("session", kept)] if kept is not None and kept.exists() else files


def build_storage_state(session: BrowserSession, url: str) -> StorageState | None:
    """Return the cookies and local storage of a page's origin as Playwright takes them; None if there are none."""
    origin = get_origin(url)
    selected = session.select_cookies(get_host(url), is_secure=origin.startswith("https:"))
    cookies: list[StorageStateCookie] = [_to_playwright(cookie) for cookie in selected]
    items = session.storage.get(origin, {})
    rows: list[LocalStorageEntry] = [{"name": name, "value": value} for name, value in items.items()]
    if not cookies and not rows:
        return None
    return {"cookies": cookies, "origins": [{"origin": origin, "localStorage": rows}] if rows else []}


def _to_playwright(cookie: Cookie) -> StorageStateCookie:
    return {
        "name": cookie.name, "value": cookie.value,
        "domain": cookie.domain if cookie.is_host_only else f".{cookie.domain}", "path": cookie.path,
        "expires": cookie.expires or -1, "httpOnly": cookie.is_http_only, "secure": cookie.is_secure, "sameSite": "Lax",
    }  # fmt: skip


def read_session_file(name: str, path: Path) -> BrowserSession:
    """Read a session file; raise SettingError for the setting that names it if that is not possible."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SettingError(name, f"{path} is larger than {MAX_FILE_BYTES:,} bytes")
        return parse_session_file(path.read_text("utf-8"))
    except OSError as error:
        raise SettingError(name, f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingError(name, f"{path} is not text in UTF-8") from None
    except SessionFileError as error:
        raise SettingError(name, f"{path} cannot be read: {error}") from None
