"""Scan a list of sites on one machine: several at once, in one or more processes, each with a fair share of time."""
