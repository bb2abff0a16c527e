-- Dives: the pages of a cluster as Markdown, their passages, words and vectors, and conversations.
CREATE TABLE dive (
    number    INTEGER PRIMARY KEY,
    scan      INTEGER NOT NULL,
    seeds     TEXT NOT NULL,
    selection TEXT NOT NULL,
    state     TEXT NOT NULL,
    repeated  TEXT NOT NULL DEFAULT '[]',
    embedder  TEXT NOT NULL DEFAULT '',
    version   INTEGER NOT NULL DEFAULT 0,
    started   TEXT NOT NULL,
    finished  TEXT,
    UNIQUE (seeds, selection)
);

CREATE TABLE dive_page (
    number        INTEGER PRIMARY KEY,
    dive          INTEGER NOT NULL,
    identity      INTEGER NOT NULL,
    url           TEXT NOT NULL,
    fetch_url     TEXT NOT NULL,
    state         TEXT NOT NULL,
    reason        TEXT NOT NULL DEFAULT '',
    title         TEXT NOT NULL DEFAULT '',
    language      TEXT NOT NULL DEFAULT '',
    canonical     TEXT NOT NULL DEFAULT '',
    published     TEXT NOT NULL DEFAULT '',
    modified      TEXT NOT NULL DEFAULT '',
    etag          TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    content_hash  INTEGER,
    chunked_hash  INTEGER,
    headings      TEXT NOT NULL DEFAULT '[]',
    markdown      TEXT NOT NULL DEFAULT '',
    read_at       TEXT,
    UNIQUE (dive, identity)
);

CREATE INDEX dive_page_waiting ON dive_page (dive, number) WHERE state = 'waiting';

CREATE TABLE chunk (
    number  INTEGER PRIMARY KEY,
    dive    INTEGER NOT NULL,
    page    INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    heading TEXT NOT NULL,
    anchor  TEXT NOT NULL,
    text    TEXT NOT NULL,
    tokens  INTEGER NOT NULL,
    hash    INTEGER NOT NULL
);

CREATE INDEX chunk_of_page ON chunk (page, place);
CREATE INDEX chunk_of_dive ON chunk (dive, hash);

-- Passages with the same text share one vector.
CREATE TABLE vector (
    embedder TEXT NOT NULL,
    hash     INTEGER NOT NULL,
    content  BLOB NOT NULL,
    PRIMARY KEY (embedder, hash)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE chunk_words USING fts5 (
    heading, text, content = 'chunk', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE dive_message (
    number    INTEGER PRIMARY KEY,
    dive      INTEGER NOT NULL,
    role      TEXT NOT NULL,
    text      TEXT NOT NULL,
    citations TEXT NOT NULL,
    at        TEXT NOT NULL
);

CREATE INDEX message_of_dive ON dive_message (dive, number);
