-- A wish about a running scan, from whoever watches it; and indexes for those who look through a fleet.
ALTER TABLE scan ADD COLUMN wish TEXT NOT NULL DEFAULT '';

CREATE INDEX scan_of_site ON scan (site, number);
CREATE INDEX site_in_state ON site (state, number);
