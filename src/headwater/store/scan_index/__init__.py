"""A read-optimised copy of a scan, which answers any filter and order quickly."""
