"""Login recipes are parsed completely before anything is requested; mistakes name the step and no values."""

from __future__ import annotations

import pytest

from headwater.pages.files.login_recipes import LoginStep, RecipeError, parse_recipe, resolve_values

SECRET = "s3cret"
RECIPE = f"""
start = "https://app.example.com/login"
origins = ["https://id.example.com/x"]
timeout = 5

[[steps]]
click = "#accept-cookies"
optional = true

[[steps]]
fill = "#user"
value = "{SECRET}"

[[steps]]
fill = "#password"
value = "env:APP_PASSWORD"

[[steps]]
wait = "nav"

[success]
url = "/home*"
text = "Log out"
"""


def test_a_complete_recipe() -> None:
    recipe = parse_recipe(RECIPE)
    assert recipe.start == "https://app.example.com/login"
    assert recipe.origins == ("https://app.example.com", "https://id.example.com")
    assert recipe.steps == (
        LoginStep("click", "#accept-cookies", is_optional=True),
        LoginStep("fill", "#user", SECRET),
        LoginStep("fill", "#password", "env:APP_PASSWORD"),
        LoginStep("wait", "nav"),
    )
    assert (recipe.timeout, recipe.obeys_robots, recipe.variables) == (5.0, True, ["APP_PASSWORD"])
    assert str(recipe.success) == "a URL that matches '/home*' and the text 'Log out'"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://app.example.com/home", True),
        ("https://app.example.com/home?tab=1#x", True),
        ("https://other.example.com/home", True),
        ("https://app.example.com/login?next=/home", False),
        ("about:blank", False),
    ],
)
def test_the_url_of_the_success_check(url: str, expected: bool) -> None:
    assert parse_recipe(RECIPE).success.matches_url(url) is expected


def test_values_come_from_variables() -> None:
    recipe = resolve_values(parse_recipe(RECIPE), {"APP_PASSWORD": "pw"})
    assert [step.value for step in recipe.steps] == ["", SECRET, "pw", ""]
    for variables in ({}, {"APP_PASSWORD": ""}):
        with pytest.raises(RecipeError, match=r"step 3 \(fill #password\): the environment variable APP_PASSWORD is"):
            resolve_values(parse_recipe(RECIPE), variables)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("timeout = 5", "timeout = ", "it is not valid TOML"),
        ("timeout = 5", "x = " + "[" * 5000, "it is not valid TOML"),
        ("timeout = 5", "timeout = 0", "timeout is not a number of seconds up to 600"),
        ("timeout = 5", "timeout = true", "timeout is not"),
        ("timeout = 5", "robots = 'maybe'", "robots is neither obey nor ignore"),
        ("timeout = 5", "timeuot = 5", "the recipe has the unknown key 'timeuot'; expected origins, robots, start"),
        ("https://app.example.com/login", "app.example.com/login", "start is not a URL"),
        ("https://app.example.com/login", "https://u:pw@app.example.com/", "start is not a URL .* no password"),
        ("https://app.example.com/login", "file:///etc/passwd", "start is not a URL"),
        ("https://id.example.com/x", "id.example.com", "origins is not a URL"),
        ('origins = ["https://id.example.com/x"]', "origins = 'x'", "origins is not a list"),
        ("steps", "step", "the recipe has the unknown key 'step'"),
        ('wait = "nav"', 'goto = "nav"', "step 4 has the unknown key 'goto'; expected click, fill"),
        ('wait = "nav"', "", "step 4 needs exactly one of fill, click, wait"),
        ('wait = "nav"', 'wait = "nav"\nclick = "a"', "step 4 needs exactly one"),
        ('wait = "nav"', "wait = 3", "step 4: wait is not one line of text"),
        ('wait = "nav"', 'wait = " "', "step 4: wait is not one line of text"),
        ('wait = "nav"', 'wait = "nav"\nvalue = "x"', "step 4: wait takes no value"),
        (f'value = "{SECRET}"', "", "step 2: fill needs a value"),
        (f'value = "{SECRET}"', "value = 7", "step 2: value is not a text"),
        ("env:APP_PASSWORD", "env:APP PASSWORD", "step 3: the value does not name an environment variable"),
        ("optional = true", "optional = 1", "step 1: optional is neither true nor false"),
        ("/home*", "re:(", "success: url: .* is not a valid RE2"),
        ("/home*", "home", "success: url: 'home' cannot match a URL"),
        ('url = "/home*"\ntext = "Log out"', "", "success needs url, text or both"),
        ("[success]", "[succes]", "unknown key 'succes'"),
    ],
)
def test_mistakes_name_the_place_and_no_value(old: str, new: str, problem: str) -> None:
    assert old in RECIPE
    with pytest.raises(RecipeError, match=problem) as error:
        parse_recipe(RECIPE.replace(old, new, 1) if old != "steps" else RECIPE.replace(old, new))
    assert SECRET not in str(error.value)


def test_limits() -> None:
    step = '[[steps]]\nclick = "a"\n'
    text = 'start = "https://e.com/"\n{}[success]\ntext = "x"\n'
    assert len(parse_recipe(text.format(step * 50)).steps) == 50
    with pytest.raises(RecipeError, match="steps is not a list of at most 50"):
        parse_recipe(text.format(step * 51))
    with pytest.raises(RecipeError, match=r"it has no \[\[steps\]\]"):
        parse_recipe(text.format(""))
    with pytest.raises(RecipeError, match=r"a table \[success\]"):
        parse_recipe('start = "https://e.com/"\n' + step)
