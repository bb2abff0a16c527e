"""Search the passages of a dive by words and by meaning."""
