-- name: add_site
INSERT INTO site (seeds, host, first_seen) VALUES (:seeds, :host, :now) ON CONFLICT ($HASH(seeds)) DO NOTHING;

-- name: last_scan
SELECT $SCAN_COLUMNS FROM scan ORDER BY number DESC LIMIT 1;

-- name: last_unfinished_scan
SELECT $SCAN_COLUMNS FROM scan WHERE state <> 'done' ORDER BY number DESC LIMIT 1;

-- name: scan_by_number
SELECT $SCAN_COLUMNS FROM scan WHERE number = :number;

-- name: scan_by_name
SELECT $SCAN_COLUMNS FROM scan
WHERE number = (SELECT max(scan) FROM event WHERE kind = :kind AND data = :data AND number = (
    SELECT max(number) FROM event AS later WHERE later.scan = event.scan AND later.kind = :kind));

-- name: previous_scan
SELECT old.number FROM scan AS old JOIN scan AS new ON new.number = :scan
WHERE old.number < new.number AND $HASH(old.seeds) = $HASH(new.seeds) AND old.state IN ('done', 'incomplete', 'limited')
ORDER BY old.number DESC LIMIT 1;

-- name: finish_scan
UPDATE scan SET state = :state, finished = :now WHERE number = :scan;

-- name: stop_request
SELECT control_request FROM scan WHERE number = :scan;

-- name: clear_stop_request
UPDATE scan SET control_request = '' WHERE number = :scan AND control_request <> '';

-- name: add_event
INSERT INTO event (scan, at, kind, data) VALUES (:scan, :now, :kind, :data);

-- name: events
SELECT number, at, kind, data FROM event WHERE scan = :scan AND number > :after ORDER BY number LIMIT :limit;

-- name: add_evidence
INSERT INTO evidence (scan, kind, url, parent, success, status, error, content, started, finished)
VALUES (:scan, :kind, :url, :parent, :success, :status, :error, :content, :started, :finished);

-- name: evidence
SELECT $EVIDENCE_COLUMNS FROM evidence
WHERE scan = :scan AND (CAST(:kind AS text) = '' OR kind = :kind) ORDER BY number;

-- name: scan_of_evidence
SELECT scan FROM evidence WHERE number = :number;

-- name: update_evidence
UPDATE evidence SET content = :content, finished = :now WHERE number = :number;

-- name: set_evidence_content
UPDATE evidence SET content = :content WHERE number = :number;

-- Sitemaps in which most of the pages with a new `lastmod` have not changed.
-- name: unreliable_sitemaps
SELECT number, content FROM evidence WHERE number IN (
    SELECT page.evidence
    FROM page JOIN page AS old ON old.scan = :old AND old.identity = page.identity AND old.state = 1
    WHERE page.scan = :new AND page.state = 1 AND page.evidence IS NOT NULL AND page.lastmod <> old.lastmod
    GROUP BY page.evidence
    HAVING count(*) >= 3
       AND count(*) FILTER (WHERE page.unchanged OR page.content_hash = old.content_hash) * 2 > count(*));

-- name: dive_of_scan
SELECT number FROM dive WHERE scan = :scan ORDER BY number LIMIT 1;

-- name: delete_cluster_members
DELETE FROM page_cluster WHERE cluster IN (SELECT number FROM cluster WHERE scan = :scan);

-- name: delete_cluster
DELETE FROM cluster WHERE scan = :scan;

-- name: delete_evidence
DELETE FROM evidence WHERE scan = :scan;

-- name: delete_event
DELETE FROM event WHERE scan = :scan;

-- name: delete_skipped
DELETE FROM skipped WHERE scan = :scan;

-- name: delete_inlink
DELETE FROM inlink WHERE scan = :scan;

-- name: delete_page
DELETE FROM page WHERE scan = :scan;

-- name: delete_link_block
DELETE FROM link_block WHERE id >= :start AND id < :stop;

-- name: delete_link_list
DELETE FROM link_list WHERE id >= :start AND id < :stop;

-- name: detach_list_site
UPDATE list_site SET scan = NULL WHERE scan = :scan;

-- name: delete_scan
DELETE FROM scan WHERE number = :scan;
