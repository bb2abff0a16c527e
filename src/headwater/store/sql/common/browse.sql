-- name: scans
SELECT $SCAN_COLUMNS FROM scan WHERE number < :before ORDER BY number DESC LIMIT :limit;

-- name: scans_with_same_seeds
SELECT $SCAN_COLUMNS FROM scan
WHERE $HASH(seeds) = (SELECT $HASH(seeds) FROM scan WHERE number = :scan) ORDER BY number DESC LIMIT :limit;

-- name: last_scan_of
SELECT $SCAN_COLUMNS FROM scan WHERE $HASH(seeds) = $HASH(:seeds) ORDER BY number DESC LIMIT 1;

-- name: set_scan_state
UPDATE scan SET state = :state, finished = NULL WHERE number = :scan;

-- name: request_stop
UPDATE scan SET control_request = 'stop' WHERE number = :scan AND state IN ('running', 'queued');

-- name: last_event
SELECT number, at, kind, data FROM event WHERE scan = :scan AND (CAST(:kind AS text) = '' OR kind = :kind)
ORDER BY number DESC LIMIT 1;

-- name: events_of_kind
SELECT number, at, kind, data FROM event WHERE scan = :scan AND kind = :kind ORDER BY number;

-- Listed pages come first, so that their ranks are consecutive.
-- name: page_summaries
SELECT id AS page, key, url, coalesce(nullif(title, ''), text) AS title, kind, state, coalesce(status, 0) AS status, depth,
       coalesce(nullif(language, ''), hreflang, '') AS language, CASE WHEN element = '' THEN '' ELSE region END AS region,
       sources, coalesce(priority, 0.0) AS priority, coalesce(lastmod, '') AS lastmod, reason, parent,
       word_count AS words, near_duplicate_of IS NOT NULL AS is_near_duplicate, coalesce(extracted, '') AS extracted
FROM page $NOT_INDEXED WHERE scan = :scan ORDER BY kind <> 'page' OR state NOT IN $LISTED, key;

-- name: cluster_members
SELECT page_cluster.cluster, page_cluster.page FROM cluster JOIN page_cluster ON page_cluster.cluster = cluster.number
WHERE cluster.scan = :scan ORDER BY page_cluster.cluster;

-- name: numbered_clusters
SELECT number, name, kind, title FROM cluster WHERE scan = :scan ORDER BY number;

-- name: page_details
SELECT coalesce(canonical, '') AS canonical, coalesce(etag, '') AS etag, coalesce(last_modified, '') AS last_modified,
       evidence, content_hash, parent
FROM page WHERE scan = :scan AND id = :number;

-- name: page_number
SELECT id FROM page WHERE scan = :scan AND identity = :identity;

-- name: evidence_by_number
SELECT $EVIDENCE_COLUMNS FROM evidence WHERE scan = :scan AND number = :number;

-- name: evidence_after
SELECT $EVIDENCE_COLUMNS FROM evidence
WHERE scan = :scan AND (CAST(:kind AS text) = '' OR kind = :kind) AND number > :after ORDER BY number LIMIT :limit;

-- Only the last rows of the table are read, whichever scan they belong to: a running scan has written some of them.
-- name: latest_urls
SELECT url FROM (SELECT id, scan, url, kind FROM page ORDER BY id DESC LIMIT $LATEST_ROWS) AS late
WHERE scan = :scan AND kind = 'page' ORDER BY id DESC LIMIT :limit;

-- name: page_history
SELECT scan.number AS scan, scan.started, scan.state AS scan_state, page.id AS page, page.state, page.status, page.reason,
       page.title, page.content_hash
FROM scan JOIN page ON page.scan = scan.number AND page.identity = :identity
WHERE scan.number IN (SELECT number FROM scan WHERE $HASH(seeds) = (SELECT $HASH(seeds) FROM scan WHERE number = :scan)
                      ORDER BY number DESC LIMIT :limit)
ORDER BY scan.number DESC;

-- Every scan of the site has a row, also those without the page.
-- name: page_observations
SELECT scan.number AS scan, scan.started AS at, scan.state AS scan_state, page.state, page.status, page.reason,
       page.content_hash, other.url AS leads_to
FROM scan LEFT JOIN page ON page.scan = scan.number AND page.identity = :identity
          LEFT JOIN page AS other ON other.scan = page.scan AND other.identity = page.leads_to
WHERE scan.number IN (SELECT number FROM scan WHERE $HASH(seeds) = (SELECT $HASH(seeds) FROM scan WHERE number = :scan)
                      ORDER BY number DESC LIMIT :limit)
ORDER BY scan.number;

-- In the order the pages were found, which is the order of the table.
-- name: pages_after
SELECT $PAGE_COLUMNS_WITHOUT_CLUSTERS, page.id AS number
FROM page $NOT_INDEXED LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.id > :after AND page.scan = :scan ORDER BY page.id LIMIT :limit;
