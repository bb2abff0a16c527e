"""Check that the commands and files of the guides are valid and use existing commands, flags and variables."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
import yaml

from headwater.cli.main import group
from headwater.settings import SETTINGS
from tests.commands import PATIENCE, headwater
from tests.sites.members import PASSWORD, Members, members_site
from tests.sites.table_site import Answer, table_site

if TYPE_CHECKING:
    from tests.commands import Result

GUIDES = Path(__file__).parent.parent / "docs" / "guides"
RUN_GUIDES = ("watch.md", "ci.md", "exports.md")
"""Guides whose commands are run one after another."""

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


def find_blocks(name: str, language: str) -> list[str]:
    """Return the code blocks of a guide that are marked with a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (GUIDES / name).read_text(), re.M | re.S)


def find_commands(name: str) -> list[list[str]]:
    """Return the `headwater` commands of a guide, without continuation lines, comments and redirections."""
    lines = [line for block in find_blocks(name, "console") for line in block.replace("\\\n", "").splitlines()]
    commands = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines if line.startswith("$ headwater")]
    return [command[: command.index("|")] if "|" in command else command for command in commands]


PARSED_GUIDES = sorted({path.name for path in GUIDES.glob("*.md")}.difference(RUN_GUIDES))
COMMANDS = [(name, command) for name in PARSED_GUIDES for command in find_commands(name)]


@pytest.mark.parametrize(("guide", "command"), COMMANDS, ids=[f"{name} {shlex.join(one)}" for name, one in COMMANDS])
def test_commands_of_guides_have_existing_flags(guide: str, command: list[str]) -> None:
    program, *rest = command
    is_short = rest[0].startswith(("-", "http"))
    check_command([program, "discover", *rest] if is_short else command)


def run_guide(command: list[str], origin: str, folder: Path, **variables: str) -> Result:
    """Run a command of a guide for a site of our own."""
    arguments = [re.sub(r"https://[a-z]+\.example\.com", origin, one) for one in command[1:]]
    return headwater(*arguments, environment=variables, cwd=folder)


def test_the_recipe_of_the_login_guide(tmp_path: Path) -> None:
    (recipe,) = find_blocks("login.md", "toml")
    with members_site(Members()) as server:
        (tmp_path / "intranet.toml").write_text(recipe.replace("https://intranet.example.com", server.origin))
        command = next(one for one in find_commands("login.md") if "--login" in one)
        variables = {"INTRANET_PASSWORD": PASSWORD, "HEADWATER_RENDER": "never"}
        result = run_guide(command, server.origin, tmp_path, HEADWATER_RENDER_TIMEOUT=str(PATIENCE), **variables)
    assert result.out.splitlines() == [f"{server.origin}{path}" for path in ("/", "/a", "/b", "/c")], result.err
    assert (tmp_path / "intranet.toml.session.json").is_file()


def test_the_commands_of_the_guide_to_applications(tmp_path: Path) -> None:
    commands = find_commands("javascript.md")
    first = next(one for one in commands if len(one) == 2 and one[1].startswith("https"))
    export = next(one for one in commands if one[1] == "export")
    shell = (
        "<title>App</title><div id=root></div><script>fetch('/api/menu').then(one => one.json()).then(pages => {"
        " root.innerHTML = pages.map(page => `<a href=${page}>${page}</a>`).join('') + location.pathname })</script>"
    )
    pages: dict[str, Answer | str] = dict.fromkeys(("/", "/a", "/b"), shell)
    pages["/api/menu"] = Answer('["/a", "/b"]', type="application/json")
    with table_site(lambda _: pages) as site:
        found = run_guide(first, site.origin, tmp_path, HEADWATER_RENDER_TIMEOUT=str(PATIENCE))
        listed = run_guide(export, site.origin, tmp_path)
    assert found.out.splitlines() == [f"{site.origin}{path}" for path in ("/", "/a", "/b")], found.err
    assert listed.out.splitlines()[1].startswith(f"{site.origin}/api/menu,GET,{site.origin}/"), listed


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
        for _, *words in find_commands(name):
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
