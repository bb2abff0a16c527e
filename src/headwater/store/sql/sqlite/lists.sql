-- name: make_room
CREATE TABLE read_site (place INTEGER PRIMARY KEY, host TEXT NOT NULL, seed TEXT NOT NULL, UNIQUE (host, seed));

-- name: read_site
INSERT OR IGNORE INTO read_site (host, seed) VALUES (?, ?);

-- name: is_any_read
SELECT 1 FROM read_site LIMIT 1;

-- name: read_sites
SELECT host, json_group_array(seed) FROM (SELECT place, host, seed FROM read_site ORDER BY place)
GROUP BY host ORDER BY min(place);

-- name: add_list
INSERT INTO list (settings, after_scan, started) VALUES (?, (SELECT coalesce(max(number), 0) FROM scan), ?);

-- name: add_site
INSERT INTO list_site (list, host, seeds) VALUES (?, ?, ?);

-- name: next_site
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = ?1 AND state = 'waiting' AND due <= ?2
  AND iif(substr(host, 1, 4) = 'www.', substr(host, 5), host) NOT IN (SELECT value FROM json_each(?3))
ORDER BY turn, number LIMIT 1;

-- name: next_due
SELECT min(due) FROM list_site WHERE list = ? AND state = 'waiting';

-- name: is_any_waiting
SELECT 1 FROM list_site WHERE list = ? AND state = 'waiting' AND due <= ? LIMIT 1;

-- name: begin_site
UPDATE list_site SET state = 'running', scan = ? WHERE number = ?;

-- name: hand_back
UPDATE list_site SET state = 'waiting', turn = turn + 1, due = ? WHERE number = ?;

-- name: end_site
UPDATE list_site SET state = ?, pages = ?, missing = ?, reason = ? WHERE number = ?;

-- name: sites
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = ? AND number > ? ORDER BY number LIMIT ?;

-- name: counts
SELECT state, count(*), sum(pages), sum(missing) FROM list_site WHERE list = ? GROUP BY state ORDER BY state;

-- name: lists
SELECT number, settings, after_scan, started FROM list ORDER BY number DESC;

-- name: list_of_scan
SELECT list FROM list_site WHERE scan = ?;

-- name: scan_of_host
SELECT scan FROM list_site WHERE list = ?1 AND host IN (?2, ?3) AND scan IS NOT NULL ORDER BY host = ?2 DESC LIMIT 1;

-- name: wait_cut_off
UPDATE list_site SET state = 'waiting', turn = 0, due = 0
WHERE list = ? AND state IN ('waiting', 'running', 'interrupted');

-- A site of which nothing was had is scanned anew.
-- name: wait_incomplete
UPDATE list_site SET state = 'waiting', turn = 0, due = 0,
                     scan = CASE WHEN state = 'failed' AND pages = 0 THEN NULL ELSE scan END
WHERE list = ? AND state <> 'done';

-- name: left_over
SELECT sum(state IN ('waiting', 'running', 'interrupted')), sum(state <> 'done') FROM list_site WHERE list = ?;
