"""The deployments in the guides can be read, and every command, flag and variable they name exists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from headwater.cli.main import group
from headwater.settings import SETTINGS

GUIDES = Path(__file__).parent.parent / "docs" / "guides"
KNOWN = {f"HEADWATER_{name.upper()}" for name in SETTINGS} | {"HEADWATER_TOKEN"}


def documents(name: str) -> list[Any]:
    return list(yaml.safe_load_all((GUIDES / name).read_text()))


def containers(name: str) -> dict[str, tuple[list[str], list[str]]]:
    """The command of each container of ours, and the names of its variables."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for document in documents(name):
        for title, service in document.get("services", {}).items():
            if service["image"].startswith("headwater"):
                found[title] = (service["command"], list(service["environment"]))
        if document.get("kind") == "Deployment":
            for one in document["spec"]["template"]["spec"]["containers"]:
                found[one["name"]] = (one["command"], [variable["name"] for variable in one["env"]])
    return found


def check(command: list[str]) -> None:
    """A command line is one that `headwater` understands; it is read, not run."""
    program, name, *rest = command
    assert program == "headwater"
    known = group.get_command(click.Context(group), name)
    assert known is not None
    known.make_context(name, rest)


@pytest.mark.parametrize("name", ["compose.yaml", "kubernetes.yaml"])
def test_what_the_guides_start_exists(name: str) -> None:
    found = containers(name)
    assert set(found) == {"worker", "web"}
    for command, variables in found.values():
        check(command)
        assert {variable for variable in variables if variable.startswith("HEADWATER_")} <= KNOWN
    command, variables = found["web"]
    assert command[:2] == ["headwater", "serve"]
    assert {"HEADWATER_DB", "HEADWATER_TOKEN"} <= set(variables)


def test_services_depend_on_what_is_there() -> None:
    (compose,) = documents("compose.yaml")
    services = compose["services"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
    assert {volume.partition(":")[0] for volume in services["database"]["volumes"]} == set(compose["volumes"])


def test_ports_and_selectors_of_kubernetes_fit() -> None:
    by_kind: dict[str, dict[str, Any]] = {"Service": {}, "Deployment": {}}
    for one in documents("kubernetes.yaml"):
        by_kind[one["kind"]][one["metadata"]["name"]] = one["spec"]
    ((name, service),) = by_kind["Service"].items()
    web = by_kind["Deployment"][name]["template"]
    assert web["metadata"]["labels"] == service["selector"]
    (container,) = web["spec"]["containers"]
    assert {port["name"] for port in container["ports"]} == {port["targetPort"] for port in service["ports"]}


def test_a_flag_that_does_not_exist_would_be_noticed() -> None:
    with pytest.raises(click.NoSuchOption):
        check(["headwater", "serve", "--no-such-flag"])
