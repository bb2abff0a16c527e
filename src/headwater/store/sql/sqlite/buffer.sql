-- Sites of a new list, in a temporary database beside the store.
-- name: create_buffer
CREATE TABLE site (position INTEGER PRIMARY KEY, host TEXT NOT NULL, seed TEXT NOT NULL, UNIQUE (host, seed));

-- name: buffer_site
INSERT OR IGNORE INTO site (host, seed) VALUES (?, ?);

-- name: has_buffered_site
SELECT 1 FROM site LIMIT 1;

-- name: buffered_sites
SELECT host, json_group_array(seed) FROM (SELECT position, host, seed FROM site ORDER BY position)
GROUP BY host ORDER BY min(position);
