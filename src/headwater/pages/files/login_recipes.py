"""Parse login recipes: a start page, steps that fill in and send its form, and a check that shows the success.

Messages name the step and never contain values, because those are secrets.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from headwater.errors import SettingError
from headwater.urls.parsing import get_origin, serialize_url
from headwater.urls.patterns import UrlPattern, compile_patterns

if TYPE_CHECKING:
    from collections.abc import Mapping

Action = Literal["fill", "click", "wait"]
ACTIONS: tuple[Action, ...] = get_args(Action)
MAX_RECIPE_BYTES = 100_000
MAX_STEPS = 50
MAX_ORIGINS = 10
MAX_TEXT = 2000
MAX_TIMEOUT = 600
VARIABLE_PREFIX = "env:"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP_KEYS = frozenset({*ACTIONS, "value", "optional"})
_RECIPE_KEYS = frozenset({"start", "steps", "success", "origins", "timeout", "robots"})


class RecipeError(ValueError):
    """A mistake in a recipe; the message names the step and contains no values."""


class LoginStep(NamedTuple):
    """One action on the element that a selector finds; `value` is a text, or `env:NAME` for a variable."""

    action: Action
    selector: str
    value: str = ""
    is_optional: bool = False


class SuccessCheck(NamedTuple):
    """The URL and the text of a page that only a logged-in user sees; one of them may be missing."""

    url: UrlPattern | None = None
    text: str = ""

    def matches_url(self, url: str) -> bool:
        """Return True if the URL of a page is one that the check expects."""
        return self.url is None or self.url.matches(url, url[len(get_origin(url)) :].partition("#")[0])

    def __str__(self) -> str:
        parts = [f"a URL that matches {self.url.text!r}"] if self.url is not None else []
        return " and ".join([*parts, *([f"the text {self.text!r}"] if self.text else [])])


class LoginRecipe(NamedTuple):
    """A recipe; forms may be sent to its `origins` only. `timeout` is the time for each step in seconds."""

    start: str
    steps: tuple[LoginStep, ...]
    success: SuccessCheck
    origins: tuple[str, ...]
    timeout: float | None = None
    obeys_robots: bool = True

    @property
    def variables(self) -> list[str]:
        """The names of the environment variables that hold values."""
        values = (step.value for step in self.steps if step.value.startswith(VARIABLE_PREFIX))
        return list(dict.fromkeys(value.removeprefix(VARIABLE_PREFIX) for value in values))


def parse_recipe(text: str) -> LoginRecipe:
    """Parse a recipe; raise RecipeError if it cannot be carried out."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):  # the parser's own message may quote a value
        raise RecipeError("it is not valid TOML") from None
    _check_keys(document, _RECIPE_KEYS, "the recipe")
    start = _parse_url(document.get("start"), "start")
    origins = _parse_list(document.get("origins", []), "origins", MAX_ORIGINS)
    rows = _parse_list(document.get("steps", []), "steps", MAX_STEPS)
    if not rows:
        raise RecipeError("it has no [[steps]]")
    return LoginRecipe(
        start,
        tuple(_parse_step(number, row) for number, row in enumerate(rows, 1)),
        _parse_success(document.get("success")),
        tuple(dict.fromkeys((get_origin(start), *(get_origin(_parse_url(one, "origins")) for one in origins)))),
        _parse_timeout(document.get("timeout")),
        _parse_robots(document.get("robots", "obey")),
    )


def resolve_values(recipe: LoginRecipe, variables: Mapping[str, str]) -> LoginRecipe:
    """Return the recipe with the values of the variables; raise RecipeError if one is not set."""
    return recipe._replace(
        steps=tuple(_resolve_value(number, step, variables) for number, step in enumerate(recipe.steps, 1))
    )


def describe_step(number: int, step: LoginStep) -> str:
    """Return for example `step 2 (fill #password)`."""
    return f"step {number} ({step.action} {step.selector})"


def _resolve_value(number: int, step: LoginStep, variables: Mapping[str, str]) -> LoginStep:
    if not step.value.startswith(VARIABLE_PREFIX):
        return step
    name = step.value.removeprefix(VARIABLE_PREFIX)
    if not variables.get(name):
        raise RecipeError(f"{describe_step(number, step)}: the environment variable {name} is not set")
    return step._replace(value=variables[name])


def _parse_step(number: int, row: object) -> LoginStep:
    place = f"step {number}"
    if not isinstance(row, dict):
        raise RecipeError(f"{place} is not a table")
    _check_keys(row, _STEP_KEYS, place)
    actions = [action for action in ACTIONS if action in row]
    if len(actions) != 1:
        raise RecipeError(f"{place} needs exactly one of {', '.join(ACTIONS)}")
    (action,) = actions
    selector = _parse_text(row[action], f"{place}: {action}")
    is_optional = row.get("optional", False)
    if not isinstance(is_optional, bool):
        raise RecipeError(f"{place}: optional is neither true nor false")
    if (action == "fill") != ("value" in row):
        raise RecipeError(f"{place}: {'fill needs a value' if action == 'fill' else f'{action} takes no value'}")
    return LoginStep(action, selector, _parse_value(row, place) if action == "fill" else "", is_optional)


def _parse_value(row: Mapping[str, Any], place: str) -> str:
    value = row["value"]
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise RecipeError(f"{place}: value is not a text of at most {MAX_TEXT:,} characters")
    if value.startswith(VARIABLE_PREFIX) and not _VARIABLE.fullmatch(value.removeprefix(VARIABLE_PREFIX)):
        raise RecipeError(f"{place}: the value does not name an environment variable; expected env:NAME")
    return value


def _parse_success(row: object) -> SuccessCheck:
    if not isinstance(row, dict):
        raise RecipeError("it needs a table [success] with url, text or both")
    _check_keys(row, frozenset({"url", "text"}), "success")
    text = _parse_text(row["text"], "success: text") if "text" in row else ""
    if not row:
        raise RecipeError("success needs url, text or both")
    return SuccessCheck(_parse_pattern(row["url"]) if "url" in row else None, text)


def _parse_pattern(value: object) -> UrlPattern:
    try:
        (pattern,) = compile_patterns([_parse_text(value, "success: url")], "url")
    except SettingError as error:
        raise RecipeError(f"success: url: {error.problem}") from None
    return pattern


def _parse_text(value: object, place: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT or not value.isprintable():
        raise RecipeError(f"{place} is not one line of text of at most {MAX_TEXT:,} characters")
    return value.strip()


def _parse_url(value: object, place: str) -> str:
    href = serialize_url(value) if isinstance(value, str) and value.startswith(("http://", "https://")) else None
    if href is None or "@" in href.partition("://")[2].partition("/")[0]:
        raise RecipeError(f"{place} is not a URL that begins with http:// or https:// and has no password")
    return href


def _parse_list(value: object, place: str, limit: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > limit:
        raise RecipeError(f"{place} is not a list of at most {limit}")
    return value


def _parse_timeout(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MAX_TIMEOUT:
        raise RecipeError(f"timeout is not a number of seconds up to {MAX_TIMEOUT}")
    return float(value)


def _parse_robots(value: object) -> bool:
    if value not in {"obey", "ignore"}:
        raise RecipeError("robots is neither obey nor ignore")
    return value == "obey"


def _check_keys(table: Mapping[str, object], allowed: frozenset[str], place: str) -> None:
    unknown = sorted(table.keys() - allowed)
    if unknown:
        raise RecipeError(f"{place} has the unknown key {unknown[0][:40]!r}; expected {', '.join(sorted(allowed))}")
