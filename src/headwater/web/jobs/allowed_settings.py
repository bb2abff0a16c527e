"""Which settings a request may choose: none that names a file, lowers a guard or decides where results go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwater.fetch.egress import EgressPolicy, describe_blocked_address, get_host, get_loopback_host, is_ip_address
from headwater.settings import PRESETS, SECTIONS, SETTINGS, build_mapping_layer, merge_layers
from headwater.settings.value_kinds import Choice, Flag, Number, Text, TextList
from headwater.urls import Scope
from headwater.urls.parsing import parse_seed_url
from headwater.web.serving.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from headwater.settings import Layer, Setting, Settings

_DENIED = frozenset(
    """transaction_timeout batch_size format text_length quiet strict kinds list allow_private insecure header
    credentials""".split()
)
_ALLOWED_TEXTS = frozenset({"language"})
"""The only free texts that are offered: others may name a file, a program or a way out."""


def is_allowed(setting: Setting) -> bool:
    """Whether a request may choose it; all else is for whoever starts the server: by flags, environment or file."""
    return setting.name not in _DENIED and (not isinstance(setting.kind, Text) or setting.name in _ALLOWED_TEXTS)


ALLOWED_SETTINGS: Mapping[str, Setting] = {name: row for name, row in SETTINGS.items() if is_allowed(row)}
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
)
"""The few that matter; the others are folded away under the headings of their sections."""

MAX_SEEDS = 20
MAX_SEED_LENGTH = 2083


def group_other_settings() -> dict[str, list[Setting]]:
    """The settings that are folded away, by the titles of their sections."""
    rest = [row for name, row in ALLOWED_SETTINGS.items() if name not in MAIN_SETTINGS]
    found = {title: [row for row in rest if row.section == section] for section, title in SECTIONS.items()}
    return {title: rows for title, rows in found.items() if rows}


def merge_settings(
    given: Mapping[str, object], preset: str | None, layers: Sequence[Layer], fixed: Mapping[str, object]
) -> Settings:
    """The settings of a scan: what the request gives before what the server was started with."""
    for name in given:
        if name not in ALLOWED_SETTINGS:
            known = "only whoever starts the server decides it" if name in SETTINGS else "there is no such setting"
            raise Problem(422, known, name[:80])
    request = {**given, **({"preset": preset} if preset else {})}
    return merge_layers([build_mapping_layer(fixed), build_mapping_layer(request), *layers]).settings


def check_seeds(seeds: Sequence[str], settings: Settings) -> None:
    """Every seed can be requested, and none is a private address unless the server was started for it."""
    Scope.from_settings(seeds, settings)
    egress = EgressPolicy.from_allow_list(settings.allow_private)
    for seed in seeds:
        href = parse_seed_url(seed)
        host = get_host(href)
        address = "127.0.0.1" if get_loopback_host(href) and not is_ip_address(host) else host
        if (is_ip_address(host) or get_loopback_host(href)) and not egress.permits(host, address):
            raise Problem(403, f"{describe_blocked_address(host)}, when the server is started", "urls")


def make_setting_schema(setting: Setting) -> dict[str, Any]:
    """A setting's values as JSON Schema has it."""
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
    """What each preset makes of the settings that are offered."""
    return {
        name: {setting: value for setting, value in values.items() if setting in ALLOWED_SETTINGS}
        for name, values in PRESETS.items()
    }
