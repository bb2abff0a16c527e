-- Every link between pages, packed: distinct links in blocks, the links of each page as numbers, and inlinks.
DROP TABLE link;

CREATE TABLE link_block (
    id       bigint PRIMARY KEY,
    targets  bytea NOT NULL,
    places   text NOT NULL,
    place_of bytea NOT NULL,
    texts    bytea NOT NULL
);

CREATE TABLE link_list (
    id      bigint PRIMARY KEY,
    links   bigint NOT NULL,
    pages   bytea NOT NULL,
    lengths bytea NOT NULL,
    numbers bytea NOT NULL
);

CREATE TABLE inlink (
    scan  bigint NOT NULL,
    page  bigint NOT NULL,
    lists bytea NOT NULL,
    PRIMARY KEY (scan, page)
);

ALTER TABLE page ADD COLUMN link_list bigint;
ALTER TABLE page ADD COLUMN content_inlinks integer NOT NULL DEFAULT 0;
-- Links from pages whose links are counted but not stored.
ALTER TABLE page ADD COLUMN more_inlinks integer NOT NULL DEFAULT 0;
-- The declared or detected language; `language` is the result of classification.
ALTER TABLE page ADD COLUMN stated_language text;
UPDATE page SET stated_language = language WHERE language <> '';
UPDATE page SET more_inlinks = inlinks WHERE inlinks > 0;
