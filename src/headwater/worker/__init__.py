"""The fleet: worker processes that scan sites in slices, coordinated by one PostgreSQL database."""
