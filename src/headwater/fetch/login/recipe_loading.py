"""Read the recipe that --login names, and the values that it takes from the environment."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.pages.files.login_recipes import MAX_RECIPE_BYTES, RecipeError, parse_recipe, resolve_values

if TYPE_CHECKING:
    from headwater.pages.files.login_recipes import LoginRecipe
    from headwater.settings import Settings


def load_recipe(settings: Settings) -> LoginRecipe | None:
    """Return the recipe with its values; None without --login. Raise SettingError if it cannot be carried out."""
    if settings.login is None:
        if settings.session is not None:
            raise SettingError("session", "it needs --login; pass a session that you have with --storage-state FILE")
        return None
    try:
        return resolve_values(_read_recipe(Path(settings.login)), os.environ)
    except RecipeError as error:
        raise SettingError("login", f"{settings.login}: {error}") from None


def is_exposed(path: Path) -> bool:
    """Return True if a recipe holds all values itself, so the password too, and other users can read it."""
    can_be_read = path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    return bool(can_be_read) and not _read_recipe(path).variables


def _read_recipe(path: Path) -> LoginRecipe:
    try:
        if path.stat().st_size > MAX_RECIPE_BYTES:
            raise RecipeError(f"it is larger than {MAX_RECIPE_BYTES:,} bytes")
        return parse_recipe(path.read_text("utf-8"))
    except OSError as error:
        raise SettingError("login", f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecipeError("it is not text in UTF-8") from None
