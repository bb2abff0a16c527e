"""The script that runs in every page and frame before its own scripts, put together from the parts in `scripts/`.

It notes where the page would lead, and answers our questions; whatever the page redefines later does not reach it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

from headwater.pages.links.harmful_actions import HARMFUL_PHRASES, build_harmful_word_table
from headwater.pages.links.regions import LANDMARK_SELECTOR
from headwater.pages.links.regions import REGION_BY_LANDMARK as REGIONS_OF

SCRIPT_PARTS = ("language", "hooks", "rest", "reading", "targets", "acting", "routers", "answers")


@lru_cache(maxsize=1)
def build_page_script(name: str, report: str, *, pointer_only: bool = False) -> str:
    """Return the parts as one function, with the names it answers and reports under, and what it does not click."""
    folder = files("headwater.fetch.browser") / "scripts"
    text = "\n".join((folder / f"{part}.js").read_text("utf-8") for part in SCRIPT_PARTS)
    harm = json.dumps({"words": build_harmful_word_table(), "phrases": list(HARMFUL_PHRASES)})
    landmarks = json.dumps({"selector": LANDMARK_SELECTOR, "regions": REGIONS_OF})
    text = text.replace("{{landmarks}}", landmarks).replace("{{pointer_only}}", json.dumps(pointer_only))
    text = text.replace("{{name}}", name).replace("{{report}}", report).replace("{{danger}}", harm)
    return f'(() => {{\n"use strict";\n{text}}})();\n'
