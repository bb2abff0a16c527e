-- Every link between pages, packed: distinct links in blocks, the links of each page as numbers, and inlinks.
DROP TABLE link;

CREATE TABLE link_block (
    id       INTEGER PRIMARY KEY,
    targets  BLOB NOT NULL,
    places   TEXT NOT NULL,
    place_of BLOB NOT NULL,
    texts    BLOB NOT NULL
);

CREATE TABLE link_list (
    id      INTEGER PRIMARY KEY,
    links   INTEGER NOT NULL,
    pages   BLOB NOT NULL,
    lengths BLOB NOT NULL,
    numbers BLOB NOT NULL
);

CREATE TABLE inlink (
    scan  INTEGER NOT NULL,
    page  INTEGER NOT NULL,
    lists BLOB NOT NULL,
    PRIMARY KEY (scan, page)
) WITHOUT ROWID;

ALTER TABLE page ADD COLUMN link_list INTEGER;
ALTER TABLE page ADD COLUMN content_inlinks INTEGER NOT NULL DEFAULT 0;
-- Links from pages whose links are counted but not stored.
ALTER TABLE page ADD COLUMN more_inlinks INTEGER NOT NULL DEFAULT 0;
-- The declared or detected language; `language` is the result of classification.
ALTER TABLE page ADD COLUMN stated_language TEXT;
UPDATE page SET stated_language = language WHERE language <> '';
UPDATE page SET more_inlinks = inlinks WHERE inlinks > 0;
