"""Protocols of a store, one for each role; a function asks for the smallest role it needs."""
