"""The fleet: processes that work sites in slices, over one PostgreSQL."""
