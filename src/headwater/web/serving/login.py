"""The login page: it turns the token of the printed link into a cookie."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from headwater.web.serving.access_control import SECURITY_HEADERS
from headwater.web.serving.templating import render_with_status

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from headwater.web.serving.access_control import AccessPolicy

_STYLE = (files("headwater.web") / "static" / "style.css").read_text("utf-8")
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()


def render_login(*, is_wrong: bool = False) -> Response:
    """Return the form that asks for the token; its style is inline because static files need the token too."""
    policy = SECURITY_HEADERS["Content-Security-Policy"].replace(
        "style-src 'self'", f"style-src 'sha256-{_STYLE_HASH}'"
    )
    headers = {"Content-Security-Policy": policy}
    return render_with_status("login.html", 401, headers, style=Markup(_STYLE), is_wrong=is_wrong)  # noqa: S704


def make_login_endpoint(access: AccessPolicy) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that sets the cookie, which scripts cannot read and other sites cannot use."""

    async def login(request: Request) -> Response:
        token = request.query_params.get("token", "")
        if request.method == "POST":
            token = _parse_token(await request.body())
        if not access.is_valid_token(token):
            return render_login(is_wrong=bool(token))
        response = RedirectResponse("/", 303)
        response.set_cookie(access.cookie_name, access.token, httponly=True, samesite="strict", path="/")
        return response

    return login


def _parse_token(form: bytes) -> str:
    try:
        return parse_qs(form.decode("ascii", "replace"), max_num_fields=5).get("token", [""])[0]
    except ValueError:  # too many fields
        return ""
