"""The heart: a response in, findings out."""

from headwater.examination.page import (
    examine,
    examine_in_steps,
    examine_redirect,
    examine_routes,
    examine_unchanged,
    united,
)
from headwater.examination.site import Site

__all__ = ["Site", "examine", "examine_in_steps", "examine_redirect", "examine_routes", "examine_unchanged", "united"]
