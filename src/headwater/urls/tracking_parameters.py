"""Query parameters that track visitors and do not change the content of a page."""

from __future__ import annotations

TRACKING_PREFIXES = ("utm_", "mtm_", "matomo_", "pk_", "hsa_", "__hs", "oly_", "vero_")

TRACKING_PARAMETERS = frozenset(
    {
        "_ga", "_gl", "_hsenc", "_hsmi", "_kx", "_openstat", "dclid", "ef_id", "epik", "fbclid", "gad_source",
        "gbraid", "gclid", "gclsrc", "igshid", "irclickid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "msclkid",
        "rb_clickid", "s_cid", "s_kwcid", "srsltid", "ttclid", "twclid", "wbraid", "wickedid", "yclid", "ysclid",
    }
)  # fmt: skip


def is_tracking_parameter(name: str) -> bool:
    """Return True if a query parameter of this name only tracks visitors."""
    lowered = name.lower()
    return lowered in TRACKING_PARAMETERS or lowered.startswith(TRACKING_PREFIXES)
