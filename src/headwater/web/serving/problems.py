"""What goes wrong with a request, told as RFC 9457 has it: `application/problem+json`."""

from __future__ import annotations

import json

from starlette.responses import Response

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_TITLES = {
    400: "The request cannot be understood",
    401: "A token is needed",
    403: "Refused",
    404: "There is no such thing",
    405: "That cannot be done here",
    409: "It cannot be done now",
    413: "Too large",
    415: "Send JSON",
    421: "Not the host you asked for",
    422: "A value is not allowed",
    429: "Too much at once",
    500: "Something went wrong here",
    502: "A server this one asked failed",
    503: "Not ready yet",
}


class Problem(Exception):  # noqa: N818  (RFC 9457 calls it so)
    """An answer that is not what was asked for; `detail` is for people, `name` the parameter or setting at fault."""

    def __init__(self, status: int, detail: str, name: str = "") -> None:
        self.status, self.detail, self.name = status, detail, name
        super().__init__(detail)


def problem_response(problem: Problem) -> Response:
    """The problem as JSON."""
    content: dict[str, object] = {
        "type": "about:blank",
        "title": PROBLEM_TITLES.get(problem.status, "Error"),
        "status": problem.status,
        "detail": problem.detail,
    }
    if problem.name:
        content["name"] = problem.name
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    return Response(json.dumps(content, ensure_ascii=True), problem.status, headers, PROBLEM_MEDIA_TYPE)
