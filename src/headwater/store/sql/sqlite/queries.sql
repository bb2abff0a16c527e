-- name: add_scan
INSERT INTO scan (seeds, settings, state, started, site, first_page)
VALUES (?, ?, 'running', ?, (SELECT number FROM site WHERE seeds = ?), (SELECT coalesce(max(id), 0) FROM page));

-- name: add_site
INSERT INTO site (seeds, host, first_seen) VALUES (?, ?, ?) ON CONFLICT (seeds) DO NOTHING;

-- name: last_scan
SELECT number, seeds, settings, state, started, finished FROM scan ORDER BY number DESC LIMIT 1;

-- name: last_unfinished_scan
SELECT number, seeds, settings, state, started, finished FROM scan WHERE state <> 'done' ORDER BY number DESC LIMIT 1;

-- name: scan_by_number
SELECT number, seeds, settings, state, started, finished FROM scan WHERE number = ?;

-- name: named_scan
SELECT number, seeds, settings, state, started, finished FROM scan
WHERE number = (SELECT max(scan) FROM event WHERE kind = ? AND data = ?);

-- name: add_found
INSERT INTO page (scan, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region,
                  text, reason, state, first_seen, element, attribute, sources, evidence, importance, lastmod, changefreq,
                  sitemap_priority, hreflang)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scan, identity) DO UPDATE SET
    kind = iif($IS_REOPENED, excluded.kind, page.kind), hops = iif($IS_REOPENED, excluded.hops, page.hops),
    redirects = iif($IS_REOPENED, excluded.redirects, page.redirects),
    is_suspect = iif($IS_REOPENED, excluded.is_suspect, page.is_suspect),
    reason = iif($IS_REOPENED, excluded.reason, page.reason),
    depth = iif(page.reason = $NOT_FOLLOWED, excluded.depth, min(excluded.depth, page.depth)),
    parent = excluded.parent, source = excluded.source, region = excluded.region,
    text = coalesce(nullif(excluded.text, ''), page.text), element = excluded.element, attribute = excluded.attribute,
    sources = page.sources | excluded.sources,
    state = iif((page.state = 5 AND page.reason = '') OR $IS_REOPENED, excluded.state, page.state),
    other_urls = iif(coalesce(page.fetch_url, page.url) = coalesce(excluded.fetch_url, excluded.url), page.other_urls,
        page.other_urls || char(10) || iif($TAKES_SPELLING, coalesce(page.fetch_url, page.url), coalesce(excluded.fetch_url, excluded.url))),
    fetch_url = iif($TAKES_SPELLING, excluded.fetch_url, page.fetch_url), url = iif($TAKES_SPELLING, excluded.url, page.url)
WHERE page.key = excluded.key AND (excluded.reason <> $NOT_FOLLOWED OR page.reason = $NOT_FOLLOWED)
  AND (excluded.depth < page.depth OR $IS_REOPENED OR
    (excluded.depth = page.depth AND
    (SELECT key FROM page AS other WHERE other.scan = excluded.scan AND other.identity = excluded.parent)
  < (SELECT key FROM page AS other WHERE other.scan = page.scan AND other.identity = page.parent)));

-- name: add_listed
INSERT INTO page (scan, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region,
                  text, reason, state, first_seen, element, attribute, sources, evidence, importance, lastmod, changefreq,
                  sitemap_priority, hreflang)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (scan, identity) DO UPDATE SET
    sources = page.sources | excluded.sources, evidence = coalesce(page.evidence, excluded.evidence),
    importance = coalesce(max(page.importance, excluded.importance), page.importance, excluded.importance),
    lastmod = coalesce(excluded.lastmod, page.lastmod), changefreq = coalesce(excluded.changefreq, page.changefreq),
    sitemap_priority = coalesce(excluded.sitemap_priority, page.sitemap_priority),
    hreflang = coalesce(excluded.hreflang, page.hreflang), text = coalesce(nullif(page.text, ''), excluded.text),
    state = iif(page.state = 5 OR page.reason = $NOT_FOLLOWED
        OR (page.state = 4 AND page.last_seen IS NULL AND excluded.state = 5 AND page.reason = excluded.reason), excluded.state, page.state),
    depth = iif(page.reason = $NOT_FOLLOWED, excluded.depth, page.depth),
    reason = iif(page.reason = $NOT_FOLLOWED, excluded.reason, page.reason),
    other_urls = iif(coalesce(page.fetch_url, page.url) = coalesce(excluded.fetch_url, excluded.url)
                     OR instr(page.other_urls || char(10), char(10) || coalesce(excluded.fetch_url, excluded.url) || char(10)),
                     page.other_urls, page.other_urls || char(10) || coalesce(excluded.fetch_url, excluded.url))
WHERE page.key = excluded.key;

-- Another way in which a page was linked to: it is kept, and tried first if it comes first by scheme and letters.
-- name: add_spelling
UPDATE page SET
    other_urls = page.other_urls || char(10) || iif($IS_BETTER, coalesce(fetch_url, url), ?1),
    fetch_url = iif($IS_BETTER, nullif(?1, url), fetch_url)
WHERE scan = ?2 AND identity = ?3 AND coalesce(fetch_url, url) <> ?1 AND length(other_urls) < 10000
  AND instr(other_urls || char(10), char(10) || ?1 || char(10)) = 0;

-- name: other_spellings
SELECT identity, coalesce(fetch_url, url), other_urls FROM page WHERE scan = ? AND state = 2 AND other_urls <> '' ORDER BY key;

-- name: take_spelling
UPDATE page SET state = 0, reason = '', status = NULL, fetch_url = nullif(?, url), other_urls = ? WHERE scan = ? AND identity = ?;

-- name: forget_duplicates
UPDATE page SET state = 1, leads_to = NULL WHERE scan = ? AND state = 7;

-- name: same_content
SELECT content_hash, identity, key, url, coalesce(canonical, ''), inlinks, source = 'seed', hops FROM page
WHERE scan = ?1 AND kind = 'page' AND state = 1 AND may_be_duplicate AND content_hash IN (
    SELECT content_hash FROM page WHERE scan = ?1 AND kind = 'page' AND state = 1 AND may_be_duplicate
    GROUP BY content_hash HAVING count(*) > 1)
ORDER BY content_hash, key;

-- name: canonicals
SELECT identity, canonical, text_hash FROM page
WHERE scan = ? AND kind = 'page' AND state = 1 AND text_hash IS NOT NULL AND canonical <> '' AND source <> 'seed' ORDER BY key;

-- name: twin
SELECT identity, state, leads_to FROM page WHERE scan = ? AND identity = ? AND text_hash = ? AND hops = 0 AND state IN (1, 7);

-- name: set_duplicate
UPDATE page SET state = 7, leads_to = ? WHERE scan = ? AND identity = ?;

-- name: settle_page
UPDATE page SET state = ?, status = ?, reason = ?, title = ?, language = ?, stated_language = ?5, content_type = ?, canonical = ?, etag = ?,
                last_modified = ?, last_seen = ?, content_hash = ?, url = ?, fetch_url = ?,
                other_urls = iif(?1 = 2 AND coalesce(fetch_url, url) <> coalesce(?13, ?12),
                                 other_urls || char(10) || coalesce(fetch_url, url), other_urls),
                leads_to = ?, noindex = ?, unchanged = ?, may_be_duplicate = ?, text_hash = ?, link_list = ?
WHERE scan = ? AND identity = ?;

-- name: clear_suspicion
UPDATE page SET is_suspect = 0 WHERE scan = ? AND identity = ? AND state = 0 AND is_suspect;

-- name: add_link_block
INSERT INTO link_block (id, targets, places, place_of, texts) VALUES (?, ?, ?, ?, ?);

-- name: add_link_list
INSERT INTO link_list (id, links, pages, lengths, numbers) VALUES (?, ?, ?, ?, ?);

-- name: add_skipped
INSERT INTO skipped (scan, reason, count) VALUES (?, ?, ?)
ON CONFLICT (scan, reason) DO UPDATE SET count = count + excluded.count;

-- name: waiting
SELECT id, identity, key, url, fetch_url, depth, hops, is_suspect, redirects
FROM page WHERE scan = ? AND state = 0 AND depth = ? AND NOT is_suspect AND id > ? ORDER BY id LIMIT ?;

-- name: suspects
SELECT identity FROM page WHERE scan = ? AND state = 0 AND depth = ? AND is_suspect ORDER BY key;

-- name: known_urls
SELECT identity, id, kind, depth, reason, is_suspect, state, fetch_url, url, last_seen IS NOT NULL
FROM page WHERE scan = ? AND identity IN (SELECT value FROM json_each(?));

-- name: newest_url
SELECT coalesce(max(id), 0) FROM page;

-- name: candidates
SELECT id, identity, key, url, fetch_url, depth, hops, is_suspect, redirects
FROM page WHERE scan = ? AND state = 0 AND identity IN (SELECT value FROM json_each(?));

-- name: next_depth
SELECT min(depth) FROM page WHERE scan = ? AND state = 0 AND depth >= ?;

-- name: retry_deferred
UPDATE page SET state = 0, reason = '' WHERE scan = ? AND state = 3;

-- Pages that max_urls_per_source holds back.
-- name: held_sources
SELECT DISTINCT source FROM page WHERE scan = ? AND state = 8 ORDER BY source;

-- name: release_held
UPDATE page SET state = 0, reason = '' WHERE id IN (
    SELECT id FROM page WHERE scan = ? AND state = 8 AND source = ? ORDER BY depth, key LIMIT ?);

-- name: taken_counts
SELECT sources, count(*) FROM page WHERE scan = ? AND kind = 'page' AND state NOT IN (4, 8) GROUP BY sources;

-- name: moved_seeds
SELECT url FROM page WHERE scan = ? AND depth = 0 AND source = 'redirect' AND kind = 'page' AND hops = 0 ORDER BY id;

-- name: known_identity
SELECT 1 FROM page WHERE scan = ? AND identity = ?;

-- Counts read the table from the scan's first page on: going by the index and then to each row takes eight times as long.
-- name: state_counts
SELECT state, count(*) FROM page NOT INDEXED
WHERE id > (SELECT first_page FROM scan WHERE number = ?1) AND scan = ?1 GROUP BY state;

-- name: skipped_counts
SELECT reason, count FROM skipped WHERE scan = ? ORDER BY reason;

-- name: pages
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT group_concat(title, char(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = ? ORDER BY page.key;

-- name: page_by_identity
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT group_concat(title, char(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = ? AND page.identity = ?;

-- name: urls
SELECT identity, url FROM page WHERE scan = ? ORDER BY key;

-- name: last_link_block
SELECT id, targets FROM link_block WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1;

-- name: last_link_list
SELECT id, pages FROM link_list WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1;

-- name: count_links
SELECT sum(links) FROM link_list WHERE id >= ? AND id < ?;

-- name: link_blocks
SELECT id, targets, places, place_of, texts FROM link_block WHERE id >= ? AND id < ? ORDER BY id LIMIT ?;

-- name: link_block_at
SELECT id, targets, places, place_of, texts FROM link_block WHERE id <= ? AND id > ? ORDER BY id DESC LIMIT 1;

-- name: link_blocks_with
SELECT id FROM link_block WHERE id >= ? AND id < ? AND instr(targets, ?) > 0 ORDER BY id;

-- name: link_lists
SELECT id, pages, lengths, numbers FROM link_list WHERE id >= ? AND id < ? ORDER BY id LIMIT ?;

-- name: link_list_at
SELECT id, pages, lengths, numbers FROM link_list WHERE id <= ? AND id > ? ORDER BY id DESC LIMIT 1;

-- name: link_list_of
SELECT link_list FROM page WHERE scan = ? AND identity = ?;

-- name: inlinks_of
SELECT lists FROM inlink WHERE scan = ? AND page = ?;

-- name: nodes
SELECT identity, key, depth, parent = 0, source = 'seed', sources, importance IS NOT NULL, more_inlinks
FROM page WHERE scan = ? ORDER BY key;

-- name: set_way
UPDATE page SET depth = ?, parent = ?, source = ?, region = ?, element = ?, attribute = ?, text = coalesce(nullif(?, ''), text),
                sources = ?, inlinks = ?, content_inlinks = ?
WHERE scan = ? AND identity = ?;

-- name: set_sources
UPDATE page SET sources = ?, inlinks = ?, content_inlinks = ? WHERE scan = ? AND identity = ?;

-- name: set_inlinks
INSERT OR REPLACE INTO inlink (scan, page, lists) VALUES (?, ?, ?);

-- name: targets
SELECT identity, coalesce(fetch_url, url), kind, reason FROM page
WHERE scan = ? AND identity IN (SELECT value FROM json_each(?));

-- name: first_found_on
SELECT coalesce(fetch_url, url), kind, text, reason, source, region, element, attribute FROM page WHERE scan = ? AND parent = ?;

-- name: end_scan
UPDATE scan SET state = ?, finished = ? WHERE number = ?;

-- name: add_evidence
INSERT INTO evidence (scan, kind, url, parent, success, status, error, content, started, finished)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: evidence
SELECT kind, url, success, status, error, content, started, finished, parent, number
FROM evidence WHERE scan = ?1 AND (?2 = '' OR kind = ?2) ORDER BY number;

-- name: add_event
INSERT INTO event (scan, at, kind, data) VALUES (?, ?, ?, ?);

-- name: events
SELECT number, at, kind, data FROM event WHERE scan = ? AND number > ? ORDER BY number LIMIT ?;

-- A detected language that classification did not confirm is removed; a declared one stays as the page wrote it.
-- name: classify_page
UPDATE page SET priority = ?1, language = coalesce(nullif(?2, ''), iif(stated_language LIKE '%-x-detected', '', stated_language)),
                skip_scrape = ?3
WHERE scan = ?4 AND identity = ?5;

-- name: add_cluster
INSERT INTO cluster (scan, name, kind, title) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (scan, name) DO UPDATE SET title = excluded.title;

-- name: add_to_cluster
INSERT OR IGNORE INTO page_cluster (cluster, page)
SELECT cluster.number, page.id FROM cluster, page
WHERE cluster.scan = ?1 AND cluster.name = ?2 AND page.scan = ?1 AND page.identity = ?3;

-- name: forget_clusters
DELETE FROM page_cluster WHERE cluster IN (SELECT number FROM cluster WHERE scan = ?);

-- name: clusters
SELECT cluster.name, cluster.kind, cluster.title, count(page_cluster.page) AS pages
FROM cluster JOIN page_cluster ON page_cluster.cluster = cluster.number
WHERE cluster.scan = ? GROUP BY cluster.number ORDER BY pages DESC, cluster.name;

-- name: source_counts
SELECT sources, count(*) FROM page NOT INDEXED
WHERE id > (SELECT first_page FROM scan WHERE number = ?1) AND scan = ?1 AND kind = 'page' AND state IN $LISTED GROUP BY sources;

-- name: amend_evidence
UPDATE evidence SET content = ?, finished = ? WHERE number = ?;

-- name: visit_listed
UPDATE page SET state = 0, depth = coalesce(?3, depth)
WHERE scan = ?1 AND state = 5 AND kind = 'page' AND reason IN ('', 'robots-disallowed') AND sources & ?2;

-- name: listed
SELECT count(*) FROM page NOT INDEXED
WHERE id > (SELECT first_page FROM scan WHERE number = ?1) AND scan = ?1 AND kind = 'page' AND state IN $LISTED;

-- name: list_counts
SELECT state, iif(reason = 'not-html', reason, ''), count(*) FROM page NOT INDEXED
WHERE id > (SELECT first_page FROM scan WHERE number = ?1) AND scan = ?1 AND kind = 'page' GROUP BY 1, 2;

-- name: statuses
SELECT coalesce(nullif(reason, ''), CAST(status AS TEXT), 'not visited'), count(*) AS pages
FROM page NOT INDEXED
WHERE id > (SELECT first_page FROM scan WHERE number = ?1) AND scan = ?1 AND kind = 'page' AND state IN $LISTED GROUP BY 1 ORDER BY pages DESC;

-- name: orphans_and_gaps
SELECT sum(sources & ?2 > 0 AND sources & ?3 = 0), sum(sources & ?3 > 0 AND sources & ?2 = 0)
FROM page NOT INDEXED
WHERE id > (SELECT first_page FROM scan WHERE number = ?1) AND scan = ?1 AND kind = 'page' AND state IN $LISTED;

-- name: best_pages
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT group_concat(title, char(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.id IN (SELECT id FROM page WHERE scan = ?1 AND kind = 'page' AND state IN $LISTED
                  ORDER BY priority DESC, depth, id LIMIT ?2)
ORDER BY page.key;

-- name: previous_scan
SELECT old.number FROM scan AS old JOIN scan AS new ON new.number = ?
WHERE old.number < new.number AND old.seeds = new.seeds AND old.state IN ('done', 'incomplete', 'limited')
ORDER BY old.number DESC LIMIT 1;

-- name: visited
SELECT coalesce(etag, ''), coalesce(last_modified, ''), coalesce(title, ''), coalesce(stated_language, ''),
       coalesce(content_type, ''), coalesce(canonical, ''), content_hash, status, noindex, may_be_duplicate, text_hash, url,
       link_list IS NOT NULL
FROM page WHERE scan = ? AND identity = ? AND state IN (1, 7);

-- name: unreached
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = ?1 AND page.kind = 'page' AND page.state IN (1, 7)
  AND NOT EXISTS (SELECT 1 FROM page AS now WHERE now.scan = ?2 AND now.identity = page.identity);

-- name: pages_new
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = ?2 AND page.kind = 'page' AND page.state IN (0, 1, 5)
  AND NOT EXISTS (SELECT 1 FROM page AS old WHERE old.scan = ?1 AND old.identity = page.identity AND old.state IN (0, 1, 5))
ORDER BY page.key;

-- name: pages_changed
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
JOIN page AS old ON old.scan = ?1 AND old.identity = page.identity AND old.state IN (0, 1, 5)
WHERE page.scan = ?2 AND page.kind = 'page' AND page.state IN (0, 1, 5) AND NOT page.unchanged AND
    CASE WHEN page.state = 1 AND old.state = 1 AND page.content_hash IS NOT NULL AND old.content_hash IS NOT NULL
         THEN page.content_hash <> old.content_hash
         WHEN page.state = 1 AND old.state = 1 THEN page.etag IS NOT old.etag OR page.last_modified IS NOT old.last_modified
         ELSE page.lastmod IS NOT old.lastmod AND page.lastmod IS NOT NULL AND old.lastmod IS NOT NULL
              AND page.evidence NOT IN (SELECT number FROM evidence WHERE scan = ?2 AND kind = 'sitemap_fetch'
                                        AND json_extract(content, '$.dishonest')) END
ORDER BY page.key;

-- name: pages_gone
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = ?1 AND page.kind = 'page' AND page.state IN (0, 1, 5)
  AND NOT EXISTS (SELECT 1 FROM page AS now WHERE now.scan = ?2 AND now.identity = page.identity AND now.state IN (0, 1, 3, 5))
ORDER BY page.key;

-- name: index_parents
CREATE INDEX IF NOT EXISTS page_parent ON page (scan, parent);

-- name: distrust_sitemaps
UPDATE evidence SET content = json_set(content, '$.dishonest', json('true')) WHERE number IN (
    SELECT page.evidence
    FROM page JOIN page AS old ON old.scan = ?1 AND old.identity = page.identity AND old.state = 1
    WHERE page.scan = ?2 AND page.state = 1 AND page.evidence IS NOT NULL AND page.lastmod <> old.lastmod
    GROUP BY page.evidence
    HAVING count(*) >= 3 AND sum(page.unchanged OR page.content_hash = old.content_hash) * 2 > count(*));

-- name: told
SELECT id, identity, key, coalesce(nullif(title, ''), text), coalesce(stated_language, ''), coalesce(hreflang, ''), sources, importance,
       depth, inlinks, sitemap_priority, lastmod, content_inlinks
FROM page NOT INDEXED
WHERE id > max(?1, (SELECT first_page FROM scan WHERE number = ?2)) AND scan = ?2 AND kind = 'page' AND state IN $LISTED
ORDER BY id LIMIT ?3;

-- name: count_death
UPDATE page SET deaths = deaths + 1, reason = iif(deaths + 1 >= ?1, 'quarantined', reason),
                state = iif(deaths + 1 >= ?1, 2, state)
WHERE scan = ?2 AND identity = ?3 AND state = 0;

-- name: add_inlinks
UPDATE page SET inlinks = inlinks + ?1, more_inlinks = more_inlinks + ?1 WHERE scan = ?2 AND identity = ?3;

-- name: wish
SELECT wish FROM scan WHERE number = ?;

-- name: forget_wish
UPDATE scan SET wish = '' WHERE number = ? AND wish <> '';
