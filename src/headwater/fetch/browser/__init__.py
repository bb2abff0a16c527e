"""Open pages in Chromium: the browser, its tabs, the proxy it must use, and the scripts that run in pages."""
