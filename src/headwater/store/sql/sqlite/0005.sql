-- A wish about a running scan, from whoever watches it.
ALTER TABLE scan ADD COLUMN wish TEXT NOT NULL DEFAULT '';
