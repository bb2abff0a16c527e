"""Check that the deployment files of the guides are valid and use existing commands, flags and variables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from headwater.cli.main import group
from headwater.settings import SETTINGS

GUIDES = Path(__file__).parent.parent / "docs" / "guides"
VARIABLES = {f"HEADWATER_{name.upper()}" for name in SETTINGS} | {"HEADWATER_TOKEN"}


def load_documents(name: str) -> list[Any]:
    return list(yaml.safe_load_all((GUIDES / name).read_text()))


def find_containers(name: str) -> dict[str, tuple[list[str], list[str]]]:
    """Return the command and the variable names of each Headwater container."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for document in load_documents(name):
        for title, service in document.get("services", {}).items():
            if service["image"].startswith("headwater"):
                found[title] = (service["command"], list(service["environment"]))
        if document.get("kind") == "Deployment":
            for container in document["spec"]["template"]["spec"]["containers"]:
                variables = [variable["name"] for variable in container["env"]]
                found[container["name"]] = (container["command"], variables)
    return found


def check_command(command: list[str]) -> None:
    """Parse a `headwater` command line without running it."""
    program, name, *rest = command
    assert program == "headwater"
    known = group.get_command(click.Context(group), name)
    assert known is not None
    known.make_context(name, rest)


@pytest.mark.parametrize("name", ["compose.yaml", "kubernetes.yaml"])
def test_containers_use_existing_commands_and_variables(name: str) -> None:
    found = find_containers(name)
    assert set(found) == {"worker", "web"}
    for command, variables in found.values():
        check_command(command)
        assert {variable for variable in variables if variable.startswith("HEADWATER_")} <= VARIABLES
    command, variables = found["web"]
    assert command[:2] == ["headwater", "serve"]
    assert {"HEADWATER_DB", "HEADWATER_TOKEN"} <= set(variables)


def test_compose_dependencies_and_volumes_are_defined() -> None:
    (compose,) = load_documents("compose.yaml")
    services = compose["services"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
    assert {volume.partition(":")[0] for volume in services["database"]["volumes"]} == set(compose["volumes"])


def test_kubernetes_service_matches_its_deployment() -> None:
    by_kind: dict[str, dict[str, Any]] = {"Service": {}, "Deployment": {}}
    for resource in load_documents("kubernetes.yaml"):
        by_kind[resource["kind"]][resource["metadata"]["name"]] = resource["spec"]
    ((name, service),) = by_kind["Service"].items()
    web = by_kind["Deployment"][name]["template"]
    assert web["metadata"]["labels"] == service["selector"]
    (container,) = web["spec"]["containers"]
    assert {port["name"] for port in container["ports"]} == {port["targetPort"] for port in service["ports"]}


def test_unknown_flags_are_rejected() -> None:
    with pytest.raises(click.NoSuchOption):
        check_command(["headwater", "serve", "--no-such-flag"])
