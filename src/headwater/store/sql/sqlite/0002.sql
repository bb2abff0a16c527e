-- Evidence and events, data from sitemaps, navigation and classification, and the sites of scans.
CREATE TABLE site (
    number     INTEGER PRIMARY KEY,
    origin     TEXT NOT NULL UNIQUE,
    first_seen TEXT NOT NULL
);

ALTER TABLE scan ADD COLUMN site INTEGER;
ALTER TABLE scan ADD COLUMN previous INTEGER;

ALTER TABLE page ADD COLUMN sources INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN element TEXT NOT NULL DEFAULT '';
ALTER TABLE page ADD COLUMN attribute TEXT NOT NULL DEFAULT '';
ALTER TABLE page ADD COLUMN evidence INTEGER;
ALTER TABLE page ADD COLUMN importance REAL;
ALTER TABLE page ADD COLUMN lastmod TEXT;
ALTER TABLE page ADD COLUMN changefreq TEXT;
ALTER TABLE page ADD COLUMN sitemap_priority REAL;
ALTER TABLE page ADD COLUMN hreflang TEXT;
ALTER TABLE page ADD COLUMN content_hash INTEGER;
ALTER TABLE page ADD COLUMN change TEXT;
ALTER TABLE page ADD COLUMN inlinks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN priority REAL;
ALTER TABLE page ADD COLUMN skip_scrape INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;

CREATE TABLE evidence (
    number   INTEGER PRIMARY KEY,
    scan     INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    url      TEXT NOT NULL,
    parent   INTEGER,
    success  INTEGER NOT NULL,
    status   INTEGER,
    error    TEXT NOT NULL,
    content  TEXT NOT NULL,
    started  TEXT NOT NULL,
    finished TEXT NOT NULL
);

CREATE INDEX evidence_of_scan ON evidence (scan, kind);

CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    scan   INTEGER NOT NULL,
    at     TEXT NOT NULL,
    kind   TEXT NOT NULL,
    data   TEXT NOT NULL
);

CREATE INDEX event_of_scan ON event (scan, number);

CREATE TABLE cluster (
    number INTEGER PRIMARY KEY,
    scan   INTEGER NOT NULL,
    name   TEXT NOT NULL,
    kind   TEXT NOT NULL,
    title  TEXT NOT NULL,
    UNIQUE (scan, name)
);

CREATE TABLE page_cluster (
    cluster INTEGER NOT NULL,
    page    INTEGER NOT NULL,
    PRIMARY KEY (cluster, page)
) WITHOUT ROWID;

CREATE INDEX page_clusters ON page_cluster (page);
