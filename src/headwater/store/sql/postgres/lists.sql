-- name: add_list
INSERT INTO list (settings, after_scan, started)
VALUES (%s, (SELECT coalesce(max(number), 0) FROM scan), %s) RETURNING number;

-- name: add_sites
COPY list_site (list, host, seeds) FROM STDIN;

-- name: next_site
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = %s AND state = 'waiting' AND due <= %s AND regexp_replace(host, '^www[.]', '') <> ALL (%s)
ORDER BY turn, number LIMIT 1;

-- name: next_due
SELECT min(due) FROM list_site WHERE list = %s AND state = 'waiting';

-- name: is_any_waiting
SELECT 1 FROM list_site WHERE list = %s AND state = 'waiting' AND due <= %s LIMIT 1;

-- name: begin_site
UPDATE list_site SET state = 'running', scan = %s WHERE number = %s;

-- name: hand_back
UPDATE list_site SET state = 'waiting', turn = turn + 1, due = %s WHERE number = %s;

-- name: end_site
UPDATE list_site SET state = %s, pages = %s, missing = %s, reason = %s WHERE number = %s;

-- name: sites
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = %s AND number > %s ORDER BY number LIMIT %s;

-- name: counts
SELECT state, count(*), sum(pages)::bigint, sum(missing)::bigint FROM list_site
WHERE list = %s GROUP BY state ORDER BY state;

-- name: lists
SELECT number, settings, after_scan, started FROM list ORDER BY number DESC;

-- name: list_of_scan
SELECT list FROM list_site WHERE scan = %s;

-- name: scan_of_host
SELECT scan FROM list_site WHERE list = %(list)s AND host IN (%(host)s, %(bare)s) AND scan IS NOT NULL
ORDER BY host = %(host)s DESC LIMIT 1;

-- name: wait_cut_off
UPDATE list_site SET state = 'waiting', turn = 0, due = 0
WHERE list = %s AND state IN ('waiting', 'running', 'interrupted');

-- A site of which nothing was had is scanned anew.
-- name: wait_incomplete
UPDATE list_site SET state = 'waiting', turn = 0, due = 0,
                     scan = CASE WHEN state = 'failed' AND pages = 0 THEN NULL ELSE scan END
WHERE list = %s AND state <> 'done';

-- name: left_over
SELECT count(*) FILTER (WHERE state IN ('waiting', 'running', 'interrupted')), count(*) FILTER (WHERE state <> 'done')
FROM list_site WHERE list = %s;
