"""Analyze the text of a page: words, language, and hashes to compare pages by."""
