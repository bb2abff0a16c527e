-- Lists of sites that are scanned in parallel, the first page of each scan, and scans by their seeds.
CREATE TABLE list (
    number     INTEGER PRIMARY KEY,
    settings   TEXT NOT NULL,
    after_scan INTEGER NOT NULL,
    started    TEXT NOT NULL
);

CREATE TABLE list_site (
    number    INTEGER PRIMARY KEY,
    list      INTEGER NOT NULL,
    host      TEXT NOT NULL,
    seeds     TEXT NOT NULL,
    state     TEXT NOT NULL DEFAULT 'waiting',
    turn      INTEGER NOT NULL DEFAULT 0,
    due       REAL NOT NULL DEFAULT 0,
    scan      INTEGER,
    pages     INTEGER NOT NULL DEFAULT 0,
    missing   INTEGER NOT NULL DEFAULT 0,
    reason    TEXT NOT NULL DEFAULT '',
    UNIQUE (list, host)
);

CREATE INDEX list_site_waiting ON list_site (list, turn, number) WHERE state = 'waiting';
CREATE INDEX list_site_scan ON list_site (scan);

-- Pages of a scan have higher numbers, so that counting them does not read the pages of earlier scans.
ALTER TABLE scan ADD COLUMN first_page INTEGER NOT NULL DEFAULT 0;

CREATE INDEX scan_seeds ON scan (seeds, number);
