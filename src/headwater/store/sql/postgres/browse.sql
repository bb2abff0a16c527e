-- name: scans
SELECT number, seeds, settings, state, started, finished FROM scan WHERE number < %s ORDER BY number DESC LIMIT %s;

-- name: scans_of_seeds
SELECT number, seeds, settings, state, started, finished FROM scan
WHERE md5(seeds) = (SELECT md5(seeds) FROM scan WHERE number = %s) ORDER BY number DESC LIMIT %s;

-- name: mark_scan
UPDATE scan SET state = %s, finished = NULL WHERE number = %s;

-- name: last_event
SELECT number, at, kind, data FROM event WHERE scan = %(scan)s AND (%(kind)s = '' OR kind = %(kind)s)
ORDER BY number DESC LIMIT 1;

-- name: events_of_kind
SELECT number, at, kind, data FROM event WHERE scan = %s AND kind = %s ORDER BY number;

-- name: skipped_by_reason
SELECT reason, count FROM skipped WHERE scan = %s;

-- What is listed comes first, so that its places are the first ones, without a gap.
-- name: outline
SELECT id, key, url, coalesce(nullif(title, ''), text), kind, state, coalesce(status, 0), depth,
       coalesce(nullif(language, ''), hreflang, ''), CASE WHEN element = '' THEN '' ELSE region END, sources,
       coalesce(priority, 0.0), coalesce(lastmod, ''), reason, parent
FROM page WHERE scan = %s ORDER BY kind <> 'page' OR state NOT IN $LISTED, key;

-- name: members
SELECT page_cluster.cluster, page_cluster.page FROM cluster JOIN page_cluster ON page_cluster.cluster = cluster.number
WHERE cluster.scan = %s ORDER BY page_cluster.cluster;

-- name: numbered_clusters
SELECT number, name, kind, title FROM cluster WHERE scan = %s ORDER BY number;

-- name: pages_by_number
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT string_agg(title, chr(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters, page.id
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.id = ANY(%s::bigint[]) AND page.scan = %s;

-- name: page_details
SELECT coalesce(canonical, ''), coalesce(etag, ''), coalesce(last_modified, ''), evidence, content_hash, parent
FROM page WHERE scan = %s AND id = %s;

-- name: number_of_page
SELECT id FROM page WHERE scan = %s AND identity = %s;

-- name: evidence_by_number
SELECT kind, url, success, status, error, content, started, finished, parent, number
FROM evidence WHERE scan = %s AND number = %s;

-- name: evidence_after
SELECT kind, url, success, status, error, content, started, finished, parent, number
FROM evidence WHERE scan = %(scan)s AND (%(kind)s = '' OR kind = %(kind)s) AND number > %(after)s
ORDER BY number LIMIT %(limit)s;

-- name: neighbours
SELECT identity, id, url, kind, state, coalesce(nullif(title, ''), text) FROM page
WHERE scan = %s AND identity = ANY (%s::bigint[]);

-- name: identities
SELECT id, identity FROM page WHERE scan = %s AND id = ANY (%s::bigint[]);

-- name: parents_of
SELECT page.id, parent.id FROM page JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.id = ANY(%s::bigint[]) AND page.scan = %s;

-- The last rows of the table only, whichever scan they belong to: a scan that runs has written some of them.
-- name: newest
SELECT url FROM (SELECT id, scan, url, kind FROM page ORDER BY id DESC LIMIT 5000) AS late
WHERE scan = %s AND kind = 'page' ORDER BY id DESC LIMIT %s;

-- name: history
SELECT scan.number, scan.started, scan.state, page.id, page.state, page.status, page.reason, page.title, page.content_hash
FROM scan JOIN page ON page.scan = scan.number AND page.identity = %s
WHERE scan.number IN (SELECT number FROM scan WHERE md5(seeds) = (SELECT md5(seeds) FROM scan WHERE number = %s)
                      ORDER BY number DESC LIMIT %s)
ORDER BY scan.number DESC;

-- name: pages_after
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters, page.id
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.id > %s AND page.scan = %s ORDER BY page.id LIMIT %s;

-- Not through `mark`: the scan's revision belongs to whoever runs it.
-- name: ask_to_stop
UPDATE scan SET wish = 'stop' WHERE number = %s AND state IN ('running', 'queued');

-- name: site_of_scan
SELECT site.number, site.state, site.worker IS NOT NULL FROM scan JOIN site ON site.number = scan.site
WHERE scan.number = %s AND site.scan = scan.number AND site.state IN ('waiting', 'queued', 'working', 'paused')
  AND scan.state IN ('running', 'interrupted', 'incomplete');
