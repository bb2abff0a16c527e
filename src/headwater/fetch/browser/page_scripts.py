"""Build the script that runs in every page and frame before the page's own scripts, from the parts in `scripts/`.

It records the URLs that the page leads to, and provides functions for us to call. The page cannot change it, because it
keeps its own references to everything it uses.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

from headwater.pages.links.harmful_actions import HARMFUL_PHRASES, build_harmful_word_table
from headwater.pages.links.regions import LANDMARK_SELECTOR, REGION_BY_LANDMARK

SCRIPT_PARTS = ("intrinsics", "hooks", "settling", "reading", "targets", "interaction", "routers", "api")


@lru_cache(maxsize=1)
def build_page_script(name: str, report: str, *, pointer_only: bool = False) -> str:
    """Return the parts as one function; `name` is the global object for calls, `report` the binding for messages."""
    folder = files("headwater.fetch.browser") / "scripts"
    text = "\n".join((folder / f"{part}.js").read_text("utf-8") for part in SCRIPT_PARTS)
    harmful = json.dumps({"words": build_harmful_word_table(), "phrases": list(HARMFUL_PHRASES)})
    landmarks = json.dumps({"selector": LANDMARK_SELECTOR, "regions": REGION_BY_LANDMARK})
    text = text.replace("{{landmarks}}", landmarks).replace("{{pointer_only}}", json.dumps(pointer_only))
    text = text.replace("{{name}}", name).replace("{{report}}", report).replace("{{harmful}}", harmful)
    return f'(() => {{\n"use strict";\n{text}}})();\n'
