-- The content of pages that may be views of other pages, or have views.
ALTER TABLE page ADD COLUMN sketch BLOB;
