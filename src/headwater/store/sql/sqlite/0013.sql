-- The text of pages, pages that have most of it in common, and values that users extract.
ALTER TABLE page ADD COLUMN word_count INTEGER;
ALTER TABLE page ADD COLUMN text_language TEXT;
ALTER TABLE page ADD COLUMN simhash INTEGER;
ALTER TABLE page ADD COLUMN minhash BLOB;
ALTER TABLE page ADD COLUMN near_duplicate_of INTEGER;
ALTER TABLE page ADD COLUMN similarity REAL;
ALTER TABLE page ADD COLUMN extracted TEXT;
-- The last check of each URL of another site.
CREATE TABLE external_check (identity INTEGER PRIMARY KEY, checked TEXT NOT NULL, status INTEGER, reason TEXT NOT NULL);
