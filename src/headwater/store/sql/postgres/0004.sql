-- Lists of sites that are scanned in parallel.
CREATE TABLE list (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    settings   text NOT NULL,
    after_scan bigint NOT NULL,
    started    text NOT NULL
);

CREATE TABLE list_site (
    number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    list    bigint NOT NULL,
    host    text NOT NULL,
    seeds   text NOT NULL,
    state   text NOT NULL DEFAULT 'waiting',
    turn    integer NOT NULL DEFAULT 0,
    due     double precision NOT NULL DEFAULT 0,
    scan    bigint,
    pages   bigint NOT NULL DEFAULT 0,
    missing bigint NOT NULL DEFAULT 0,
    reason  text NOT NULL DEFAULT '',
    UNIQUE (list, host)
);

CREATE INDEX list_site_waiting ON list_site (list, turn, number) WHERE state = 'waiting';
CREATE INDEX list_site_scan ON list_site (scan);
