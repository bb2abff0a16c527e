-- name: try_maintenance_lock
SELECT pg_try_advisory_xact_lock(1212438356, 1);

-- name: queued
SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo';

-- Sites that are due become jobs, one for each host, by priority.
-- name: enqueue_due
WITH due AS (
    SELECT number, host, priority, due_at FROM site
    WHERE state = 'waiting' AND due_at <= now() AND (%(site)s::bigint IS NULL OR number = %(site)s)
      AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS job WHERE job.queueing_lock = site.host AND job.status = 'todo')
    ORDER BY priority DESC, due_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), one AS (
    SELECT DISTINCT ON (host) number, host, priority, due_at FROM due ORDER BY host, priority DESC, due_at
), job AS (
    INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args)
    SELECT 'sites', 'slice', priority, host, host, jsonb_build_object('site', number) FROM one
    ORDER BY priority DESC, due_at
    ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING RETURNING (args ->> 'site')::bigint AS number
)
UPDATE site SET state = 'queued', touched = now() FROM job WHERE site.number = job.number;

-- The priority of a site may have changed since it was queued.
-- name: update_priorities
UPDATE procrastinate_jobs AS job SET priority = site.priority FROM site
WHERE job.status = 'todo' AND job.task_name = 'slice' AND site.number = (job.args ->> 'site')::bigint
  AND job.priority <> site.priority;

-- Jobs of workers without a heartbeat are deleted, never retried, and their sites wait again under a higher epoch. The
-- same goes for jobs whose work is over but whose end was not stored because the database was unreachable: they would
-- lock the host.
-- name: release_stalled
WITH stalled AS (
    SELECT job.id, (job.args ->> 'site')::bigint AS site
    FROM procrastinate_jobs AS job LEFT JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
                                   LEFT JOIN site ON site.number = (job.args ->> 'site')::bigint
    WHERE job.status = 'doing' AND job.task_name = 'slice'
      AND (worker.id IS NULL OR worker.last_heartbeat < now() - make_interval(secs => %(stall)s::float8)
        OR (site.touched < now() - make_interval(secs => %(stall)s::float8)
            AND (site.state IN ('waiting', 'done', 'failed', 'cancelled')
              OR (site.state = 'queued' AND EXISTS (SELECT 1 FROM procrastinate_jobs AS other
                                                    WHERE other.queueing_lock = job.lock AND other.status = 'todo')))))
    FOR UPDATE OF job SKIP LOCKED
), held AS (
    SELECT number FROM site WHERE number IN (SELECT site FROM stalled) FOR UPDATE SKIP LOCKED
), freed AS (
    UPDATE site SET epoch = epoch + 1, worker = NULL, touched = now(),
                    state = CASE WHEN state IN ('queued', 'working') THEN 'waiting' ELSE state END,
                    due_at = CASE WHEN state IN ('queued', 'working') THEN now() ELSE due_at END
    WHERE number IN (SELECT number FROM held) RETURNING number
)
DELETE FROM procrastinate_jobs WHERE id IN (SELECT id FROM stalled WHERE site IN (SELECT number FROM freed))
RETURNING (args ->> 'site')::bigint, worker_id;

-- Sites marked as queued that have no job: after a crash between two steps, or after a job was deleted by hand.
-- name: requeue_lost
UPDATE site SET epoch = epoch + 1, worker = NULL, touched = now(),
                state = CASE WHEN state = 'paused' THEN state ELSE 'waiting' END,
                due_at = CASE WHEN state = 'paused' THEN due_at ELSE now() END
WHERE (state IN ('queued', 'working') OR (state = 'paused' AND worker IS NOT NULL))
  AND touched < now() - make_interval(secs => %(stall)s::float8)
  AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS job
                  WHERE job.lock = site.host AND job.status IN ('todo', 'doing')
                    AND (job.args ->> 'site')::bigint = site.number)
RETURNING number;

-- name: heartbeat
WITH beaten AS (
    UPDATE procrastinate_workers SET last_heartbeat = now() WHERE id = %(worker)s RETURNING id
), reported AS (
    INSERT INTO worker (number, name, pages, slices, sites, rate)
    SELECT id, %(name)s, %(pages)s, %(slices)s, %(sites)s, %(rate)s FROM beaten
    ON CONFLICT (number) DO UPDATE SET seen = now(), pages = excluded.pages, slices = excluded.slices, sites = excluded.sites,
                                       rate = excluded.rate
)
SELECT count(*) FROM beaten;

-- name: delete_old_workers
DELETE FROM worker WHERE seen < now() - interval '1 day';

-- name: mark_worker_dead
UPDATE procrastinate_workers SET last_heartbeat = '-infinity' FROM worker
WHERE worker.number = procrastinate_workers.id AND worker.name = %s;

-- name: delete_worker
DELETE FROM worker WHERE number = %s;

-- name: site_states
SELECT number, epoch, state FROM site WHERE number = ANY(%s);

-- name: version
SELECT queue FROM headwater FOR UPDATE;

-- name: set_version
UPDATE headwater SET queue = %s;

-- Without this index, fetching a job takes ten times as long when 200,000 hosts wait.
-- name: add_index
CREATE INDEX IF NOT EXISTS procrastinate_jobs_by_lock ON procrastinate_jobs (lock, priority DESC, id)
WHERE status IN ('todo', 'doing');
