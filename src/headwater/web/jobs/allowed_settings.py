"""Settings that a request may choose: none that names a file, weakens a protection or decides where results go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.fetch.egress import EgressPolicy, get_host, get_loopback_host, is_ip_address
from headwater.runner.scan_setup import check_settings
from headwater.settings import PRESETS, SECTIONS, SETTINGS, build_mapping_layer, merge_layers
from headwater.settings.value_kinds import Choice, Flag, Number, Text, TextList
from headwater.urls.parsing import parse_seed_url
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.settings import Layer, Setting, Settings

_DENIED = frozenset(
    """transaction_timeout batch_size format text_length quiet strict kinds list fields sort allow_private insecure
    header credentials""".split()
)
_ALLOWED_TEXTS = frozenset({"language"})
"""The only free-text settings on offer; the others may name a file, a program or a proxy."""

MAIN_SETTINGS = (
    "max_depth",
    "max_pages",
    "delay",
    "max_parallel",
    "subdomains",
    "always_crawl",
    "include",
    "exclude",
    "links",
    "analyze",
    "check_external",
)
"""Settings that the start screen shows first; it folds the others away by section."""

MAX_SEEDS = 20
MAX_SEED_LENGTH = 2083


def is_allowed(setting: Setting) -> bool:
    """Return True if a request may choose the setting; flags, environment and files of the server set the others."""
    return setting.name not in _DENIED and (not isinstance(setting.kind, Text) or setting.name in _ALLOWED_TEXTS)


ALLOWED_SETTINGS: Mapping[str, Setting] = {name: row for name, row in SETTINGS.items() if is_allowed(row)}


def group_other_settings() -> dict[str, list[Setting]]:
    """Return the settings besides the main ones, by the titles of their sections."""
    rest = [row for name, row in ALLOWED_SETTINGS.items() if name not in MAIN_SETTINGS]
    found = {title: [row for row in rest if row.section == section] for section, title in SECTIONS.items()}
    return {title: rows for title, rows in found.items() if rows}


def merge_settings(
    given: Mapping[str, object], preset: str | None, layers: Sequence[Layer], fixed: Mapping[str, object]
) -> Settings:
    """Return the settings of a scan: the request overrides what the server was started with."""
    for name in given:
        if name not in ALLOWED_SETTINGS:
            problem = "only the server can set this setting" if name in SETTINGS else "unknown setting"
            raise Problem(422, problem, name[:80])
    request = {**given, **({"preset": preset} if preset else {})}
    return merge_layers([build_mapping_layer(fixed), build_mapping_layer(request), *layers]).settings


def check_seeds(seeds: Sequence[str], settings: Settings) -> None:
    """Raise Problem if a seed is a private address that the server was not started for; raise UrlError if invalid."""
    check_settings(seeds, settings)
    egress = EgressPolicy.from_allow_list(settings.allow_private)
    for seed in seeds:
        href = parse_seed_url(seed)
        host = get_host(href)
        address = "127.0.0.1" if get_loopback_host(href) and not is_ip_address(host) else host
        if (is_ip_address(host) or get_loopback_host(href)) and not egress.permits(host, address):
            raise Problem(
                403, f"{host} is a private address. Start the server with --allow-private to allow it", "urls"
            )


def make_settings_schema() -> dict[str, Any]:
    """Return the JSON Schema of the settings that a request may choose."""
    properties = {name: _make_setting_schema(setting) for name, setting in ALLOWED_SETTINGS.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _make_setting_schema(setting: Setting) -> dict[str, Any]:
    kind, about = setting.kind, {"description": setting.help}
    if isinstance(kind, Flag):
        return {"type": "boolean", **about}
    if isinstance(kind, Choice):
        return {"type": "string", "enum": list(kind.options), **about}
    if isinstance(kind, TextList):
        items = {"type": "string", "minLength": 1, **({"enum": list(kind.options)} if kind.options else {})}
        return {"type": "array", "items": items, **about}
    if isinstance(kind, Number):
        name = "integer" if kind.whole else "number"
        bounds = {"minimum": kind.minimum, **({} if kind.maximum is None else {"maximum": kind.maximum})}
        return {"type": [name, "null"] if kind.optional else name, **bounds, **about}
    return {"type": ["string", "null"] if getattr(kind, "optional", False) else "string", "minLength": 1, **about}


def list_preset_values() -> dict[str, dict[str, object]]:
    """Return the values that each preset gives to the settings on offer."""
    return {
        name: {setting: value for setting, value in values.items() if setting in ALLOWED_SETTINGS}
        for name, values in PRESETS.items()
    }
