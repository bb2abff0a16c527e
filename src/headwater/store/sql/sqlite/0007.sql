-- Separate lists for redirects, duplicates and files; other spellings of a page, and the page it leads to.
ALTER TABLE page ADD COLUMN leads_to INTEGER;
ALTER TABLE page ADD COLUMN noindex INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN may_be_duplicate INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN text_hash INTEGER;
ALTER TABLE page ADD COLUMN other_urls TEXT NOT NULL DEFAULT '';

UPDATE page SET state = 6 WHERE state = 1 AND status IN (301, 302, 303, 307, 308);
UPDATE page SET state = 4 WHERE state = 2 AND reason = 'not-html';
UPDATE page SET status = 200, unchanged = 1 WHERE state = 1 AND status = 304;
-- The hash function for contents has changed.
UPDATE page SET content_hash = NULL WHERE content_hash IS NOT NULL;
