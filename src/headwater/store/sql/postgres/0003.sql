-- Stop requests for running scans (column `wish`), and indexes for browsing a fleet.
ALTER TABLE scan ADD COLUMN wish TEXT NOT NULL DEFAULT '';

CREATE INDEX scan_of_site ON scan (site, number);
CREATE INDEX site_in_state ON site (state, number);
