-- Facts from the head and the response headers of a page.
ALTER TABLE page ADD COLUMN description text;
ALTER TABLE page ADD COLUMN og_title text;
ALTER TABLE page ADD COLUMN og_image text;
ALTER TABLE page ADD COLUMN published text;
ALTER TABLE page ADD COLUMN modified text;
ALTER TABLE page ADD COLUMN robots text;
ALTER TABLE page ADD COLUMN alternates text;
ALTER TABLE page ADD COLUMN headers text;
ALTER TABLE page ADD COLUMN insecure_resources integer;
ALTER TABLE page ADD COLUMN size integer;
ALTER TABLE page ADD COLUMN response_ms integer;
