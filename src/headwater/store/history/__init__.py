"""Pages over several scans of a site: when each was new, changed, gone, moved or back."""
