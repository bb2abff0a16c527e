"""The read-optimized copy of a scan, for lists on screens."""
