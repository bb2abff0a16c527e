"""Links between pages, packed in blocks."""
