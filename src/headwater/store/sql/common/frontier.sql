-- Update of a page that another link leads to: the shortest path wins, then the smallest parent.
-- name: on_page_conflict
ON CONFLICT (scan, identity) DO UPDATE SET
    kind = CASE WHEN $IS_REOPENED THEN excluded.kind ELSE page.kind END,
    hops = CASE WHEN $IS_REOPENED THEN excluded.hops ELSE page.hops END,
    redirects = CASE WHEN $IS_REOPENED THEN excluded.redirects ELSE page.redirects END,
    is_suspect = CASE WHEN $IS_REOPENED THEN excluded.is_suspect ELSE page.is_suspect END,
    reason = CASE WHEN $IS_REOPENED THEN excluded.reason ELSE page.reason END,
    depth = CASE WHEN page.reason = $NOT_FOLLOWED THEN excluded.depth ELSE $LEAST(excluded.depth, page.depth) END,
    parent = excluded.parent, source = excluded.source, region = excluded.region,
    text = coalesce(nullif(excluded.text, ''), page.text), element = excluded.element, attribute = excluded.attribute,
    sources = page.sources | excluded.sources,
    state = CASE WHEN (page.state = 5 AND page.reason = '') OR $IS_REOPENED THEN excluded.state ELSE page.state END,
    other_urls = CASE WHEN coalesce(page.fetch_url, page.url) = coalesce(excluded.fetch_url, excluded.url) THEN page.other_urls
        ELSE page.other_urls || $LINE_FEED || CASE WHEN $TAKES_SPELLING THEN coalesce(page.fetch_url, page.url)
                                                   ELSE coalesce(excluded.fetch_url, excluded.url) END END,
    fetch_url = CASE WHEN $TAKES_SPELLING THEN excluded.fetch_url ELSE page.fetch_url END,
    url = CASE WHEN $TAKES_SPELLING THEN excluded.url ELSE page.url END
WHERE page.key = excluded.key AND (excluded.reason <> $NOT_FOLLOWED OR page.reason = $NOT_FOLLOWED)
  AND (excluded.depth < page.depth OR $IS_REOPENED OR
    (excluded.depth = page.depth AND
    (SELECT key FROM page AS other WHERE other.scan = excluded.scan AND other.identity = excluded.parent)
  < (SELECT key FROM page AS other WHERE other.scan = page.scan AND other.identity = page.parent)));

-- Update of a page that a sitemap, a feed or the navigation names again.
-- name: on_listed_page_conflict
ON CONFLICT (scan, identity) DO UPDATE SET
    sources = page.sources | excluded.sources, evidence = coalesce(page.evidence, excluded.evidence),
    importance = CASE WHEN page.importance > excluded.importance THEN page.importance
                      ELSE coalesce(excluded.importance, page.importance) END,
    lastmod = coalesce(excluded.lastmod, page.lastmod), changefreq = coalesce(excluded.changefreq, page.changefreq),
    sitemap_priority = coalesce(excluded.sitemap_priority, page.sitemap_priority),
    hreflang = coalesce(excluded.hreflang, page.hreflang), text = coalesce(nullif(page.text, ''), excluded.text),
    state = CASE WHEN page.state = 5 OR page.reason = $NOT_FOLLOWED
        OR (page.state = 4 AND page.last_seen IS NULL AND excluded.state = 5 AND page.reason = excluded.reason)
                 THEN excluded.state ELSE page.state END,
    depth = CASE WHEN page.reason = $NOT_FOLLOWED THEN excluded.depth ELSE page.depth END,
    reason = CASE WHEN page.reason = $NOT_FOLLOWED THEN excluded.reason ELSE page.reason END,
    other_urls = CASE WHEN coalesce(page.fetch_url, page.url) = coalesce(excluded.fetch_url, excluded.url)
        OR $FIND(page.other_urls || $LINE_FEED, $LINE_FEED || coalesce(excluded.fetch_url, excluded.url) || $LINE_FEED) > 0
        THEN page.other_urls ELSE page.other_urls || $LINE_FEED || coalesce(excluded.fetch_url, excluded.url) END
WHERE page.key = excluded.key;

-- Another spelling under which a page was linked. It is stored, and requested first if it sorts first by scheme and text.
-- name: add_spelling
UPDATE page SET
    other_urls = page.other_urls || $LINE_FEED || CASE WHEN $IS_BETTER THEN coalesce(fetch_url, url) ELSE :new END,
    fetch_url = CASE WHEN $IS_BETTER THEN nullif(:new, url) ELSE fetch_url END
WHERE scan = :scan AND identity = :identity AND coalesce(fetch_url, url) <> :new AND length(other_urls) < 10000
  AND $FIND(other_urls || $LINE_FEED, $LINE_FEED || :new || $LINE_FEED) = 0;

-- name: other_spellings
SELECT identity, coalesce(fetch_url, url) AS tried, other_urls AS others
FROM page WHERE scan = :scan AND state = 2 AND other_urls <> '' ORDER BY key;

-- name: switch_spelling
UPDATE page SET state = 0, reason = '', status = NULL, fetch_url = nullif(:fetch_url, url), other_urls = :other_urls
WHERE scan = :scan AND identity = :identity;

-- name: clear_suspects
UPDATE page SET is_suspect = FALSE WHERE scan = :scan AND identity $IN(identities) AND state = 0 AND is_suspect;

-- name: add_skipped
INSERT INTO skipped (scan, reason, count) VALUES (:scan, :reason, :count)
ON CONFLICT (scan, reason) DO UPDATE SET count = skipped.count + excluded.count;

-- name: next_candidates
SELECT id AS position, $CANDIDATE_COLUMNS
FROM page WHERE scan = :scan AND state = 0 AND depth = :depth AND NOT is_suspect AND id > :after ORDER BY id LIMIT :limit;

-- name: candidates
SELECT $CANDIDATE_COLUMNS FROM page WHERE scan = :scan AND state = 0 AND identity $IN(identities);

-- name: candidates_by_key
SELECT $CANDIDATE_COLUMNS FROM page WHERE scan = :scan AND state = 0 AND depth = :depth ORDER BY key;

-- name: visited_keys
SELECT key FROM page WHERE scan = :scan AND last_seen IS NOT NULL;

-- name: leave_unvisited
UPDATE page SET state = 5, reason = 'per-shape' WHERE scan = :scan AND identity $IN(identities) AND state = 0;

-- name: suspects
SELECT identity FROM page WHERE scan = :scan AND state = 0 AND depth = :depth AND is_suspect ORDER BY key;

-- name: known_urls
SELECT identity, id AS number, kind, depth, reason, is_suspect, state, coalesce(fetch_url, url) AS fetch_url, url,
       last_seen IS NOT NULL AS is_visited
FROM page WHERE scan = :scan AND identity $IN(identities);

-- name: visited_urls
SELECT url FROM page WHERE scan = :scan AND kind = 'page' AND state = 1;

-- name: known_identities
SELECT identity FROM page WHERE scan = :scan AND identity $IN(identities);

-- name: last_url_number
SELECT coalesce(max(id), 0) FROM page;

-- name: next_depth
SELECT min(depth) FROM page WHERE scan = :scan AND state = 0 AND depth >= :start;

-- name: retry_deferred
UPDATE page SET state = 0, reason = '' WHERE scan = :scan AND (state = 3 OR (state = 5 AND reason = 'per-shape'));

-- Pages that max_urls_per_source holds back.
-- name: held_sources
SELECT DISTINCT source FROM page WHERE scan = :scan AND state = 8 ORDER BY source;

-- name: release_held
UPDATE page SET state = 0, reason = '' WHERE id IN (
    SELECT id FROM page WHERE scan = :scan AND state = 8 AND source = :source ORDER BY depth, key LIMIT :limit);

-- name: source_usage
SELECT sources, count(*) FROM page WHERE scan = :scan AND kind = 'page' AND state NOT IN (4, 8) GROUP BY sources;

-- name: redirected_seeds
SELECT url FROM page WHERE scan = :scan AND depth = 0 AND source = 'redirect' AND kind = 'page' AND hops = 0 ORDER BY id;

-- name: enqueue_listed
UPDATE page SET state = 0, depth = coalesce(:depth, depth)
WHERE scan = :scan AND state = 5 AND kind = 'page' AND reason IN ('', 'robots-disallowed') AND sources & :sources <> 0;

-- name: record_crash
UPDATE page SET deaths = deaths + 1, reason = CASE WHEN deaths + 1 >= :limit THEN 'quarantined' ELSE reason END,
                state = CASE WHEN deaths + 1 >= :limit THEN 2 ELSE state END
WHERE scan = :scan AND identity = :identity AND state = 0;
