"""The store's roles, implemented once for both dialects over a `Database`."""
