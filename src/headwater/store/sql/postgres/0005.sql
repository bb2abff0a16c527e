-- Separate lists for redirects, duplicates and files; other spellings of a page, and the page it leads to.
ALTER TABLE page ADD COLUMN leads_to bigint;
ALTER TABLE page ADD COLUMN noindex boolean NOT NULL DEFAULT false;
ALTER TABLE page ADD COLUMN unchanged boolean NOT NULL DEFAULT false;
ALTER TABLE page ADD COLUMN may_be_duplicate boolean NOT NULL DEFAULT false;
ALTER TABLE page ADD COLUMN text_hash bigint;
ALTER TABLE page ADD COLUMN other_urls text NOT NULL DEFAULT '';

UPDATE page SET state = 6 WHERE state = 1 AND status IN (301, 302, 303, 307, 308);
UPDATE page SET state = 4 WHERE state = 2 AND reason = 'not-html';
UPDATE page SET status = 200, unchanged = true WHERE state = 1 AND status = 304;
-- The hash function for contents has changed.
UPDATE page SET content_hash = NULL WHERE content_hash IS NOT NULL;
