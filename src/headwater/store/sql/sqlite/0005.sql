-- Stop requests for running scans (column `wish`).
ALTER TABLE scan ADD COLUMN wish TEXT NOT NULL DEFAULT '';
