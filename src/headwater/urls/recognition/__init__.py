"""Recognize what a URL leads to: a file, a login form, a harmful action, a page of a list."""
