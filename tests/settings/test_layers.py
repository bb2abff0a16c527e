"""Precedence of flags, environment, file, preset and defaults; errors name the setting, its origin and what to use."""

from __future__ import annotations

import pytest

from headwater import SettingError, Settings
from headwater.settings import (
    SECTIONS,
    SETTINGS,
    Layer,
    build_environment_layer,
    build_file_layer,
    build_mapping_layer,
    build_settings,
    merge_layers,
    redact_value,
)


def test_higher_layers_override_lower_ones() -> None:
    flags = build_mapping_layer({"max_pages": "1"}, {"max_pages": "--max-pages"})
    environment = build_environment_layer({"HEADWATER_MAX_PAGES": "2", "HEADWATER_RETRIES": "2"})
    file = build_file_layer(
        {"preset": "scan", "limits": {"max_pages": 3}, "fetch": {"retries": 5, "delay": 5}}, "headwater.toml"
    )
    chosen = merge_layers([flags, environment, file])
    assert (chosen.settings.max_pages, chosen.settings.retries, chosen.settings.delay) == (1, 2, 5.0)
    assert (chosen.settings.max_depth, chosen.settings.language) == (2, "en")
    named = [chosen.origins[name] for name in ("max_pages", "retries", "delay", "max_depth", "language")]
    assert named == ["--max-pages", "HEADWATER_RETRIES", "headwater.toml", "preset scan", "default"]


def test_the_highest_layer_that_names_a_preset_wins() -> None:
    layers = [Layer(), build_environment_layer({"HEADWATER_PRESET": "docs"}), build_file_layer({"preset": "scan"}, "f")]
    assert merge_layers(layers, "crawl").preset == "docs"
    assert merge_layers([Layer()], "crawl").preset == "crawl"
    assert merge_layers([Layer()]).preset == "full"


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("URL_DISCOVERY_MAX_SITEMAP_URLS", "1000", "max_sitemap_urls", 1000),
        ("URL_DISCOVERY_MAX_SITEMAP_DEPTH", "5", "max_sitemap_depth", 5),
        ("URL_DISCOVERY_MAX_CRAWL_DEPTH", "2", "max_depth", 2),
        ("URL_DISCOVERY_MAX_CRAWL_PAGES", "200", "max_pages", 200),
        ("URL_DISCOVERY_CRAWL_TIMEOUT", "10000", "timeout", 10.0),
        ("HEADWATER_TIMEOUT", "500ms", "timeout", 0.5),
        ("HEADWATER_TIMEOUT", "2m", "timeout", 120.0),
        ("HEADWATER_MAX_DEPTH", "none", "max_depth", None),
        ("HEADWATER_MAX_DEPTH", "unlimited", "max_depth", None),
        ("HEADWATER_SUBDOMAINS", "yes", "subdomains", True),
        ("HEADWATER_SUBDOMAINS", "OFF", "subdomains", False),
        ("HEADWATER_STAGES", "crawl, nav", "stages", ("crawl", "nav")),
        ("HEADWATER_INCLUDE", "/a/* /b/*", "include", ("/a/*", "/b/*")),
        ("HEADWATER_INCLUDE", "none", "include", ()),
        ("HEADWATER_FORMAT", "JSONL", "format", "jsonl"),
        ("HEADWATER_OUTPUT", "none", "output", None),
        ("HEADWATER_LIST", "Duplicates", "list", "duplicates"),
        ("HEADWATER_LIST", "all", "list", "all"),
        ("HEADWATER_SPELLING", "normal", "spelling", "normal"),
        ("HEADWATER_CRAWL_FROM", "everything", "crawl_from", "everything"),
    ],
)
def test_environment_variables_are_parsed(variable: str, text: str, name: str, value: object) -> None:
    layer = build_environment_layer({variable: text, "HOME": "/root"})
    assert (layer.values, layer.origins) == ({name: value}, {name: variable})


def test_the_headwater_variable_overrides_its_alias() -> None:
    layer = build_environment_layer({"URL_DISCOVERY_MAX_CRAWL_PAGES": "1", "HEADWATER_MAX_PAGES": "2"})
    assert layer.values == {"max_pages": 2}


def test_variables_that_are_not_settings_are_ignored() -> None:
    others = {"HEADWATER_TOKEN": "x", "HEADWATER_TEST_POSTGRES": "y", "URL_DISCOVERY_OTHER": "z"}
    assert build_environment_layer(others).values == {}


@pytest.mark.parametrize(
    ("variables", "parts"),
    [
        ({"HEADWATER_MAX_PAGE": "3"}, ["max_page", "HEADWATER_MAX_PAGE", "did you mean max_pages"]),
        ({"HEADWATER_ZZZ": "3"}, ["zzz", "`headwater settings`"]),
        ({"HEADWATER_MAX_PAGES": "many"}, ["max_pages", "'many'", "HEADWATER_MAX_PAGES", "at least 1, or none"]),
        ({"HEADWATER_MAX_PAGES": "0"}, ["'0'", "at least 1"]),
        ({"HEADWATER_MAX_PAGES": "1.5"}, ["'1.5'", "whole number"]),
        ({"HEADWATER_MAX_PAGES": "-1"}, ["'-1'"]),
        ({"HEADWATER_MAX_PAGES": ""}, ["''"]),
        ({"HEADWATER_MAX_PARALLEL": "2000"}, ["from 1 to 1024"]),
        ({"HEADWATER_MAX_PARALLEL": "none"}, ["'none'", "from 1 to 1024"]),
        ({"HEADWATER_TIMEOUT": "3 parsecs"}, ["'3 parsecs'", "500ms"]),
        ({"HEADWATER_TIMEOUT": "1e999"}, ["timeout"]),
        ({"HEADWATER_RENDER": "maybe"}, ["'maybe'", "auto, always, never"]),
        ({"HEADWATER_STAGES": "crawl,fly"}, ["'crawl,fly'", "nav, sitemaps, crawl, render"]),
        ({"HEADWATER_SUBDOMAINS": "perhaps"}, ["true or false"]),
        ({"HEADWATER_OUTPUT": "a\nb"}, ["one line of text"]),
        ({"URL_DISCOVERY_CRAWL_TIMEOUT": "soon"}, ["timeout", "URL_DISCOVERY_CRAWL_TIMEOUT"]),
        ({"HEADWATER_PRESET": "fast"}, ["preset", "'fast'", "HEADWATER_PRESET", "full, waterfall"]),
        (
            {"HEADWATER_LIST": "page"},
            ["list", "'page'", "pages, redirects, duplicates, broken, files, skipped, all"],
        ),
        ({"HEADWATER_SPELLING": "short"}, ["spelling", "'short'", "answered, normal"]),
    ],
)
def test_errors_in_the_environment_name_the_variable(variables: dict[str, str], parts: list[str]) -> None:
    with pytest.raises(SettingError) as caught:
        merge_layers([build_environment_layer(variables)])
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.parametrize(
    ("document", "parts"),
    [
        ({"max_pagse": 3}, ["max_pagse", "headwater.toml", "did you mean max_pages"]),
        ({"fetch": {"max_pages": 3}}, ["[fetch]", "belongs under [limits]"]),
        ({"limits": {"nothing": 3}}, ["nothing"]),
        ({"limits": 3}, ["limits"]),
        ({"max_pages": True}, ["True", "whole number"]),
        ({"subdomains": 1}, ["subdomains"]),
        ({"include": [1]}, ["include"]),
        ({"timeout": float("nan")}, ["timeout"]),
        ({"max_pages": float("inf")}, ["max_pages"]),
        ({"language": ""}, ["language"]),
        ({"language": 3}, ["language"]),
    ],
)
def test_errors_in_a_file_name_the_file(document: dict[str, object], parts: list[str]) -> None:
    with pytest.raises(SettingError) as caught:
        build_file_layer(document, "headwater.toml")
    assert all(part in str(caught.value) for part in [*parts, "headwater.toml"]), str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"openai_api_key": "swordfish\n"},
        {"openai_api_key": ["swordfish"]},
        {"header": {"Authorization": "swordfish"}},
        {"credentials": [["swordfish"]]},
    ],
)
def test_errors_do_not_show_secrets(values: dict[str, object]) -> None:
    with pytest.raises(SettingError, match="the value is not allowed") as caught:
        build_file_layer(values, "headwater.toml")
    assert "swordfish" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "redacted"),
    [
        ("proxy", "http://u:swordfish@p:1", "http://p:1"),
        ("proxy", "u:swordfish@p:1", "p:1"),
        ("proxy", "p:1", "p:1"),
        ("db", "postgresql://u:swordfish@h/d?password=swordfish", "postgresql://h/d?password=hidden"),
        ("db", "me@home.db", "me@home.db"),
        ("openai_base_url", "https://u:swordfish@h/v1", "https://h/v1"),
    ],
)
def test_addresses_are_redacted(name: str, value: str, redacted: str) -> None:
    assert redact_value(name, value) == redacted


def test_files_may_have_sections_or_not() -> None:
    flat = build_file_layer({"max_pages": 3, "include": ["/a/*"], "timeout": "2s"}, "f")
    sections = build_file_layer(
        {"limits": {"max_pages": 3}, "scope": {"include": "/a/*"}, "fetch": {"timeout": 2}}, "f"
    )
    assert flat.values == sections.values == {"max_pages": 3, "include": ("/a/*",), "timeout": 2.0}


def test_settings_can_be_built_in_python() -> None:
    assert build_settings({"preset": "scan", "max_pages": 7}).max_pages == 7
    with pytest.raises(SettingError, match="max_page: no such setting; did you mean max_pages"):
        build_settings({"max_page": 7})
    with pytest.raises(SettingError, match="max_pages: 0 is not allowed"):
        Settings(max_pages=0)


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_every_row_of_the_table_is_complete(setting: object) -> None:
    row = SETTINGS[setting.name]  # type: ignore[attr-defined]
    assert row.section in SECTIONS
    assert row.help
    assert not row.help.endswith(".")
    assert row.kind.validate(row.default) == row.default
    assert row.kind.allowed


def test_names_are_unique() -> None:
    variables = [row.variable for row in SETTINGS.values()]
    flags = [flag for row in SETTINGS.values() for flag in (row.flag, *row.flags)]
    assert len(set(variables)) == len(variables)
    assert len(set(flags)) == len(flags)
