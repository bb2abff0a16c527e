-- name: inspect_schema
SELECT to_regclass(current_schema() || '.headwater') IS NOT NULL,
       EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()), current_setting('server_version_num')::int;

-- name: schema_version
SELECT version FROM headwater;

-- name: create_version_table
CREATE TABLE headwater (version INTEGER NOT NULL, queue TEXT NOT NULL DEFAULT '');
INSERT INTO headwater (version) VALUES (0);

-- name: set_version
UPDATE headwater SET version = :version;

-- Temporary tables for the rows of a batch, before they are merged.
-- name: create_temp_tables
CREATE TEMPORARY TABLE IF NOT EXISTS incoming AS
SELECT 0::bigint AS batch, 0 AS place, 0 AS round, false AS is_listed, $DISCOVERED_COLUMNS FROM page WITH NO DATA;
CREATE TEMPORARY TABLE IF NOT EXISTS outcome AS SELECT 0::bigint AS batch, $VISIT_COLUMNS FROM page WITH NO DATA;

-- Emptying a table costs more than a small batch, so batches are numbered and tables are emptied now and then.
-- name: empty_incoming
TRUNCATE incoming;

-- name: empty_outcome
TRUNCATE outcome;

-- name: copy_incoming
COPY incoming FROM STDIN;

-- name: copy_outcome
COPY outcome FROM STDIN;

-- After a lost connection, the scan's revision shows whether the batch was committed. The site's epoch refuses workers
-- that have lost the site.
-- name: bump_revision
WITH held AS (
    UPDATE site SET touched = now(), pages = pages + :pages
    WHERE number = :site AND epoch = :epoch RETURNING number
)
UPDATE scan SET revision = revision + 1
WHERE number = :scan AND (:site::bigint IS NULL OR EXISTS (SELECT 1 FROM held)) RETURNING revision;

-- name: revision
SELECT revision FROM scan WHERE number = :scan;

-- name: add_scan
INSERT INTO scan (seeds, settings, state, started, site)
VALUES (:seeds, :settings, 'running', :now, (SELECT number FROM site WHERE md5(seeds) = md5(:site)));

-- name: upsert_page
INSERT INTO page ($DISCOVERED_COLUMNS)
SELECT $DISCOVERED_COLUMNS FROM incoming WHERE batch = :batch AND NOT is_listed AND round = :round ORDER BY place
$INCLUDE(on_page_conflict);

-- name: upsert_listed_page
INSERT INTO page ($DISCOVERED_COLUMNS)
SELECT $DISCOVERED_COLUMNS FROM incoming WHERE batch = :batch AND is_listed AND round = :round ORDER BY place
$INCLUDE(on_listed_page_conflict);

-- name: update_visited_pages
UPDATE page SET $VISIT_ASSIGNMENTS, stated_language = outcome.language,
                other_urls = CASE WHEN outcome.state = 2
                                   AND coalesce(page.fetch_url, page.url) <> coalesce(outcome.fetch_url, outcome.url)
                                  THEN page.other_urls || chr(10) || coalesce(page.fetch_url, page.url)
                                  ELSE page.other_urls END
FROM outcome WHERE outcome.batch = :batch AND page.scan = outcome.scan AND page.identity = outcome.identity;

-- name: link_blocks_with_target
SELECT id FROM link_block WHERE id >= :start AND id < :stop AND position(:target::bytea IN targets) > 0 ORDER BY id;

-- name: update_link_data
UPDATE page SET depth = new.depth, parent = new.parent, source = new.source, region = new.region, element = new.element,
                attribute = new.attribute, text = coalesce(nullif(new.text, ''), page.text), sources = new.sources,
                inlinks = new.inlinks, content_inlinks = new.content_inlinks
FROM unnest(:depth::integer[], :parent::bigint[], :source::text[], :region::text[], :element::text[], :attribute::text[],
            :text::text[], :sources::integer[], :inlinks::integer[], :content_inlinks::integer[], :scan::bigint[],
            :identity::bigint[])
     AS new (depth, parent, source, region, element, attribute, text, sources, inlinks, content_inlinks, scan, identity)
WHERE page.scan = new.scan AND page.identity = new.identity;

-- name: set_sources
UPDATE page SET sources = new.sources, inlinks = new.inlinks, content_inlinks = new.content_inlinks
FROM unnest(:sources::integer[], :inlinks::integer[], :content_inlinks::integer[], :scan::bigint[], :identity::bigint[])
     AS new (sources, inlinks, content_inlinks, scan, identity)
WHERE page.scan = new.scan AND page.identity = new.identity;

-- name: set_inlinks
INSERT INTO inlink (scan, page, lists)
SELECT scan, page, lists FROM unnest(:scan::bigint[], :identity::bigint[], :lists::bytea[]) AS new (scan, page, lists)
ON CONFLICT (scan, page) DO UPDATE SET lists = excluded.lists;

-- name: add_inlinks
UPDATE page SET inlinks = page.inlinks + counted.count, more_inlinks = page.more_inlinks + counted.count
FROM unnest(:scan::bigint[], :identity::bigint[], :count::integer[]) AS counted (scan, identity, count)
WHERE page.scan = counted.scan AND page.identity = counted.identity;

-- A detected language that classification did not confirm is removed; a declared one stays as the page wrote it.
-- name: classify_pages
UPDATE page SET priority = new.priority, skip_scrape = new.skip_scrape,
                language = coalesce(nullif(new.language, ''),
                                    CASE WHEN page.stated_language LIKE '%-x-detected' THEN '' ELSE page.stated_language END)
FROM unnest(:scan::bigint[], :identity::bigint[], :priority::float8[], :language::text[], :skip_scrape::boolean[])
     AS new (scan, identity, priority, language, skip_scrape)
WHERE page.scan = new.scan AND page.identity = new.identity;

-- name: add_clusters
INSERT INTO cluster (scan, name, kind, title)
SELECT * FROM unnest(:scan::bigint[], :name::text[], :kind::text[], :title::text[])
ON CONFLICT (scan, name) DO UPDATE SET title = excluded.title;

-- name: add_cluster_members
INSERT INTO page_cluster (cluster, page)
SELECT cluster.number, page.id FROM unnest(:scan::bigint[], :name::text[], :identity::bigint[]) AS member (scan, name, identity)
JOIN cluster ON cluster.scan = member.scan AND cluster.name = member.name
JOIN page ON page.scan = member.scan AND page.identity = member.identity
ON CONFLICT DO NOTHING;

-- name: classifier_inputs
SELECT $INCLUDE(classifier_input_columns) FROM page
WHERE scan = :scan AND kind = 'page' AND state IN $LISTED AND identity > :after ORDER BY identity LIMIT :limit;

-- The lock is held until the connection ends.
-- name: acquire_lock
SELECT pg_try_advisory_lock(1212438356, hashtext(:name));

-- name: pages_by_number
SELECT $PAGE_COLUMNS, page.id AS number $INCLUDE(from_pages) WHERE page.id $IN(numbers) AND page.scan = :scan;

-- name: identities
SELECT identity, id FROM page WHERE scan = :scan AND id $IN(numbers);

-- name: parents
SELECT page.id, parent.id FROM page JOIN page AS parent ON parent.scan = page.scan AND parent.identity = page.parent
WHERE page.id $IN(numbers) AND page.scan = :scan;

-- name: detach_site
UPDATE site SET scan = NULL WHERE scan = :scan;

-- name: fleet_site
SELECT site.number, site.state, site.worker IS NOT NULL AS is_claimed FROM scan JOIN site ON site.number = scan.site
WHERE scan.number = :scan AND site.scan = scan.number AND site.state IN ('waiting', 'queued', 'working', 'paused')
  AND scan.state IN ('running', 'interrupted', 'incomplete');
