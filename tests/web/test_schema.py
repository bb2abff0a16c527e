"""The API keeps to its own document: schemathesis asks every route rightly and wrongly, over a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from headwater.web.openapi import make_document
from headwater.web.routes import API
from tests.web.serving import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.conftest import World

DOCUMENT = make_document(API, "headwater")
OPERATIONS: list[Any] = [
    result.ok()  # type: ignore[union-attr]
    for result in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
]
NAMES = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


def test_the_document_is_served_as_it_is_made(world: World) -> None:
    served = world.server.ask("/api/v1/openapi.json").json
    assert served["paths"] == DOCUMENT["paths"]
    assert {route.path for route in API} == set(served["paths"])


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module")
def dive(world: World) -> int:
    """A dive that every route about dives is asked for."""
    return world.server.dive(world.first, "Guides")


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_route_keeps_to_the_document(
    world: World, dive: int, session: requests.Session, operation: Any, mode: GenerationMode
) -> None:
    strategy = operation.as_strategy(generation_mode=mode)

    @settings(
        max_examples=6, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=st.data())
    def ask(data: Any) -> None:
        case = data.draw(strategy)
        if case.path_parameters and data.draw(st.booleans()):
            case.path_parameters = {**case.path_parameters, "scan": world.first, "dive": dive}
        if isinstance(case.body, dict) and case.body.get("urls"):
            case.body = {**case.body, "urls": ["http://10.0.0.1/"]}  # refused, so that no scan is started
        if mode is GenerationMode.POSITIVE and isinstance(case.body, dict) and "scan" in case.body:
            case.body = {**case.body, "scan": world.first}
        response = case.call(
            base_url=world.server.origin, headers={"Authorization": f"Bearer {TOKEN}"}, session=session, timeout=30,
        )  # fmt: skip
        case.validate_response(response, checks=[CHECKS.get_one(name) for name in NAMES])

    if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body or operation.path_parameters):
        return
    ask()
