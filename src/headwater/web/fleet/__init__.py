"""The fleet over HTTP: routes, handlers, views and screens."""
