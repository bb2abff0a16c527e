-- name: add_list
INSERT INTO list (settings, after_scan, started) VALUES (:settings, (SELECT coalesce(max(number), 0) FROM scan), :now);

-- name: next_due
SELECT min(due) FROM list_site WHERE list = :list AND state = 'waiting';

-- name: has_waiting_site
SELECT 1 FROM list_site WHERE list = :list AND state = 'waiting' AND due <= :now LIMIT 1;

-- name: start_site
UPDATE list_site SET state = 'running', scan = :scan WHERE number = :site;

-- name: requeue_site
UPDATE list_site SET state = 'waiting', turn = turn + 1, due = :due WHERE number = :site;

-- name: finish_site
UPDATE list_site SET state = :state, pages = :pages, missing = :missing, reason = :reason WHERE number = :site;

-- name: list_sites
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = :list AND number > :after ORDER BY number LIMIT :limit;

-- name: list_state_counts
SELECT state, count(*) AS sites, CAST(sum(pages) AS bigint) AS pages, CAST(sum(missing) AS bigint) AS missing
FROM list_site WHERE list = :list GROUP BY state ORDER BY state;

-- name: lists
SELECT number, settings, after_scan, started FROM list ORDER BY number DESC;

-- name: list_of_scan
SELECT list FROM list_site WHERE scan = :scan;

-- name: scan_of_host
SELECT scan FROM list_site WHERE list = :list AND host IN (:host, :bare_host) AND scan IS NOT NULL
ORDER BY host = :host DESC LIMIT 1;

-- name: requeue_interrupted
UPDATE list_site SET state = 'waiting', turn = 0, due = 0
WHERE list = :list AND state IN ('waiting', 'running', 'interrupted');

-- A site without a single page gets a new scan.
-- name: requeue_incomplete
UPDATE list_site SET state = 'waiting', turn = 0, due = 0,
                     scan = CASE WHEN state = 'failed' AND pages = 0 THEN NULL ELSE scan END
WHERE list = :list AND state <> 'done';

-- name: count_unfinished
SELECT count(*) FILTER (WHERE state IN ('waiting', 'running', 'interrupted')) AS interrupted,
       count(*) FILTER (WHERE state <> 'done') AS incomplete
FROM list_site WHERE list = :list;
