-- name: add_scan
INSERT INTO scan (seeds, settings, state, started, site, first_page)
VALUES (:seeds, :settings, 'running', :now, (SELECT number FROM site WHERE seeds = :site),
        (SELECT coalesce(max(id), 0) FROM page));

-- Only a second scan of the same seeds looks up pages by their parent; the first one is written faster without the index.
-- name: create_parent_index
CREATE INDEX IF NOT EXISTS page_parent ON page (scan, parent);

-- name: upsert_page
INSERT INTO page ($DISCOVERED_COLUMNS) VALUES ($DISCOVERED_VALUES) $INCLUDE(on_page_conflict);

-- name: upsert_listed_page
INSERT INTO page ($DISCOVERED_COLUMNS) VALUES ($DISCOVERED_VALUES) $INCLUDE(on_listed_page_conflict);

-- name: update_visited_page
UPDATE page SET $VISIT_ASSIGNMENTS, stated_language = :language,
    other_urls = iif(:state = 2 AND coalesce(fetch_url, url) <> coalesce(:fetch_url, :url),
                     other_urls || char(10) || coalesce(fetch_url, url), other_urls)
WHERE scan = :scan AND identity = :identity;

-- name: link_blocks_with_target
SELECT id FROM link_block WHERE id >= :start AND id < :stop AND instr(targets, :target) > 0 ORDER BY id;

-- name: update_link_data
UPDATE page SET depth = :depth, parent = :parent, source = :source, region = :region, element = :element,
                attribute = :attribute, text = coalesce(nullif(:text, ''), text), sources = :sources, inlinks = :inlinks,
                content_inlinks = :content_inlinks
WHERE scan = :scan AND identity = :identity;

-- name: set_sources
UPDATE page SET sources = :sources, inlinks = :inlinks, content_inlinks = :content_inlinks
WHERE scan = :scan AND identity = :identity;

-- name: set_inlinks
INSERT OR REPLACE INTO inlink (scan, page, lists) VALUES (:scan, :identity, :lists);

-- name: add_inlinks
UPDATE page SET inlinks = inlinks + :count, more_inlinks = more_inlinks + :count WHERE scan = :scan AND identity = :identity;

-- A detected language that classification did not confirm is removed; a declared one stays as the page wrote it.
-- name: classify_pages
UPDATE page SET priority = :priority, skip_scrape = :skip_scrape,
                language = coalesce(nullif(:language, ''), iif(stated_language LIKE '%-x-detected', '', stated_language))
WHERE scan = :scan AND identity = :identity;

-- name: add_clusters
INSERT INTO cluster (scan, name, kind, title) VALUES (:scan, :name, :kind, :title)
ON CONFLICT (scan, name) DO UPDATE SET title = excluded.title;

-- name: add_cluster_members
INSERT OR IGNORE INTO page_cluster (cluster, page)
SELECT cluster.number, page.id FROM cluster, page
WHERE cluster.scan = :scan AND cluster.name = :name AND page.scan = :scan AND page.identity = :identity;

-- name: classifier_inputs
SELECT $INCLUDE(classifier_input_columns) FROM page NOT INDEXED
WHERE id > max((SELECT first_page FROM scan WHERE number = :scan),
               coalesce((SELECT id FROM page WHERE scan = :scan AND identity = :after), 0))
  AND scan = :scan AND kind = 'page' AND state IN $LISTED
ORDER BY id LIMIT :limit;

-- The unary plus keeps SQLite from reading the scan by its index: the few numbers are looked up instead.
-- name: pages_by_number
SELECT $PAGE_COLUMNS, page.id AS number
FROM json_each(:numbers) AS wanted CROSS JOIN page ON page.id = wanted.value
          LEFT JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
          LEFT JOIN evidence ON evidence.number = page.evidence
WHERE +page.scan = :scan;

-- name: identities
SELECT identity, id FROM page WHERE +scan = :scan AND id $IN(numbers);

-- name: parents
SELECT page.id, parent.id FROM json_each(:numbers) AS wanted CROSS JOIN page ON page.id = wanted.value
JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE +page.scan = :scan;
