-- The text of pages, pages that have most of it in common, and values that users extract.
ALTER TABLE page ADD COLUMN word_count integer;
ALTER TABLE page ADD COLUMN text_language text;
ALTER TABLE page ADD COLUMN simhash bigint;
ALTER TABLE page ADD COLUMN minhash bytea;
ALTER TABLE page ADD COLUMN near_duplicate_of bigint;
ALTER TABLE page ADD COLUMN similarity double precision;
ALTER TABLE page ADD COLUMN extracted text;
-- The last check of each URL of another site.
CREATE TABLE external_check (identity bigint PRIMARY KEY, checked text NOT NULL, status integer, reason text NOT NULL);
