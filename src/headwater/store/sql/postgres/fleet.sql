-- name: create_submitted_table
CREATE TEMPORARY TABLE IF NOT EXISTS submitted (seeds TEXT, host TEXT) ON COMMIT DELETE ROWS;

-- name: copy_submitted
COPY submitted FROM STDIN;

-- name: empty_submitted
TRUNCATE submitted;

-- name: count_known
SELECT count(*), count(*) FILTER (WHERE site.state IN ('queued', 'working', 'paused')
                                     OR (site.state = 'waiting' AND site.due_at <= now()))
FROM (SELECT DISTINCT seeds FROM submitted) AS new JOIN site ON md5(site.seeds) = md5(new.seeds);

-- name: submit
INSERT INTO site (seeds, host, first_seen, settings, state, priority, due_at, every, is_fixed)
SELECT DISTINCT ON (seeds) seeds, host, :now, :settings, 'waiting', :priority, now(), :every, :is_fixed
FROM submitted
ON CONFLICT (md5(seeds)) DO UPDATE SET
    state = CASE WHEN site.state IN ('idle', 'done', 'cancelled', 'failed') THEN 'waiting' ELSE site.state END,
    due_at = CASE WHEN site.state IN ('queued', 'working', 'paused') THEN site.due_at
                  ELSE least(coalesce(site.due_at, now()), now()) END,
    settings = CASE WHEN site.state IN ('queued', 'working') THEN site.settings ELSE excluded.settings END,
    priority = excluded.priority, every = excluded.every, is_fixed = excluded.is_fixed, pace = NULL, failures = 0, error = '';

-- name: claim
UPDATE site SET epoch = epoch + 1, state = 'working', worker = :worker, slices = slices + 1, touched = now()
WHERE number = :site AND state IN ('queued', 'waiting')
RETURNING number AS site, epoch, seeds, settings, scan, failures, every, is_fixed, pace;

-- name: set_scan
UPDATE site SET scan = :scan, scans = scans + 1, touched = now() WHERE number = :site AND epoch = :epoch;

-- name: requeue_site
UPDATE site SET state = CASE WHEN state = 'working' THEN 'waiting' ELSE state END, worker = NULL, touched = now(),
                due_at = now() + make_interval(secs => :delay::float8), failures = 0, error = ''
WHERE number = :site AND epoch = :epoch RETURNING state;

-- name: postpone
UPDATE site SET state = CASE WHEN state <> 'working' THEN state WHEN failures + 1 >= :max_failures THEN 'failed' ELSE 'waiting' END,
                worker = NULL, touched = now(), failures = failures + 1, error = :error,
                due_at = now() + make_interval(secs => least(3600, 5 * power(3, failures)))
WHERE number = :site AND epoch = :epoch;

-- name: finish
UPDATE site SET state = CASE WHEN state <> 'working' THEN state WHEN every IS NULL THEN 'done' ELSE 'waiting' END,
                worker = NULL, touched = now(), failures = 0, error = :error, pace = :pace::float8,
                due_at = now() + make_interval(secs => coalesce(:pace::float8, 0))
WHERE number = :site AND epoch = :epoch;

-- name: find_sites
SELECT number, seeds, state FROM site WHERE md5(seeds) = md5(:seeds);

-- name: find_sites_by_host
SELECT number, seeds, state FROM site WHERE host = :host AND state NOT IN ('idle') ORDER BY number;

-- name: pause
UPDATE site SET state = 'paused', touched = now()
WHERE number = ANY(:sites) AND state IN ('waiting', 'queued', 'working') RETURNING number;

-- name: resume
UPDATE site SET state = CASE WHEN worker IS NULL THEN 'waiting' ELSE 'working' END, due_at = now(), touched = now()
WHERE number = ANY(:sites) AND state = 'paused' RETURNING number;

-- name: cancel
UPDATE site SET state = 'cancelled', epoch = epoch + 1, worker = NULL, touched = now()
WHERE number = ANY(:sites) AND state IN ('waiting', 'queued', 'working', 'paused') RETURNING number, scan;

-- name: cancel_scans
UPDATE scan SET state = 'cancelled', finished = :now WHERE number = ANY(:scans) AND state IN ('running', 'interrupted');

-- name: state_counts
SELECT state, count(*) FROM site GROUP BY state;

-- name: count_due
SELECT count(*) FROM site WHERE state = 'waiting' AND due_at <= now();

-- name: workers
SELECT name, extract(epoch FROM now() - started)::float8 AS age, extract(epoch FROM now() - seen)::float8 AS silent, pages,
       slices, sites, rate
FROM worker WHERE seen > now() - interval '10 minutes' ORDER BY name;

-- name: active_sites
SELECT seeds AS seed, slices, pages, extract(epoch FROM now() - touched)::float8 AS idle FROM site WHERE state = 'working'
ORDER BY touched LIMIT :limit;

-- name: failing_sites
SELECT number AS site, seeds AS seed, state, failures, error, extract(epoch FROM now() - touched)::float8 AS idle FROM site
WHERE (state = 'working' AND touched < now() - make_interval(secs => :stuck::float8)) OR state = 'failed'
   OR (state = 'waiting' AND failures > 0)
ORDER BY failures DESC, touched LIMIT :limit;
