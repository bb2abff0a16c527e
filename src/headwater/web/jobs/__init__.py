"""Run scans and dives in worker processes on behalf of the web server."""
