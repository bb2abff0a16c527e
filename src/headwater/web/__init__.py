"""The web server: screens and API to start scans, browse their results, and search and ask dives."""
