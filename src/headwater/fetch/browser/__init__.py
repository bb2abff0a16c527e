"""Open pages in Chromium: the browser, its tabs, and the scripts that run in pages."""
