"""Determine the languages of pages."""
