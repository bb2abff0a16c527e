-- Scans, their pages, and the links between them.
CREATE TABLE scan (
    number   INTEGER PRIMARY KEY,
    seeds    TEXT NOT NULL,
    settings TEXT NOT NULL,
    state    TEXT NOT NULL,
    started  TEXT NOT NULL,
    finished TEXT
);

CREATE TABLE page (
    id            INTEGER PRIMARY KEY,
    scan          INTEGER NOT NULL,
    identity      INTEGER NOT NULL,
    key           TEXT NOT NULL,
    url           TEXT NOT NULL,
    fetch_url     TEXT,
    kind          TEXT NOT NULL,
    depth         INTEGER NOT NULL,
    hops          INTEGER NOT NULL,
    redirects     INTEGER NOT NULL,
    is_suspect    INTEGER NOT NULL,
    parent        INTEGER NOT NULL,
    source        TEXT NOT NULL,
    region        TEXT NOT NULL,
    text          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    state         INTEGER NOT NULL,
    status        INTEGER,
    title         TEXT,
    language      TEXT,
    content_type  TEXT,
    canonical     TEXT,
    etag          TEXT,
    last_modified TEXT,
    first_seen    TEXT NOT NULL,
    last_seen     TEXT
);

CREATE UNIQUE INDEX page_identity ON page (scan, identity);

-- State 0: candidates.
CREATE INDEX page_waiting ON page (scan, depth, id) WHERE state = 0;

CREATE TABLE link (
    scan    INTEGER NOT NULL,
    source  INTEGER NOT NULL,
    target  INTEGER NOT NULL,
    element TEXT NOT NULL,
    PRIMARY KEY (scan, source, target)
) WITHOUT ROWID;

CREATE TABLE skipped (
    scan   INTEGER NOT NULL,
    reason TEXT NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (scan, reason)
) WITHOUT ROWID;
