"""Commands that work with dives."""
