"""Recall of Headwater on sites with known page sets, measured by `make recall`."""
