-- name: from_pages
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence

-- name: pages
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) WHERE page.scan = :scan ORDER BY page.key;

-- name: pages_by_priority
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) WHERE page.scan = :scan
ORDER BY page.priority DESC NULLS LAST, page.depth, page.key;

-- name: pages_by_depth
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) WHERE page.scan = :scan ORDER BY page.depth, page.key;

-- name: page_by_identity
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) WHERE page.scan = :scan AND page.identity = :identity;

-- name: are_best_pages
WHERE page.id IN (SELECT id FROM page WHERE scan = :scan AND kind = 'page' AND state IN $LISTED
                  ORDER BY priority DESC NULLS LAST, depth, key LIMIT :limit)

-- name: best_pages
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) $INCLUDE(are_best_pages) ORDER BY page.key;

-- name: best_pages_by_priority
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) $INCLUDE(are_best_pages)
ORDER BY page.priority DESC NULLS LAST, page.depth, page.key;

-- name: best_pages_by_depth
SELECT $PAGE_COLUMNS $INCLUDE(from_pages) $INCLUDE(are_best_pages) ORDER BY page.depth, page.key;

-- name: previous_visit
SELECT $PREVIOUS_VISIT_COLUMNS
FROM page WHERE scan = :scan AND identity = :identity AND state IN (1, 7);

-- name: unreached_pages
SELECT $PAGE_COLUMNS_WITHOUT_CLUSTERS $INCLUDE(from_pages)
WHERE page.scan = :old AND page.kind = 'page' AND page.state IN (1, 7)
  AND NOT EXISTS (SELECT 1 FROM page AS now WHERE now.scan = :new AND now.identity = page.identity);

-- name: pages_new
SELECT $PAGE_COLUMNS_WITHOUT_CLUSTERS $INCLUDE(from_pages)
WHERE page.scan = :new AND page.kind = 'page' AND page.state IN (0, 1, 5)
  AND NOT EXISTS (SELECT 1 FROM page AS old
                  WHERE old.scan = :old AND old.identity = page.identity AND old.state IN (0, 1, 5))
ORDER BY page.key;

-- name: pages_changed
-- Older scans have `dishonest` instead of `unreliable_lastmod`.
SELECT $PAGE_COLUMNS_WITHOUT_CLUSTERS $INCLUDE(from_pages)
JOIN page AS old ON old.scan = :old AND old.identity = page.identity AND old.state IN (0, 1, 5)
WHERE page.scan = :new AND page.kind = 'page' AND page.state IN (0, 1, 5) AND NOT page.unchanged AND
    CASE WHEN page.state = 1 AND old.state = 1 AND page.content_hash IS NOT NULL AND old.content_hash IS NOT NULL
         THEN page.content_hash <> old.content_hash
         WHEN page.state = 1 AND old.state = 1
         THEN page.etag $DIFFERS_FROM old.etag OR page.last_modified $DIFFERS_FROM old.last_modified
         ELSE page.lastmod $DIFFERS_FROM old.lastmod AND page.lastmod IS NOT NULL AND old.lastmod IS NOT NULL
              AND page.evidence NOT IN (SELECT number FROM evidence WHERE scan = :new AND kind = 'sitemap_fetch'
                                        AND (content LIKE '%"unreliable_lastmod":%true%'
                                             OR content LIKE '%"dishonest":%true%')) END
ORDER BY page.key;

-- The rule of `judge_presence`: a page that failed to load, or that an unfinished scan does not have, is not gone.
-- name: pages_gone
SELECT $PAGE_COLUMNS_WITHOUT_CLUSTERS $INCLUDE(from_pages)
LEFT JOIN page AS now ON now.scan = :new AND now.identity = page.identity
WHERE page.scan = :old AND page.kind = 'page' AND page.state IN (0, 1, 5) AND
    CASE WHEN now.state IS NULL THEN EXISTS (SELECT 1 FROM scan WHERE number = :new AND state = 'done')
         ELSE now.state = 6 OR (now.state = 2 AND (coalesce(now.status, 0) IN (404, 410) OR now.reason = 'soft-404'))
         END
ORDER BY page.key;

-- name: pages_unlisted
SELECT $PAGE_COLUMNS_WITHOUT_CLUSTERS $INCLUDE(from_pages)
WHERE page.scan = :old AND page.kind = 'page' AND page.state IN (0, 1, 5)
  AND NOT EXISTS (SELECT 1 FROM page AS now
                  WHERE now.scan = :new AND now.identity = page.identity AND now.state IN (0, 1, 3, 5))
ORDER BY page.key;

-- name: clear_duplicates
UPDATE page SET state = 1, reason = '', leads_to = NULL WHERE scan = :scan AND state = 7;

-- name: same_content
SELECT content_hash, identity, key, url, coalesce(canonical, '') AS canonical, inlinks, source = 'seed' AS is_seed, hops
FROM page WHERE scan = :scan AND kind = 'page' AND state = 1 AND may_be_duplicate AND content_hash IN (
    SELECT content_hash FROM page WHERE scan = :scan AND kind = 'page' AND state = 1 AND may_be_duplicate
    GROUP BY content_hash HAVING count(*) > 1)
ORDER BY content_hash, key;

-- name: canonicals
SELECT identity, canonical, text_hash FROM page
WHERE scan = :scan AND kind = 'page' AND state = 1 AND text_hash IS NOT NULL AND canonical <> '' AND source <> 'seed'
ORDER BY key;

-- name: find_duplicate
SELECT identity, state, leads_to FROM page
WHERE scan = :scan AND identity = :identity AND text_hash = :text_hash AND hops = 0 AND state IN (1, 7);

-- name: set_duplicate
UPDATE page SET state = 7, leads_to = :leads_to, reason = 'same-content' WHERE scan = :scan AND identity = :identity;

-- name: text_hashes
SELECT identity, simhash, minhash FROM page
WHERE scan = :scan AND kind = 'page' AND state = 1 AND hops = 0 AND minhash IS NOT NULL ORDER BY key;

-- name: clear_near_duplicates
UPDATE page SET near_duplicate_of = NULL, similarity = NULL WHERE scan = :scan AND near_duplicate_of IS NOT NULL;

-- name: set_near_duplicate
UPDATE page SET near_duplicate_of = :original, similarity = :similarity WHERE scan = :scan AND identity = :identity;

-- name: view_columns
SELECT page.identity, page.key, page.sketch, coalesce(page.canonical, '') AS canonical, page.noindex,
       CASE WHEN parent.state IN (1, 7) AND NOT parent.noindex THEN parent.key ELSE '' END AS parent, page.element,
       page.leads_to, (page.source = 'seed' OR page.sources & :sitemaps <> 0) AS is_protected
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.scan = :scan AND page.kind = 'page' AND page.hops = 0 AND page.state IN (1, 7) AND page.may_be_duplicate

-- name: view_pages
$INCLUDE(view_columns) AND (page.sketch IS NOT NULL OR page.noindex)
ORDER BY substr(page.key, 1, $FIND(page.key || '?', '?') - 1), page.key;

-- name: view_page
$INCLUDE(view_columns) AND page.identity = :identity;

-- name: unvisited_views
SELECT key FROM page WHERE scan = :scan AND state = 4 AND reason = :reason ORDER BY key;

-- name: listed_page
SELECT 1 FROM page WHERE scan = :scan AND identity = :identity AND kind = 'page' AND state IN (1, 7);

-- name: set_view
UPDATE page SET state = CASE WHEN state = 1 THEN 7 ELSE state END, leads_to = :leads_to, reason = :reason
WHERE scan = :scan AND identity = :identity;
