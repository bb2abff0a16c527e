-- name: scan_pages
SELECT page.identity, page.url, coalesce(page.fetch_url, page.url) AS fetch_url,
       coalesce(nullif(page.title, ''), page.text, '') AS title,
       coalesce(nullif(page.language, ''), page.hreflang, '') AS language, page.skip_scrape AS is_skipped,
       (SELECT $JOIN_TEXT(name || $UNIT_SEPARATOR || title, 30) FROM page_cluster
        JOIN cluster ON cluster.number = page_cluster.cluster WHERE page_cluster.page = page.id) AS clusters,
       page.noindex AS is_noindex
FROM page WHERE page.scan = :scan AND page.kind = 'page' AND page.state IN (0, 1, 5) ORDER BY page.key;

-- name: add_dive
INSERT INTO dive (scan, seeds, selection, state, started) VALUES (:scan, :seeds, :selection, 'running', :now)
ON CONFLICT ($HASH(seeds), $HASH(selection)) DO UPDATE SET scan = excluded.scan, state = 'running',
    started = excluded.started, finished = NULL
RETURNING number;

-- name: dive_state
SELECT state FROM dive WHERE $HASH(seeds) = $HASH(:seeds) AND $HASH(selection) = $HASH(:selection);

-- name: dives
SELECT dive.number, scan, seeds, selection, dive.state, embedder, started, finished,
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number) AS pages,
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number AND dive_page.state = 'done') AS done,
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number AND dive_page.state = 'waiting') AS pending,
       (SELECT count(*) FROM chunk WHERE chunk.dive = dive.number) AS chunks,
       (SELECT count(*) FROM chunk JOIN $VECTORS AS kept ON kept.hash = chunk.hash AND kept.embedder = dive.embedder
        WHERE chunk.dive = dive.number) AS vectors
FROM dive WHERE :number = 0 OR number = :number ORDER BY number;

-- name: resolve_dive
SELECT number, scan, embedder FROM dive WHERE :number = 0 OR number = :number ORDER BY number DESC LIMIT 1;

-- name: dive_version
SELECT version, embedder FROM dive WHERE number = :dive;

-- name: bump_version
UPDATE dive SET version = version + 1 WHERE number = :dive;

-- name: set_embedder
UPDATE dive SET embedder = :embedder WHERE number = :dive;

-- name: finish_dive
UPDATE dive SET state = :state, finished = :now WHERE number = :dive;

-- name: reset_pages
UPDATE dive_page SET state = 'waiting' WHERE dive = :dive;

-- name: pending_pages
SELECT number, identity, url, fetch_url, etag, last_modified, content_hash FROM dive_page
WHERE dive = :dive AND state = 'waiting' AND number > :after ORDER BY number LIMIT :limit;

-- name: save_content
UPDATE dive_page SET state = 'done', reason = :reason, title = :title, language = :language, canonical = :canonical,
    published = :published, modified = :modified, etag = :etag, last_modified = :last_modified,
    content_hash = :content_hash, headings = :headings, markdown = :markdown, read_at = :now
WHERE number = :page;

-- name: mark_unchanged
UPDATE dive_page SET state = 'done', reason = :reason, etag = coalesce(nullif(:etag, ''), etag),
    last_modified = coalesce(nullif(:last_modified, ''), last_modified), read_at = :now
WHERE number = :page;

-- name: set_page_state
UPDATE dive_page SET state = :state, reason = :reason, content_hash = NULL, markdown = '', headings = '[]', etag = '',
    last_modified = ''
WHERE number = :page;

-- name: keep_previous_content
UPDATE dive_page SET state = 'done', reason = :reason WHERE number = :page;

-- name: duplicate_dive_page
SELECT url FROM dive_page WHERE dive = :dive AND content_hash = :content_hash AND number <> :page AND state = 'done'
ORDER BY number LIMIT 1;

-- name: reason_counts
SELECT coalesce(nullif(reason, ''), state), count(*) FROM dive_page WHERE dive = :dive GROUP BY 1 ORDER BY 2 DESC, 1;

-- name: language_counts
SELECT language, count(*) FROM dive_page WHERE dive = :dive AND state = 'done' AND language <> '' GROUP BY 1 ORDER BY 2 DESC;

-- name: dive_page_numbers
SELECT number FROM dive_page WHERE dive = :dive AND state = 'done' AND markdown <> '' ORDER BY url;

-- name: dive_pages_by_number
SELECT $DIVE_PAGE_COLUMNS FROM dive_page WHERE number $IN(numbers) ORDER BY url;

-- name: dive_page_by_url
SELECT $DIVE_PAGE_COLUMNS FROM dive_page
WHERE url = :url AND (:dive = 0 OR dive = :dive) AND state = 'done' ORDER BY dive DESC LIMIT 1;

-- name: documents
SELECT number, url, state, reason, title, language, published, modified, read_at FROM dive_page
WHERE dive = :dive AND number > :after AND (CAST(:state AS text) = '' OR state = :state) ORDER BY number LIMIT :limit;

-- name: pages_with_stale_chunks
SELECT number FROM dive_page
WHERE dive = :dive AND chunked_hash IS NOT NULL AND (state IN ('failed', 'skipped') OR markdown = '') ORDER BY number;

-- name: repeated_blocks
SELECT repeated FROM dive WHERE number = :dive;

-- name: set_repeated_blocks
UPDATE dive SET repeated = :hashes WHERE number = :dive;

-- name: drop_other_chunks
DELETE FROM chunk WHERE page IN (SELECT number FROM dive_page WHERE dive = :dive AND NOT identity $IN(identities));

-- name: drop_other_pages
DELETE FROM dive_page WHERE dive = :dive AND NOT identity $IN(identities);

-- name: drop_chunks
DELETE FROM chunk WHERE page = :page;

-- name: mark_chunked
UPDATE dive_page SET chunked_hash = :chunked_hash WHERE number = :page;

-- name: count_unembedded
SELECT count(DISTINCT hash) FROM chunk
WHERE dive = :dive
  AND NOT EXISTS (SELECT 1 FROM $VECTORS AS kept WHERE kept.embedder = :embedder AND kept.hash = chunk.hash);

-- name: vectors
SELECT chunk.number, kept.content FROM chunk JOIN $VECTORS AS kept ON kept.embedder = :embedder AND kept.hash = chunk.hash
WHERE chunk.dive = :dive ORDER BY chunk.number;

-- name: passages
SELECT chunk.number, chunk.dive, dive_page.url, dive_page.title, dive_page.language, chunk.heading, chunk.anchor, chunk.text
FROM chunk JOIN dive_page ON dive_page.number = chunk.page WHERE chunk.number $IN(numbers);

-- name: chunk_locations
SELECT chunk.number, dive_page.url, dive_page.language FROM chunk JOIN dive_page ON dive_page.number = chunk.page
WHERE chunk.dive = :dive ORDER BY chunk.number;

-- name: messages
SELECT role, text, citations, at FROM (SELECT * FROM dive_message WHERE dive = :dive ORDER BY number DESC LIMIT :limit) AS last
ORDER BY number;

-- name: delete_messages
DELETE FROM dive_message WHERE dive = :dive;
