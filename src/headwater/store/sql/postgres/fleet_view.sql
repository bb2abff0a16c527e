-- What stands between braces is put together from the conditions below, so that each list has a plan of its own.
-- name: sites
SELECT site.number, site.seeds, site.state, site.priority, site.due_at, site.every, site.is_fixed, site.pace, site.pages,
       site.scans, site.slices, site.failures, site.error, site.touched, worker.name,
       (SELECT json_agg(json_build_array(number, state, started) ORDER BY number DESC)
        FROM (SELECT number, state, started FROM scan WHERE scan.site = site.number ORDER BY number DESC LIMIT 5) AS recent)
FROM site LEFT JOIN worker ON worker.number = site.worker
WHERE {conditions} ORDER BY site.number DESC LIMIT %(limit)s;

-- name: before
site.number < %(before)s

-- name: submitted
site.state <> 'idle'

-- name: in_state
site.state = %(state)s

-- name: with_text
strpos(lower(site.seeds), %(text)s) > 0

-- name: of_numbers
site.number = ANY(%(numbers)s::bigint[])

-- Jobs exist once a worker was there.
-- name: has_queue
SELECT to_regclass('procrastinate_jobs') IS NOT NULL;

-- name: jobs
SELECT count(*) FILTER (WHERE status = 'todo'), count(*) FILTER (WHERE status = 'doing'),
       count(*) FILTER (WHERE status IN ('failed', 'aborted'))
FROM procrastinate_jobs;

-- name: work
SELECT worker.name, site.seeds FROM site JOIN worker ON worker.number = site.worker
WHERE site.state = 'working' ORDER BY site.touched DESC LIMIT %s;

-- name: troubled
SELECT number, seeds, state, failures, error, extract(epoch FROM now() - touched)::float8 FROM site
WHERE (state = 'working' AND touched < now() - make_interval(secs => %(stuck)s::float8)) OR state = 'failed'
   OR (state = 'waiting' AND failures > 0)
ORDER BY failures DESC, touched LIMIT %(limit)s;

-- A site that was done waits for its next turn once it has a rhythm; one that only waited for it is done without.
-- name: set_wish
UPDATE site SET
    priority = coalesce(%(priority)s::int, priority),
    every = CASE WHEN %(has_rhythm)s THEN %(every)s::float8 ELSE every END,
    is_fixed = CASE WHEN %(has_rhythm)s THEN %(is_fixed)s ELSE is_fixed END,
    pace = CASE WHEN %(has_rhythm)s THEN NULL ELSE pace END,
    state = CASE WHEN %(has_rhythm)s AND %(every)s::float8 IS NOT NULL AND state = 'done' THEN 'waiting'
                 WHEN %(has_rhythm)s AND %(every)s::float8 IS NULL AND state = 'waiting' AND due_at > now() AND failures = 0
                      AND EXISTS (SELECT 1 FROM scan WHERE scan.number = site.scan
                                  AND scan.state NOT IN ('running', 'interrupted', 'incomplete')) THEN 'done'
                 ELSE state END,
    due_at = CASE WHEN %(has_rhythm)s AND %(every)s::float8 IS NOT NULL AND state = 'done'
                  THEN touched + make_interval(secs => %(every)s::float8) ELSE due_at END
WHERE number = %(site)s AND state <> 'idle' RETURNING number;
