-- name: scans
SELECT number, seeds, settings, state, started, finished FROM scan WHERE number < ? ORDER BY number DESC LIMIT ?;

-- name: mark_scan
UPDATE scan SET state = ?, finished = NULL WHERE number = ?;

-- name: ask_to_stop
UPDATE scan SET wish = 'stop' WHERE number = ? AND state IN ('running', 'queued');

-- name: last_event
SELECT number, at, kind, data FROM event WHERE scan = ?1 AND (?2 = '' OR kind = ?2) ORDER BY number DESC LIMIT 1;

-- name: events_of_kind
SELECT number, at, kind, data FROM event WHERE scan = ? AND kind = ? ORDER BY number;

-- name: skipped_by_reason
SELECT reason, count FROM skipped WHERE scan = ?;

-- What is listed comes first, so that its places are the first ones, without a gap.
-- name: outline
SELECT id, key, url, coalesce(nullif(title, ''), text), kind, state, coalesce(status, 0), depth,
       coalesce(nullif(language, ''), hreflang, ''), iif(element = '', '', region), sources, coalesce(priority, 0.0), coalesce(lastmod, ''), reason,
       parent
FROM page NOT INDEXED WHERE scan = ? ORDER BY kind <> 'page' OR state NOT IN $LISTED, key;

-- name: members
SELECT page_cluster.cluster, page_cluster.page FROM cluster JOIN page_cluster ON page_cluster.cluster = cluster.number
WHERE cluster.scan = ? ORDER BY page_cluster.cluster;

-- name: numbered_clusters
SELECT number, name, kind, title FROM cluster WHERE scan = ? ORDER BY number;

-- name: pages_by_number
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT group_concat(title, char(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters, page.id
FROM json_each(?2) AS wanted CROSS JOIN page ON page.id = wanted.value
          LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE +page.scan = ?1;

-- name: page_details
SELECT coalesce(canonical, ''), coalesce(etag, ''), coalesce(last_modified, ''), evidence, content_hash, parent
FROM page WHERE scan = ? AND id = ?;

-- name: number_of_page
SELECT id FROM page WHERE scan = ? AND identity = ?;

-- name: evidence_by_number
SELECT kind, url, success, status, error, content, started, finished, parent, number
FROM evidence WHERE scan = ? AND number = ?;

-- name: evidence_after
SELECT kind, url, success, status, error, content, started, finished, parent, number
FROM evidence WHERE scan = ?1 AND (?2 = '' OR kind = ?2) AND number > ?3 ORDER BY number LIMIT ?4;

-- name: neighbours
SELECT identity, id, url, kind, state, coalesce(nullif(title, ''), text) FROM page
WHERE scan = ? AND identity IN (SELECT value FROM json_each(?));

-- name: identities
SELECT id, identity FROM page WHERE +scan = ? AND id IN (SELECT value FROM json_each(?));

-- name: parents_of
SELECT page.id, parent.id FROM json_each(?2) AS wanted CROSS JOIN page ON page.id = wanted.value
JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE +page.scan = ?1;

-- The last rows of the file only, whichever scan they belong to: a scan that runs has written some of them.
-- name: newest
SELECT url FROM (SELECT scan, url, kind FROM page ORDER BY id DESC LIMIT 500) WHERE scan = ? AND kind = 'page' LIMIT ?;

-- name: history
SELECT scan.number, scan.started, scan.state, page.id, page.state, page.status, page.reason, page.title, page.content_hash
FROM scan JOIN page ON page.scan = scan.number AND page.identity = ?1
WHERE scan.number IN (SELECT number FROM scan WHERE seeds = (SELECT seeds FROM scan WHERE number = ?2)
                      ORDER BY number DESC LIMIT ?3)
ORDER BY scan.number DESC;

-- name: scans_of_seeds
SELECT number, seeds, settings, state, started, finished FROM scan
WHERE seeds = (SELECT seeds FROM scan WHERE number = ?1) ORDER BY number DESC LIMIT ?2;

-- In the order they were found, which is that of the table.
-- name: pages_after
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters, page.id
FROM page NOT INDEXED LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.id > ?2 AND page.scan = ?1 ORDER BY page.id LIMIT ?3;
