"""Parse an HTML page: its tree, head, HTTP headers, and signs that it needs a browser or a login."""
