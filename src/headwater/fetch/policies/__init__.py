"""Wrappers around a fetcher, one rule each: redirects, robots.txt, retries, politeness, leases."""
