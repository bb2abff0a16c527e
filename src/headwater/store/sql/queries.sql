-- name: add_scan
INSERT INTO scan (seeds, settings, state, started) VALUES (?, ?, 'running', ?);

-- name: last_scan
SELECT number, seeds, settings, state, started, finished FROM scan ORDER BY number DESC LIMIT 1;

-- name: last_unfinished_scan
SELECT number, seeds, settings, state, started, finished FROM scan WHERE state <> 'done' ORDER BY number DESC LIMIT 1;

-- name: scan_by_number
SELECT number, seeds, settings, state, started, finished FROM scan WHERE number = ?;

-- name: add_found
INSERT INTO page (scan, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region,
                  text, reason, state, first_seen)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scan, identity) DO UPDATE SET
    depth = excluded.depth, parent = excluded.parent, source = excluded.source, region = excluded.region,
    text = excluded.text
WHERE page.key = excluded.key AND (excluded.depth < page.depth OR (excluded.depth = page.depth AND
    (SELECT key FROM page AS other WHERE other.scan = excluded.scan AND other.identity = excluded.parent)
  < (SELECT key FROM page AS other WHERE other.scan = page.scan AND other.identity = page.parent)));

-- name: settle_page
UPDATE page SET state = ?, status = ?, reason = ?, title = ?, language = ?, content_type = ?, canonical = ?, etag = ?,
                last_modified = ?, last_seen = ?
WHERE scan = ? AND identity = ?;

-- name: add_link
INSERT OR IGNORE INTO link (scan, source, target, element) VALUES (?, ?, ?, ?);

-- name: add_skipped
INSERT INTO skipped (scan, reason, count) VALUES (?, ?, ?)
ON CONFLICT (scan, reason) DO UPDATE SET count = count + excluded.count;

-- name: waiting
SELECT id, identity, key, url, fetch_url, depth, hops, is_suspect, redirects
FROM page WHERE scan = ? AND state = 0 AND depth = ? AND id > ? ORDER BY id LIMIT ?;

-- name: next_depth
SELECT min(depth) FROM page WHERE scan = ? AND state = 0;

-- name: retry_deferred
UPDATE page SET state = 0, reason = '' WHERE scan = ? AND state = 3;

-- name: moved_seeds
SELECT url FROM page WHERE scan = ? AND depth = 0 AND source = 'redirect' AND kind = 'page' ORDER BY id;

-- name: known_identity
SELECT 1 FROM page WHERE scan = ? AND identity = ?;

-- name: state_counts
SELECT state, count(*) FROM page WHERE scan = ? GROUP BY state;

-- name: skipped_counts
SELECT reason, count FROM skipped WHERE scan = ? ORDER BY reason;

-- name: pages
SELECT page.url, page.kind, page.key, page.fetch_url, page.source, parent.url, page.region, page.title, page.text,
       page.depth, page.hops, page.state, page.status, page.content_type, page.language, page.first_seen, page.last_seen,
       page.reason
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.scan = ? ORDER BY page.key;

-- name: page_by_identity
SELECT page.url, page.kind, page.key, page.fetch_url, page.source, parent.url, page.region, page.title, page.text,
       page.depth, page.hops, page.state, page.status, page.content_type, page.language, page.first_seen, page.last_seen,
       page.reason
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.scan = ? AND page.identity = ?;

-- name: links
SELECT source.url, target.url, link.element
FROM link JOIN page AS source ON source.scan = link.scan AND source.identity = link.source
          JOIN page AS target ON target.scan = link.scan AND target.identity = link.target
WHERE link.scan = ? ORDER BY source.key, target.key;

-- name: end_scan
UPDATE scan SET state = ?, finished = ? WHERE number = ?;
