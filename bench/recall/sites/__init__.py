"""All sites of the recall measurement."""

from __future__ import annotations

from bench.recall.sites import archives, catalogues, markup, native_tools, node_tools, python_tools, views

SITES = (
    *python_tools.SITES,
    *native_tools.SITES,
    *node_tools.SITES,
    *catalogues.SITES,
    *archives.SITES,
    *markup.SITES,
    *views.SITES,
)
