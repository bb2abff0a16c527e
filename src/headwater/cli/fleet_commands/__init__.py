"""Commands that operate a fleet."""
