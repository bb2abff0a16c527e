"""The API keeps to its own document: schemathesis asks every route rightly and wrongly, over a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from headwater.settings.value_kinds import Text, TextList
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS
from headwater.web.routes import API_ROUTES
from headwater.web.serving.openapi import make_openapi_document
from tests.web.serving import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.conftest import World
    from tests.web.serving import Server

DOCUMENT = make_openapi_document(API_ROUTES, "headwater")
EVERY: list[Any] = [
    result.ok()  # type: ignore[union-attr]
    for result in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
]
FLEET = [operation for operation in EVERY if "/fleet" in operation.path]
"""These are asked where there is a fleet."""

OPERATIONS = [operation for operation in EVERY if operation not in FLEET]
FREE = {
    name
    for name, row in ALLOWED_SETTINGS.items()
    if isinstance(row.kind, Text | TextList) and not getattr(row.kind, "options", ())
}
NAMES = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
)


def test_the_document_is_served_as_it_is_made(world: World) -> None:
    served = world.server.ask("/api/v1/openapi.json").json
    assert served["paths"] == DOCUMENT["paths"]
    assert {route.path for route in API_ROUTES} == set(served["paths"])


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module", autouse=True)
def dive(world: World) -> int:
    """Dive 1, which the routes about dives are asked for."""
    return world.server.dive(world.first, "Guides")


def _wrong_parts(case: Any) -> set[str]:
    """Where schemathesis has put what the document does not allow, but for headers, which we set ourselves."""
    components = case.meta.components if case.meta else {}
    wrong = {where.value for where, about in components.items() if about.mode is GenerationMode.NEGATIVE}
    return wrong & {"path", "query", "body"}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_route_keeps_to_the_document(
    world: World, session: requests.Session, operation: Any, mode: GenerationMode
) -> None:
    check_operation(world.server, session, operation, mode)


def check_operation(server: Server, session: requests.Session, operation: Any, mode: GenerationMode) -> None:
    """Ask a route a few times, rightly or wrongly, and hold the answers against the document."""
    strategy = operation.as_strategy(generation_mode=mode)

    @settings(
        max_examples=6, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=st.data())
    def ask(data: Any) -> None:
        case = data.draw(strategy)
        wrong = _wrong_parts(case)
        if case.path_parameters and "path" not in wrong and (wrong or data.draw(st.booleans())):
            case.path_parameters = dict.fromkeys(case.path_parameters, 1)
        if mode is GenerationMode.POSITIVE:
            _take_away_what_only_we_can_judge(case)
        assume("" not in (case.query or {}).values())  # a form sends its empty fields too: they count as not given
        if isinstance(case.body, dict) and case.body.get("urls"):
            case.body = {**case.body, "urls": ["http://10.0.0.1/"]}  # refused, so that no scan is started
        response = case.call(
            base_url=server.origin, headers={"Authorization": f"Bearer {TOKEN}"}, session=session, timeout=30,
        )  # fmt: skip
        names = NAMES if wrong or mode is GenerationMode.POSITIVE else NAMES[:-2]
        case.validate_response(response, checks=[CHECKS.get_one(name) for name in names])

    if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body or operation.path_parameters):
        return
    ask()


def _take_away_what_only_we_can_judge(case: Any) -> None:
    """Cursors are handed out and not made up; patterns and languages have a grammar that no schema tells."""
    if case.query:
        judged = {"cursor", "cluster", "path"} if "/dives" in case.operation.path else {"cursor"}
        case.query = {name: value for name, value in case.query.items() if name not in judged}
    if isinstance(case.body, dict) and {"clusters", "match"} & set(case.body):
        case.body = {name: value for name, value in case.body.items() if name != "match"} | {"clusters": ["Guides"]}
    if isinstance(case.body, dict) and "question" in case.body:
        case.body = {**case.body, "question": f"What is {case.body['question']}?"[:2000]}  # blanks ask nothing
    if isinstance(case.body, dict) and isinstance(case.body.get("settings"), dict):
        plain = {name: value for name, value in case.body["settings"].items() if name not in FREE}
        case.body = {**case.body, "settings": plain}
