"""Parse an HTML page: its tree, head, HTTP headers, language, hashes, and signs that it needs a browser."""
