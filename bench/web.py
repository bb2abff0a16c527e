"""How fast the web page answers with a million pages in the store: every facet, every sort, a text, an export."""

from __future__ import annotations
