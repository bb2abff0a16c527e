-- Every link between pages, packed: different links in blocks, the links of pages as numbers, and who links to a page.
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
-- Links from pages whose links are only counted.
ALTER TABLE page ADD COLUMN more_inlinks INTEGER NOT NULL DEFAULT 0;
-- What the page says, or what was detected in its text; `language` is what classification made of it.
ALTER TABLE page ADD COLUMN stated_language TEXT;
UPDATE page SET stated_language = language WHERE language <> '';
UPDATE page SET more_inlinks = inlinks WHERE inlinks > 0;
