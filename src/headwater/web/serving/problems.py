"""Error responses as RFC 9457 describes them: `application/problem+json`."""

from msgspec import UNSET, UnsetType
from starlette.responses import Response

from headwater.web.records import Record, encode_json

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_TITLES = {
    400: "Bad request",
    401: "Token required",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Not possible in the current state",
    413: "Request body too large",
    415: "Unsupported content type",
    421: "Unknown host",
    422: "Invalid value",
    429: "Too many requests",
    500: "Internal server error",
    502: "Model server failed",
    503: "Not ready yet",
}


class ProblemDetails(Record):
    """Body of an error response; `name` is the parameter, field or setting at fault, if there is one."""

    type: str
    title: str
    status: int
    detail: str
    name: str | UnsetType = UNSET


class Problem(Exception):  # noqa: N818  (RFC 9457 calls it so)
    """Raised to answer a request with an error; `detail` is for people, `name` the parameter or setting at fault."""

    def __init__(self, status: int, detail: str, name: str = "") -> None:
        self.status, self.detail, self.name = status, detail, name
        super().__init__(detail)

    @property
    def title(self) -> str:
        """The general name of the error."""
        return PROBLEM_TITLES.get(self.status, "Error")


def problem_response(problem: Problem) -> Response:
    """Return a problem as a JSON response."""
    details = ProblemDetails(
        type="about:blank",
        title=problem.title,
        status=problem.status,
        detail=problem.detail,
        name=problem.name or UNSET,
    )
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else {}
    return Response(encode_json(details), problem.status, headers, PROBLEM_MEDIA_TYPE)
