-- name: version
SELECT to_regclass(current_schema() || '.headwater') IS NOT NULL,
       EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()), current_setting('server_version_num')::int;

-- name: applied
SELECT version FROM headwater;

-- name: make_version
CREATE TABLE headwater (version INTEGER NOT NULL, queue TEXT NOT NULL DEFAULT '');
INSERT INTO headwater (version) VALUES (0);

-- name: set_version
UPDATE headwater SET version = %s;

-- name: make_tables
CREATE TEMPORARY TABLE IF NOT EXISTS incoming (
    batch BIGINT, place INTEGER, round INTEGER, is_listed BOOLEAN, identity BIGINT, key TEXT, url TEXT, fetch_url TEXT, kind TEXT,
    depth INTEGER, hops INTEGER, redirects INTEGER, is_suspect BOOLEAN, parent BIGINT, source TEXT, region TEXT, text TEXT,
    reason TEXT, state SMALLINT, first_seen TEXT, element TEXT, attribute TEXT, sources INTEGER, evidence BIGINT,
    importance DOUBLE PRECISION, lastmod TEXT, changefreq TEXT, sitemap_priority DOUBLE PRECISION, hreflang TEXT
);
CREATE TEMPORARY TABLE IF NOT EXISTS outcome (
    batch BIGINT, state SMALLINT, status INTEGER, reason TEXT, title TEXT, language TEXT, content_type TEXT, canonical TEXT, etag TEXT,
    last_modified TEXT, last_seen TEXT, content_hash BIGINT, url TEXT, fetch_url TEXT, leads_to BIGINT, noindex BOOLEAN,
    unchanged BOOLEAN, may_be_duplicate BOOLEAN, text_hash BIGINT, link_list BIGINT, identity BIGINT
);
CREATE TEMPORARY TABLE IF NOT EXISTS classified (
    batch BIGINT, identity BIGINT, priority DOUBLE PRECISION, language TEXT, skip_scrape BOOLEAN
);
CREATE TEMPORARY TABLE IF NOT EXISTS member (batch BIGINT, name TEXT, identity BIGINT);

-- Emptying a table costs more than a small batch, so batches are numbered and tables emptied now and then.
-- name: empty_incoming
TRUNCATE incoming;

-- name: empty_outcome
TRUNCATE outcome;

-- name: empty_classified
TRUNCATE classified;

-- name: empty_member
TRUNCATE member;

-- name: copy_incoming
COPY incoming FROM STDIN;

-- name: copy_outcome
COPY outcome FROM STDIN;

-- name: copy_classified
COPY classified FROM STDIN;

-- name: copy_member
COPY member FROM STDIN;

-- The scan's revision tells after a lost connection whether the batch was kept; a site's epoch keeps out whoever had it
-- before.
-- name: mark
WITH held AS (
    UPDATE site SET touched = now(), pages = pages + %(pages)s
    WHERE number = %(site)s AND epoch = %(epoch)s RETURNING number
)
UPDATE scan SET revision = revision + 1
WHERE number = %(scan)s AND (%(site)s::bigint IS NULL OR EXISTS (SELECT 1 FROM held)) RETURNING revision;

-- name: revision
SELECT revision FROM scan WHERE number = %s;

-- name: add_site
INSERT INTO site (seeds, host, first_seen) VALUES (%s, %s, %s) ON CONFLICT (md5(seeds)) DO NOTHING;

-- name: add_scan
INSERT INTO scan (seeds, settings, state, started, site)
VALUES (%s, %s, 'running', %s, (SELECT number FROM site WHERE md5(seeds) = md5(%s)))
RETURNING number, seeds, settings, state, started, finished;

-- name: last_scan
SELECT number, seeds, settings, state, started, finished FROM scan ORDER BY number DESC LIMIT 1;

-- name: last_unfinished_scan
SELECT number, seeds, settings, state, started, finished FROM scan WHERE state <> 'done' ORDER BY number DESC LIMIT 1;

-- name: scan_by_number
SELECT number, seeds, settings, state, started, finished FROM scan WHERE number = %s;

-- name: named_scan
SELECT number, seeds, settings, state, started, finished FROM scan
WHERE number = (SELECT max(scan) FROM event WHERE kind = %s AND data = %s);

-- name: add_found
INSERT INTO page (scan, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region,
                  text, reason, state, first_seen, element, attribute, sources, evidence, importance, lastmod, changefreq,
                  sitemap_priority, hreflang)
SELECT %s, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region, text, reason,
       state, first_seen, element, attribute, sources, evidence, importance, lastmod, changefreq, sitemap_priority, hreflang
FROM incoming WHERE batch = %s AND NOT is_listed AND round = %s ORDER BY place
ON CONFLICT (scan, identity) DO UPDATE SET
    kind = CASE WHEN $IS_REOPENED THEN excluded.kind ELSE page.kind END,
    hops = CASE WHEN $IS_REOPENED THEN excluded.hops ELSE page.hops END,
    redirects = CASE WHEN $IS_REOPENED THEN excluded.redirects ELSE page.redirects END,
    is_suspect = CASE WHEN $IS_REOPENED THEN excluded.is_suspect ELSE page.is_suspect END,
    reason = CASE WHEN $IS_REOPENED THEN excluded.reason ELSE page.reason END,
    depth = CASE WHEN page.reason = $NOT_FOLLOWED THEN excluded.depth ELSE least(excluded.depth, page.depth) END,
    parent = excluded.parent, source = excluded.source, region = excluded.region,
    text = coalesce(nullif(excluded.text, ''), page.text), element = excluded.element, attribute = excluded.attribute,
    sources = page.sources | excluded.sources,
    state = CASE WHEN (page.state = 5 AND page.reason = '') OR $IS_REOPENED THEN excluded.state ELSE page.state END,
    other_urls = CASE WHEN coalesce(page.fetch_url, page.url) = coalesce(excluded.fetch_url, excluded.url) THEN page.other_urls
        ELSE page.other_urls || chr(10) || CASE WHEN $TAKES_SPELLING THEN coalesce(page.fetch_url, page.url)
                                                ELSE coalesce(excluded.fetch_url, excluded.url) END END,
    fetch_url = CASE WHEN $TAKES_SPELLING THEN excluded.fetch_url ELSE page.fetch_url END,
    url = CASE WHEN $TAKES_SPELLING THEN excluded.url ELSE page.url END
WHERE page.key = excluded.key AND (excluded.reason <> $NOT_FOLLOWED OR page.reason = $NOT_FOLLOWED)
  AND (excluded.depth < page.depth OR $IS_REOPENED OR
    (excluded.depth = page.depth AND
    (SELECT key FROM page AS other WHERE other.scan = excluded.scan AND other.identity = excluded.parent)
  < (SELECT key FROM page AS other WHERE other.scan = page.scan AND other.identity = page.parent)));

-- name: add_listed
INSERT INTO page (scan, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region,
                  text, reason, state, first_seen, element, attribute, sources, evidence, importance, lastmod, changefreq,
                  sitemap_priority, hreflang)
SELECT %s, identity, key, url, fetch_url, kind, depth, hops, redirects, is_suspect, parent, source, region, text, reason,
       state, first_seen, element, attribute, sources, evidence, importance, lastmod, changefreq, sitemap_priority, hreflang
FROM incoming WHERE batch = %s AND is_listed AND round = %s ORDER BY place
ON CONFLICT (scan, identity) DO UPDATE SET
    sources = page.sources | excluded.sources, evidence = coalesce(page.evidence, excluded.evidence),
    importance = greatest(page.importance, excluded.importance),
    lastmod = coalesce(excluded.lastmod, page.lastmod), changefreq = coalesce(excluded.changefreq, page.changefreq),
    sitemap_priority = coalesce(excluded.sitemap_priority, page.sitemap_priority),
    hreflang = coalesce(excluded.hreflang, page.hreflang), text = coalesce(nullif(page.text, ''), excluded.text),
    state = CASE WHEN page.state = 5 OR page.reason = $NOT_FOLLOWED
        OR (page.state = 4 AND page.last_seen IS NULL AND excluded.state = 5 AND page.reason = excluded.reason)
                 THEN excluded.state ELSE page.state END,
    depth = CASE WHEN page.reason = $NOT_FOLLOWED THEN excluded.depth ELSE page.depth END,
    reason = CASE WHEN page.reason = $NOT_FOLLOWED THEN excluded.reason ELSE page.reason END,
    other_urls = CASE WHEN coalesce(page.fetch_url, page.url) = coalesce(excluded.fetch_url, excluded.url)
        OR strpos(page.other_urls || chr(10), chr(10) || coalesce(excluded.fetch_url, excluded.url) || chr(10)) > 0
        THEN page.other_urls ELSE page.other_urls || chr(10) || coalesce(excluded.fetch_url, excluded.url) END
WHERE page.key = excluded.key;

-- Another way in which a page was linked to: it is kept, and tried first if it comes first by scheme and letters.
-- name: add_spelling
UPDATE page SET
    other_urls = page.other_urls || chr(10) || CASE WHEN $IS_BETTER
                                                    THEN coalesce(fetch_url, url) ELSE %(new)s END,
    fetch_url = CASE WHEN $IS_BETTER THEN nullif(%(new)s, url) ELSE fetch_url END
WHERE scan = %(scan)s AND identity = %(identity)s AND coalesce(fetch_url, url) <> %(new)s AND length(other_urls) < 10000
  AND strpos(other_urls || chr(10), chr(10) || %(new)s || chr(10)) = 0;

-- name: other_spellings
SELECT identity, coalesce(fetch_url, url), other_urls FROM page WHERE scan = %s AND state = 2 AND other_urls <> '' ORDER BY key;

-- name: take_spelling
UPDATE page SET state = 0, reason = '', status = NULL, fetch_url = nullif(%s, url), other_urls = %s
WHERE scan = %s AND identity = %s;

-- name: forget_duplicates
UPDATE page SET state = 1, leads_to = NULL WHERE scan = %s AND state = 7;

-- name: same_content
SELECT content_hash, identity, key, url, coalesce(canonical, ''), inlinks, source = 'seed', hops FROM page
WHERE scan = %(scan)s AND kind = 'page' AND state = 1 AND may_be_duplicate AND content_hash IN (
    SELECT content_hash FROM page WHERE scan = %(scan)s AND kind = 'page' AND state = 1 AND may_be_duplicate
    GROUP BY content_hash HAVING count(*) > 1)
ORDER BY content_hash, key;

-- name: canonicals
SELECT identity, canonical, text_hash FROM page
WHERE scan = %s AND kind = 'page' AND state = 1 AND text_hash IS NOT NULL AND canonical <> '' AND source <> 'seed'
ORDER BY key;

-- name: twin
SELECT identity, state, leads_to FROM page WHERE scan = %s AND identity = %s AND text_hash = %s AND hops = 0 AND state IN (1, 7);

-- name: set_duplicate
UPDATE page SET state = 7, leads_to = %s WHERE scan = %s AND identity = %s;

-- name: settle_pages
UPDATE page SET state = outcome.state, status = outcome.status, reason = outcome.reason, title = outcome.title,
                language = outcome.language, stated_language = outcome.language, content_type = outcome.content_type, canonical = outcome.canonical,
                etag = outcome.etag, last_modified = outcome.last_modified, last_seen = outcome.last_seen,
                content_hash = outcome.content_hash, url = outcome.url, fetch_url = outcome.fetch_url,
                other_urls = CASE WHEN outcome.state = 2
                                   AND coalesce(page.fetch_url, page.url) <> coalesce(outcome.fetch_url, outcome.url)
                                  THEN page.other_urls || chr(10) || coalesce(page.fetch_url, page.url)
                                  ELSE page.other_urls END,
                leads_to = outcome.leads_to, noindex = outcome.noindex, unchanged = outcome.unchanged,
                may_be_duplicate = outcome.may_be_duplicate, text_hash = outcome.text_hash,
                link_list = outcome.link_list
FROM outcome WHERE outcome.batch = %s AND page.scan = %s AND page.identity = outcome.identity;

-- name: clear_suspicion
UPDATE page SET is_suspect = FALSE WHERE scan = %s AND identity = ANY(%s::bigint[]) AND state = 0 AND is_suspect;

-- name: add_link_block
INSERT INTO link_block (id, targets, places, place_of, texts) VALUES (%s, %s, %s, %s, %s);

-- name: add_link_list
INSERT INTO link_list (id, links, pages, lengths, numbers) VALUES (%s, %s, %s, %s, %s);

-- name: add_skipped
INSERT INTO skipped (scan, reason, count)
SELECT %s, reason, count FROM unnest(%s::text[], %s::bigint[]) AS new (reason, count)
ON CONFLICT (scan, reason) DO UPDATE SET count = skipped.count + excluded.count;

-- name: waiting
SELECT id, identity, key, url, fetch_url, depth, hops, is_suspect, redirects
FROM page WHERE scan = %s AND state = 0 AND depth = %s AND NOT is_suspect AND id > %s ORDER BY id LIMIT %s;

-- name: suspects
SELECT identity FROM page WHERE scan = %s AND state = 0 AND depth = %s AND is_suspect ORDER BY key COLLATE "C";

-- name: known_urls
SELECT identity, id, kind, depth, reason, is_suspect, state, fetch_url, url, last_seen IS NOT NULL
FROM page WHERE scan = %s AND identity = ANY(%s::bigint[]);

-- name: newest_url
SELECT coalesce(max(id), 0) FROM page;

-- name: candidates
SELECT id, identity, key, url, fetch_url, depth, hops, is_suspect, redirects
FROM page WHERE scan = %s AND state = 0 AND identity = ANY(%s::bigint[]);

-- name: next_depth
SELECT min(depth) FROM page WHERE scan = %s AND state = 0 AND depth >= %s;

-- name: retry_deferred
UPDATE page SET state = 0, reason = '' WHERE scan = %s AND state = 3;

-- Pages that max_urls_per_source holds back.
-- name: held_sources
SELECT DISTINCT source FROM page WHERE scan = %s AND state = 8 ORDER BY source;

-- name: release_held
UPDATE page SET state = 0, reason = '' WHERE id IN (
    SELECT id FROM page WHERE scan = %s AND state = 8 AND source = %s ORDER BY depth, key LIMIT %s);

-- name: taken_counts
SELECT sources, count(*) FROM page WHERE scan = %s AND kind = 'page' AND state NOT IN (4, 8) GROUP BY sources;

-- name: moved_seeds
SELECT url FROM page WHERE scan = %s AND depth = 0 AND source = 'redirect' AND kind = 'page' AND hops = 0 ORDER BY id;

-- name: known_identities
SELECT identity FROM page WHERE scan = %s AND identity = ANY(%s::bigint[]);

-- name: state_counts
SELECT state, count(*) FROM page WHERE scan = %s GROUP BY state;

-- name: skipped_counts
SELECT reason, count FROM skipped WHERE scan = %s ORDER BY reason;

-- name: pages
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT string_agg(title, chr(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = %s ORDER BY page.key;

-- name: page_by_identity
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT string_agg(title, chr(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = %s AND page.identity = %s;

-- name: urls
SELECT identity, url FROM page WHERE scan = %s ORDER BY key;

-- name: last_link_block
SELECT id, targets FROM link_block WHERE id >= %s AND id < %s ORDER BY id DESC LIMIT 1;

-- name: last_link_list
SELECT id, pages FROM link_list WHERE id >= %s AND id < %s ORDER BY id DESC LIMIT 1;

-- name: count_links
SELECT sum(links) FROM link_list WHERE id >= %s AND id < %s;

-- name: link_blocks
SELECT id, targets, places, place_of, texts FROM link_block WHERE id >= %s AND id < %s ORDER BY id LIMIT %s;

-- name: link_block_at
SELECT id, targets, places, place_of, texts FROM link_block WHERE id <= %s AND id > %s ORDER BY id DESC LIMIT 1;

-- name: link_blocks_with
SELECT id FROM link_block WHERE id >= %s AND id < %s AND position(%s::bytea IN targets) > 0 ORDER BY id;

-- name: link_lists
SELECT id, pages, lengths, numbers FROM link_list WHERE id >= %s AND id < %s ORDER BY id LIMIT %s;

-- name: link_list_at
SELECT id, pages, lengths, numbers FROM link_list WHERE id <= %s AND id > %s ORDER BY id DESC LIMIT 1;

-- name: link_list_of
SELECT link_list FROM page WHERE scan = %s AND identity = %s;

-- name: inlinks_of
SELECT lists FROM inlink WHERE scan = %s AND page = %s;

-- name: nodes
SELECT identity, key, depth, parent = 0, source = 'seed', sources, importance IS NOT NULL, more_inlinks
FROM page WHERE scan = %s ORDER BY key;

-- name: set_ways
UPDATE page SET depth = new.depth, parent = new.parent, source = new.source, region = new.region, element = new.element,
                attribute = new.attribute, text = coalesce(nullif(new.text, ''), page.text), sources = new.sources,
                inlinks = new.inlinks, content_inlinks = new.content_inlinks
FROM unnest(%s::integer[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::integer[],
            %s::integer[], %s::integer[], %s::bigint[], %s::bigint[])
     AS new (depth, parent, source, region, element, attribute, text, sources, inlinks, content_inlinks, scan, identity)
WHERE page.scan = new.scan AND page.identity = new.identity;

-- name: set_sources
UPDATE page SET sources = new.sources, inlinks = new.inlinks, content_inlinks = new.content_inlinks
FROM unnest(%s::integer[], %s::integer[], %s::integer[], %s::bigint[], %s::bigint[])
     AS new (sources, inlinks, content_inlinks, scan, identity)
WHERE page.scan = new.scan AND page.identity = new.identity;

-- name: set_inlinks
INSERT INTO inlink (scan, page, lists)
SELECT scan, page, lists FROM unnest(%s::bigint[], %s::bigint[], %s::bytea[]) AS new (scan, page, lists)
ON CONFLICT (scan, page) DO UPDATE SET lists = excluded.lists;

-- name: targets
SELECT identity, coalesce(fetch_url, url), kind, reason FROM page WHERE scan = %s AND identity = ANY (%s::bigint[]);

-- name: first_found_on
SELECT coalesce(fetch_url, url), kind, text, reason, source, region, element, attribute FROM page WHERE scan = %s AND parent = %s;

-- name: end_scan
UPDATE scan SET state = %s, finished = %s WHERE number = %s;

-- name: add_evidence
INSERT INTO evidence (scan, kind, url, parent, success, status, error, content, started, finished)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING number;

-- name: evidence
SELECT kind, url, success, status, error, content, started, finished, parent, number
FROM evidence WHERE scan = %(scan)s AND (%(kind)s = '' OR kind = %(kind)s) ORDER BY number;

-- name: add_event
INSERT INTO event (scan, at, kind, data) VALUES (%s, %s, %s, %s);

-- name: events
SELECT number, at, kind, data FROM event WHERE scan = %s AND number > %s ORDER BY number LIMIT %s;

-- A detected language that classification did not confirm is removed; a declared one stays as the page wrote it.
-- name: classify_pages
UPDATE page SET priority = classified.priority, skip_scrape = classified.skip_scrape,
                language = coalesce(nullif(classified.language, ''),
                                    CASE WHEN page.stated_language LIKE '%%-x-detected' THEN '' ELSE page.stated_language END)
FROM classified WHERE classified.batch = %s AND page.scan = %s AND page.identity = classified.identity;

-- name: add_clusters
INSERT INTO cluster (scan, name, kind, title)
SELECT %s, name, kind, title FROM unnest(%s::text[], %s::text[], %s::text[]) AS new (name, kind, title)
ON CONFLICT (scan, name) DO UPDATE SET title = excluded.title;

-- name: add_members
INSERT INTO page_cluster (cluster, page)
SELECT cluster.number, page.id FROM member
JOIN cluster ON cluster.scan = %(scan)s AND cluster.name = member.name
JOIN page ON page.scan = %(scan)s AND page.identity = member.identity
WHERE member.batch = %(batch)s
ON CONFLICT DO NOTHING;

-- name: forget_clusters
DELETE FROM page_cluster WHERE cluster IN (SELECT number FROM cluster WHERE scan = %s);

-- name: clusters
SELECT cluster.name, cluster.kind, cluster.title, count(page_cluster.page) AS pages
FROM cluster JOIN page_cluster ON page_cluster.cluster = cluster.number
WHERE cluster.scan = %s GROUP BY cluster.number ORDER BY pages DESC, cluster.name;

-- name: source_counts
SELECT sources, count(*) FROM page WHERE scan = %s AND kind = 'page' AND state IN $LISTED GROUP BY sources;

-- name: amend_evidence
UPDATE evidence SET content = %s, finished = %s WHERE number = %s;

-- name: scan_of_evidence
SELECT scan FROM evidence WHERE number = %s;

-- name: visit_listed
UPDATE page SET state = 0, depth = coalesce(%(depth)s, depth)
WHERE scan = %(scan)s AND state = 5 AND kind = 'page' AND reason IN ('', 'robots-disallowed') AND sources & %(sources)s <> 0;

-- name: listed
SELECT count(*) FROM page WHERE scan = %s AND kind = 'page' AND state IN $LISTED;

-- name: list_counts
SELECT state, CASE WHEN reason = 'not-html' THEN reason ELSE '' END, count(*)
FROM page WHERE scan = %s AND kind = 'page' GROUP BY 1, 2;

-- name: statuses
SELECT coalesce(nullif(reason, ''), status::text, 'not visited'), count(*) AS pages
FROM page WHERE scan = %s AND kind = 'page' AND state IN $LISTED GROUP BY 1 ORDER BY pages DESC;

-- name: orphans_and_gaps
SELECT count(*) FILTER (WHERE sources & %(listing)s > 0 AND sources & %(linking)s = 0),
       count(*) FILTER (WHERE sources & %(linking)s > 0 AND sources & %(listing)s = 0)
FROM page WHERE scan = %(scan)s AND kind = 'page' AND state IN $LISTED;

-- name: best_pages
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in,
       (SELECT string_agg(title, chr(31)) FROM page_cluster JOIN cluster ON cluster.number = page_cluster.cluster
        WHERE page_cluster.page = page.id) AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.id IN (SELECT id FROM page WHERE scan = %s AND kind = 'page' AND state IN $LISTED
                  ORDER BY priority DESC NULLS LAST, depth, id LIMIT %s)
ORDER BY page.key;

-- name: previous_scan
SELECT old.number FROM scan AS old JOIN scan AS new ON new.number = %s
WHERE old.number < new.number AND md5(old.seeds) = md5(new.seeds) AND old.seeds = new.seeds
  AND old.state IN ('done', 'incomplete', 'limited')
ORDER BY old.number DESC LIMIT 1;

-- name: visited
SELECT coalesce(etag, ''), coalesce(last_modified, ''), coalesce(title, ''), coalesce(stated_language, ''),
       coalesce(content_type, ''), coalesce(canonical, ''), content_hash, status, noindex, may_be_duplicate, text_hash, url,
       link_list IS NOT NULL
FROM page WHERE scan = %s AND identity = %s AND state IN (1, 7);

-- name: unreached
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = %(old)s AND page.kind = 'page' AND page.state IN (1, 7)
  AND NOT EXISTS (SELECT 1 FROM page AS now WHERE now.scan = %(new)s AND now.identity = page.identity);

-- name: pages_new
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = %(new)s AND page.kind = 'page' AND page.state IN (0, 1, 5)
  AND NOT EXISTS (SELECT 1 FROM page AS old
                  WHERE old.scan = %(old)s AND old.identity = page.identity AND old.state IN (0, 1, 5))
ORDER BY page.key;

-- name: pages_changed
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
JOIN page AS old ON old.scan = %(old)s AND old.identity = page.identity AND old.state IN (0, 1, 5)
WHERE page.scan = %(new)s AND page.kind = 'page' AND page.state IN (0, 1, 5) AND NOT page.unchanged AND
    CASE WHEN page.state = 1 AND old.state = 1 AND page.content_hash IS NOT NULL AND old.content_hash IS NOT NULL
         THEN page.content_hash <> old.content_hash
         WHEN page.state = 1 AND old.state = 1
         THEN page.etag IS DISTINCT FROM old.etag OR page.last_modified IS DISTINCT FROM old.last_modified
         ELSE page.lastmod IS DISTINCT FROM old.lastmod AND page.lastmod IS NOT NULL AND old.lastmod IS NOT NULL
              AND page.evidence NOT IN (SELECT number FROM evidence WHERE scan = %(new)s AND kind = 'sitemap_fetch'
                                        AND content LIKE '%%"dishonest": true%%') END
ORDER BY page.key;

-- name: pages_gone
SELECT page.*, parent.url AS found_on, evidence.url AS listed_in, NULL AS clusters
FROM page LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE page.scan = %(old)s AND page.kind = 'page' AND page.state IN (0, 1, 5)
  AND NOT EXISTS (SELECT 1 FROM page AS now
                  WHERE now.scan = %(new)s AND now.identity = page.identity AND now.state IN (0, 1, 3, 5))
ORDER BY page.key;

-- name: dishonest_sitemaps
SELECT number, content FROM evidence WHERE number IN (
    SELECT page.evidence
    FROM page JOIN page AS old ON old.scan = %(old)s AND old.identity = page.identity AND old.state = 1
    WHERE page.scan = %(new)s AND page.state = 1 AND page.evidence IS NOT NULL AND page.lastmod <> old.lastmod
    GROUP BY page.evidence
    HAVING count(*) >= 3
       AND count(*) FILTER (WHERE page.unchanged OR page.content_hash = old.content_hash) * 2 > count(*));

-- name: set_evidence
UPDATE evidence SET content = %s WHERE number = %s;

-- name: told
SELECT identity, key, coalesce(nullif(title, ''), text), coalesce(stated_language, ''), coalesce(hreflang, ''), sources, importance,
       depth, inlinks, sitemap_priority, lastmod, content_inlinks
FROM page WHERE scan = %s AND kind = 'page' AND state IN $LISTED AND identity > %s ORDER BY identity LIMIT %s;

-- name: count_death
UPDATE page SET deaths = deaths + 1, reason = CASE WHEN deaths + 1 >= %(limit)s THEN 'quarantined' ELSE reason END,
                state = CASE WHEN deaths + 1 >= %(limit)s THEN 2 ELSE state END
WHERE scan = %(scan)s AND identity = %(identity)s AND state = 0;

-- name: add_inlinks
UPDATE page SET inlinks = page.inlinks + counted.pages, more_inlinks = page.more_inlinks + counted.pages
FROM (SELECT %s::integer AS scan, unnest(%s::bigint[]) AS target, unnest(%s::integer[]) AS pages) AS counted
WHERE page.scan = counted.scan AND page.identity = counted.target;

-- name: wish
SELECT wish FROM scan WHERE number = %s;

-- name: forget_wish
UPDATE scan SET wish = '' WHERE number = %s AND wish <> '';

-- Until the connection ends.
-- name: hold
SELECT pg_try_advisory_lock(1212438356, hashtext(%s));
