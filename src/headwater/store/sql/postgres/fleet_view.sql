-- The conditions in braces are chosen from those below, so that PostgreSQL plans each combination by itself.
-- name: sites
SELECT site.number, site.seeds, site.state, site.priority, site.due_at AS due, site.every, site.is_fixed, site.pace,
       site.pages, site.scans, site.slices, site.failures, site.error, site.touched, worker.name AS worker,
       (SELECT json_agg(json_build_array(number, state, started) ORDER BY number DESC)
        FROM (SELECT number, state, started FROM scan WHERE scan.site = site.number ORDER BY number DESC LIMIT 5) AS last) AS recent
FROM site LEFT JOIN worker ON worker.number = site.worker
WHERE {conditions} ORDER BY site.number DESC LIMIT :limit;

-- name: before
site.number < :before

-- name: submitted
site.state <> 'idle'

-- name: in_state
site.state = :state

-- name: with_text
strpos(lower(site.seeds), :text) > 0

-- name: of_numbers
site.number = ANY(:numbers::bigint[])

-- The table of jobs exists once a worker has run.
-- name: has_queue
SELECT to_regclass('procrastinate_jobs') IS NOT NULL;

-- name: jobs
SELECT count(*) FILTER (WHERE status = 'todo'), count(*) FILTER (WHERE status = 'doing'),
       count(*) FILTER (WHERE status IN ('failed', 'aborted'))
FROM procrastinate_jobs;

-- name: sites_by_worker
SELECT worker.name, site.seeds FROM site JOIN worker ON worker.number = site.worker
WHERE site.state = 'working' ORDER BY site.touched DESC LIMIT :limit;

-- A finished site waits once it gets a schedule; a site that only waits for its schedule is done when it loses it.
-- name: update_schedule
UPDATE site SET
    priority = coalesce(:priority::int, priority),
    every = CASE WHEN :has_schedule THEN :every::float8 ELSE every END,
    is_fixed = CASE WHEN :has_schedule THEN :is_fixed ELSE is_fixed END,
    pace = CASE WHEN :has_schedule THEN NULL ELSE pace END,
    state = CASE WHEN :has_schedule AND :every::float8 IS NOT NULL AND state = 'done' THEN 'waiting'
                 WHEN :has_schedule AND :every::float8 IS NULL AND state = 'waiting' AND due_at > now() AND failures = 0
                      AND EXISTS (SELECT 1 FROM scan WHERE scan.number = site.scan
                                  AND scan.state NOT IN ('running', 'interrupted', 'incomplete')) THEN 'done'
                 ELSE state END,
    due_at = CASE WHEN :has_schedule AND :every::float8 IS NOT NULL AND state = 'done'
                  THEN touched + make_interval(secs => :every::float8) ELSE due_at END
WHERE number = :site AND state <> 'idle' RETURNING number;
