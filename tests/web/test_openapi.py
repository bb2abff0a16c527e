"""The API matches its OpenAPI document: schemathesis sends valid and invalid requests to every route."""

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
from tests.commands import PATIENCE
from tests.web.serving import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.conftest import World
    from tests.web.serving import Server

DOCUMENT = make_openapi_document(API_ROUTES, "headwater")
ALL_OPERATIONS: list[Any] = [
    result.ok()  # type: ignore[union-attr]
    for result in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
]
FLEET_OPERATIONS = [operation for operation in ALL_OPERATIONS if "/fleet" in operation.path]
"""Tested in test_fleet, where there is a fleet."""

OPERATIONS = [operation for operation in ALL_OPERATIONS if operation not in FLEET_OPERATIONS]
FREE_TEXT_SETTINGS = {
    name
    for name, row in ALLOWED_SETTINGS.items()
    if isinstance(row.kind, Text | TextList) and not getattr(row.kind, "options", ())
}
CHECK_NAMES = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
)


def test_the_document_is_served(world: World) -> None:
    served = world.server.request("/api/v1/openapi.json").json
    assert served["paths"] == DOCUMENT["paths"]
    assert {route.path for route in API_ROUTES} == set(served["paths"])


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module", autouse=True)
def dive(world: World) -> int:
    """Create dive 1, which the requests about dives name."""
    return world.server.dive(world.first, "Guides")


def _get_invalid_parts(case: Any) -> set[str]:
    """Return the parts of a request that are invalid, except headers, which the test sets itself."""
    components = case.meta.components if case.meta else {}
    invalid = {location.value for location, info in components.items() if info.mode is GenerationMode.NEGATIVE}
    return invalid & {"path", "query", "body"}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_route_matches_the_document(
    world: World, session: requests.Session, operation: Any, mode: GenerationMode
) -> None:
    check_operation(world.server, session, operation, mode)


def check_operation(server: Server, session: requests.Session, operation: Any, mode: GenerationMode) -> None:
    """Send a few valid or invalid requests to a route, and check the responses against the document."""
    strategy = operation.as_strategy(generation_mode=mode)

    @settings(
        max_examples=4, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=st.data())
    def send(data: Any) -> None:
        case = data.draw(strategy)
        invalid = _get_invalid_parts(case)
        if case.path_parameters and "path" not in invalid and (invalid or data.draw(st.booleans())):
            case.path_parameters = dict.fromkeys(case.path_parameters, 1)
        if mode is GenerationMode.POSITIVE:
            _remove_values_beyond_the_schema(case)
        assume("" not in (case.query or {}).values())  # forms send their empty fields, which count as absent
        if isinstance(case.body, dict) and case.body.get("urls"):
            case.body = {**case.body, "urls": ["http://10.0.0.1/"]}  # rejected, so that no scan is started
        response = case.call(
            base_url=server.origin, headers={"Authorization": f"Bearer {TOKEN}"}, session=session, timeout=PATIENCE,
        )  # fmt: skip
        names = CHECK_NAMES if invalid or mode is GenerationMode.POSITIVE else CHECK_NAMES[:-2]
        case.validate_response(response, checks=[CHECKS.get_one(name) for name in names])

    if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body or operation.path_parameters):
        return
    send()


def _remove_values_beyond_the_schema(case: Any) -> None:
    """Remove values that the schema cannot describe: cursors of earlier answers, patterns and languages."""
    if case.query:
        removed = {"cursor", "cluster", "path"} if "/dives" in case.operation.path else {"cursor"}
        removed |= {"fields"} if case.operation.path.endswith("/export") else set()  # only some formats have fields
        case.query = {name: value for name, value in case.query.items() if name not in removed}
    if isinstance(case.body, dict) and {"clusters", "match"} & set(case.body):
        case.body = {name: value for name, value in case.body.items() if name != "match"} | {"clusters": ["Guides"]}
    if isinstance(case.body, dict) and "question" in case.body:
        case.body = {
            **case.body,
            "question": f"What is {case.body['question']}?"[:2000],
        }  # a blank question is rejected
    if isinstance(case.body, dict) and isinstance(case.body.get("settings"), dict):
        plain = {name: value for name, value in case.body["settings"].items() if name not in FREE_TEXT_SETTINGS}
        case.body = {**case.body, "settings": plain}
