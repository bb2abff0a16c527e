"""Check that the deployment files of the guides are valid and use existing commands, flags and variables."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from headwater.cli.main import COMMANDS, group
from headwater.settings import SETTINGS
from tests.commands import headwater
from tests.sites.table_site import table_site

GUIDES = Path(__file__).parent.parent / "docs" / "guides"
RUN_GUIDES = ("watch.md", "ci.md", "exports.md")
"""Guides whose commands are run."""

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


def read_commands(name: str) -> list[list[str]]:
    """Return the `headwater` command lines of a guide."""
    lines = (line[2:] for line in (GUIDES / name).read_text().splitlines() if line.startswith("$ headwater "))
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("name", sorted({path.name for path in GUIDES.glob("*.md")}.difference(RUN_GUIDES)))
def test_commands_of_guides_use_existing_flags(name: str) -> None:
    for program, *words in read_commands(name):
        is_short = words[0] not in COMMANDS
        check_command([program, *(["discover"] if is_short else []), *words])


def test_the_workflow_file_is_valid_and_uses_existing_flags() -> None:
    (workflow,) = load_documents("check-site.yaml")
    steps = workflow["jobs"]["check"]["steps"]
    commands = [shlex.split(step["run"]) for step in steps if step.get("run", "").startswith("headwater ")]
    assert [command[1] for command in commands] == ["audit"]
    for command in commands:
        check_command(command)
    served = next(step["run"] for step in steps if "http.server" in step.get("run", ""))
    assert all(value in served for value in ("8000", "public"))
    assert (commands[0][2], commands[0][-1]) == ("http://127.0.0.1:8000/", steps[-1]["with"]["sarif_file"])


PAGES = {
    "/": '<html lang="en"><title>Home</title><a href="/shop">Shop</a><a href="/nowhere">Broken</a>',
    "/shop": '<html lang="en"><title>Shop</title><p>Everything for sale</p>',
}
EXIT_CODES = {"audit": {0, 5}, "watch": {0}, "diff": {0, 4}, "history": {0}, "scans": {0}, "export": {0}}


@pytest.mark.parametrize("name", RUN_GUIDES)
def test_commands_of_a_guide_work_one_after_another(name: str, tmp_path: Path) -> None:
    with table_site(lambda _: PAGES) as site:
        if name == "exports.md":
            assert headwater("discover", site.origin, "--render", "never", cwd=tmp_path).code == 0
        for _, *words in read_commands(name):
            options = ["--render", "never"] if words[0] in {"watch", "audit"} else []
            options += ["--once"] if words[0] == "watch" and "--once" not in words else []
            words = [word.replace("https://example.com", site.origin) for word in words]  # noqa: PLW2901
            result = headwater(*words, *options, cwd=tmp_path)
            assert result.code in EXIT_CODES[words[0]], result
            if "-o" in words:
                assert (tmp_path / words[words.index("-o") + 1]).stat().st_size


def test_unknown_flags_are_rejected() -> None:
    with pytest.raises(click.NoSuchOption):
        check_command(["headwater", "serve", "--no-such-flag"])
