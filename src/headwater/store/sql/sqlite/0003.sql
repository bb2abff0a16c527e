-- A site is identified by its seeds, so that one host may have several sites.
DROP TABLE site;

CREATE TABLE site (
    number     INTEGER PRIMARY KEY,
    seeds      TEXT NOT NULL UNIQUE,
    host       TEXT NOT NULL,
    first_seen TEXT NOT NULL
);
