"""Dives over HTTP: routes, handlers, views and screens."""
