"""Decide when to send requests and when to scan again: rate limits, retries, hosts that do not answer, intervals."""
