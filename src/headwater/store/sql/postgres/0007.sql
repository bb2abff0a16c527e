-- The first h1 of a page, for search.
ALTER TABLE page ADD COLUMN heading text;
