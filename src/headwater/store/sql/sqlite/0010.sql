-- Facts from the head and the response headers of a page.
ALTER TABLE page ADD COLUMN description TEXT;
ALTER TABLE page ADD COLUMN og_title TEXT;
ALTER TABLE page ADD COLUMN og_image TEXT;
ALTER TABLE page ADD COLUMN published TEXT;
ALTER TABLE page ADD COLUMN modified TEXT;
ALTER TABLE page ADD COLUMN robots TEXT;
ALTER TABLE page ADD COLUMN alternates TEXT;
ALTER TABLE page ADD COLUMN headers TEXT;
ALTER TABLE page ADD COLUMN insecure_resources INTEGER;
ALTER TABLE page ADD COLUMN size INTEGER;
ALTER TABLE page ADD COLUMN response_ms INTEGER;
