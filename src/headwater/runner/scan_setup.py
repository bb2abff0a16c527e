"""Check seeds and settings before a scan is stored, and keep secrets out of it: they are used, but never stored."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from headwater.fetch.credentials import split_userinfo
from headwater.pages.extraction import compile_extractors
from headwater.settings import SETTINGS, redact_value
from headwater.urls import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.settings import Settings


def check_settings(seeds: Sequence[str], settings: Settings) -> None:
    """Raise UrlError or SettingError for mistakes that only the start of a scan would notice."""
    Scope.from_settings(seeds, settings)
    compile_extractors(settings.extract)


def extract_credentials(seeds: Sequence[str], settings: Settings) -> tuple[list[str], Settings]:
    """Return the seeds without user information, and settings with it as credentials of their origins."""
    cleaned = [split_userinfo(seed) for seed in seeds]
    credentials = (*settings.credentials, *(line for _, line in cleaned if line))
    return [seed for seed, _ in cleaned], replace(settings, credentials=credentials)


def public_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that a store keeps: no secrets, and proxies without their passwords."""
    return {
        name: redact_value(name, value)
        for name, value in asdict(settings).items()
        if not getattr(SETTINGS[name].kind, "secret", False)
    }
