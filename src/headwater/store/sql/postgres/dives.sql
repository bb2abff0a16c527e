-- name: pages_of_scan
SELECT page.identity, page.url, coalesce(page.fetch_url, page.url), coalesce(nullif(page.title, ''), page.text, ''),
       coalesce(nullif(page.language, ''), page.hreflang, ''), page.skip_scrape, page.noindex,
       (SELECT string_agg(name || chr(31) || title, chr(30) ORDER BY cluster.number) FROM page_cluster
        JOIN cluster ON cluster.number = page_cluster.cluster WHERE page_cluster.page = page.id)
FROM page WHERE page.scan = %s AND page.kind = 'page' AND page.state IN (0, 1, 5) ORDER BY page.key;

-- name: add_dive
INSERT INTO dive (scan, seeds, selection, state, started) VALUES (%s, %s, %s, 'running', %s)
ON CONFLICT (md5(seeds), md5(selection)) DO UPDATE SET scan = excluded.scan, state = 'running',
    started = excluded.started, finished = NULL
RETURNING number;

-- name: find_dive
SELECT number, state FROM dive
WHERE md5(seeds) = md5(%(seeds)s) AND md5(selection) = md5(%(selection)s);

-- name: dives
SELECT dive.number, scan, seeds, selection, dive.state, embedder, started, finished,
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number),
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number AND dive_page.state = 'done'),
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number AND dive_page.state = 'waiting'),
       (SELECT count(*) FROM chunk WHERE chunk.dive = dive.number),
       (SELECT count(*) FROM chunk JOIN embedding ON embedding.hash = chunk.hash AND embedding.embedder = dive.embedder
        WHERE chunk.dive = dive.number)
FROM dive WHERE %(number)s = 0 OR number = %(number)s ORDER BY number;

-- name: add_pages
INSERT INTO dive_page (dive, identity, url, fetch_url, state, title, language)
SELECT %s, identity, url, fetch_url, 'waiting', title, language
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[]) WITH ORDINALITY
    AS one (identity, url, fetch_url, title, language, place)
ORDER BY place
ON CONFLICT (dive, identity) DO NOTHING;

-- name: wait_again
UPDATE dive_page SET state = 'waiting' WHERE dive = %s;

-- name: drop_other_chunks
DELETE FROM chunk USING dive_page
WHERE dive_page.number = chunk.page AND dive_page.dive = %s AND NOT dive_page.identity = ANY (%s::bigint[]);

-- name: drop_other_pages
DELETE FROM dive_page WHERE dive = %s AND NOT identity = ANY (%s::bigint[]);

-- name: waiting
SELECT number, identity, url, fetch_url, etag, last_modified, content_hash FROM dive_page
WHERE dive = %s AND state = 'waiting' AND number > %s ORDER BY number LIMIT %s;

-- name: settle_read
UPDATE dive_page SET state = 'done', reason = %s, title = %s, language = %s, canonical = %s, published = %s, modified = %s,
    etag = %s, last_modified = %s, content_hash = %s, headings = %s, markdown = %s, read_at = %s
WHERE number = %s;

-- name: settle_unchanged
UPDATE dive_page SET state = 'done', reason = %s, etag = coalesce(nullif(%s, ''), etag),
    last_modified = coalesce(nullif(%s, ''), last_modified), read_at = %s
WHERE number = %s;

-- name: settle_other
UPDATE dive_page SET state = %s, reason = %s, content_hash = NULL, markdown = '', headings = '[]', etag = '', last_modified = ''
WHERE number = %s;

-- name: settle_kept
UPDATE dive_page SET state = 'done', reason = %s WHERE number = %s;

-- name: twin
SELECT url FROM dive_page WHERE dive = %s AND content_hash = %s AND number <> %s AND state = 'done' ORDER BY number LIMIT 1;

-- name: reasons
SELECT coalesce(nullif(reason, ''), state), count(*) FROM dive_page WHERE dive = %s GROUP BY 1 ORDER BY 2 DESC, 1;

-- name: page_numbers
SELECT number FROM dive_page WHERE dive = %s AND state = 'done' AND markdown <> '' ORDER BY url;

-- name: pages_by_number
SELECT number, url, state, reason, title, language, canonical, published, modified, content_hash, chunked_hash, headings,
       markdown, read_at
FROM dive_page WHERE number = ANY (%s::bigint[]) ORDER BY url;

-- name: page_of_url
SELECT number, url, state, reason, title, language, canonical, published, modified, content_hash, chunked_hash, headings,
       markdown, read_at
FROM dive_page WHERE url = %(url)s AND (%(dive)s = 0 OR dive = %(dive)s) AND state = 'done' ORDER BY dive DESC LIMIT 1;

-- name: empty_pages
SELECT number FROM dive_page
WHERE dive = %s AND chunked_hash IS NOT NULL AND (state IN ('failed', 'skipped') OR markdown = '') ORDER BY number;

-- name: set_repeated
UPDATE dive SET repeated = %s WHERE number = %s;

-- name: repeated
SELECT repeated FROM dive WHERE number = %s;

-- name: drop_chunks
DELETE FROM chunk WHERE page = %s;

-- name: language_of_page
SELECT language FROM dive_page WHERE number = %s;

-- Headings weigh A, the text D. The words come cut apart, so that no dot or slash joins them.
-- name: add_chunks
INSERT INTO chunk (dive, page, place, heading, anchor, text, tokens, hash, words)
SELECT %s, %s, place - 1, heading, anchor, text, tokens, hash,
       setweight(to_tsvector(config, heading_words), 'A') || setweight(to_tsvector(config, text_words), 'D')
FROM (SELECT %s::regconfig AS config) AS chosen,
     unnest(%s::text[], %s::text[], %s::text[], %s::integer[], %s::bigint[], %s::text[], %s::text[]) WITH ORDINALITY
         AS one (heading, anchor, text, tokens, hash, heading_words, text_words, place)
ORDER BY place;

-- name: mark_chunked
UPDATE dive_page SET chunked_hash = %s WHERE number = %s;

-- name: grow_version
UPDATE dive SET version = version + 1 WHERE number = %s;

-- name: note_config
UPDATE dive SET configs = configs || %(config)s::text WHERE number = %(dive)s AND NOT %(config)s = ANY (configs);

-- name: set_embedder
UPDATE dive SET embedder = %s WHERE number = %s;

-- name: unembedded
SELECT hash, heading, text FROM (
    SELECT DISTINCT ON (hash) hash, heading, text, tokens FROM chunk
    WHERE dive = %s
      AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.embedder = %s AND embedding.hash = chunk.hash)
    ORDER BY hash, number
) AS waiting ORDER BY tokens, hash LIMIT %s;

-- name: count_unembedded
SELECT count(DISTINCT hash) FROM chunk
WHERE dive = %s AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.embedder = %s AND embedding.hash = chunk.hash);

-- name: add_vectors
INSERT INTO embedding (embedder, hash, content) SELECT %s, * FROM unnest(%s::bigint[], %s::bytea[])
ON CONFLICT (embedder, hash) DO UPDATE SET content = excluded.content;

-- name: vectors
SELECT chunk.number, embedding.content FROM chunk
JOIN embedding ON embedding.embedder = %(embedder)s AND embedding.hash = chunk.hash
WHERE chunk.dive = %(dive)s ORDER BY chunk.number;

-- name: version
SELECT version, embedder FROM dive WHERE number = %s;

-- name: known_dive
SELECT number, scan, embedder FROM dive WHERE %(number)s = 0 OR number = %(number)s ORDER BY number DESC LIMIT 1;

-- Any of the words, as each language of the dive spells them.
-- name: match_words
WITH query AS (
    SELECT string_agg(DISTINCT '(' || part::text || ')', ' | ')::tsquery AS whole
    FROM dive, unnest(dive.configs) AS config, unnest(%(words)s::text[]) AS word,
         plainto_tsquery(config::regconfig, word) AS part
    WHERE dive.number = %(dive)s AND numnode(part) > 0
)
SELECT chunk.number FROM chunk, query WHERE chunk.dive = %(dive)s AND chunk.words @@ query.whole
ORDER BY ts_rank(%(weights)s::real[], chunk.words, query.whole, 1) DESC, chunk.number LIMIT %(limit)s;

-- name: passages
SELECT chunk.number, chunk.dive, dive_page.url, dive_page.title, dive_page.language, chunk.heading, chunk.anchor, chunk.text
FROM chunk JOIN dive_page ON dive_page.number = chunk.page WHERE chunk.number = ANY (%s::bigint[]);

-- name: places
SELECT chunk.number, dive_page.url, dive_page.language FROM chunk JOIN dive_page ON dive_page.number = chunk.page
WHERE chunk.dive = %s ORDER BY chunk.number;

-- A turn that was kept before its answer was lost is not kept again.
-- name: add_message
INSERT INTO dive_message (dive, role, text, citations, at)
SELECT %(dive)s, %(role)s, %(text)s, %(citations)s, %(at)s
WHERE NOT (%(again)s AND EXISTS (
    SELECT 1 FROM (SELECT * FROM dive_message WHERE dive = %(dive)s ORDER BY number DESC LIMIT 1) AS last
    WHERE last.role = %(role)s AND last.text = %(text)s AND last.at = %(at)s
));

-- name: messages
SELECT role, text, citations, at FROM (SELECT * FROM dive_message WHERE dive = %s ORDER BY number DESC LIMIT %s) AS last
ORDER BY number;

-- name: end_dive
UPDATE dive SET state = %s, finished = %s WHERE number = %s;

-- name: documents
SELECT number, url, state, reason, title, language, published, modified, read_at FROM dive_page
WHERE dive = %(dive)s AND number > %(after)s AND (%(state)s::text = '' OR state = %(state)s) ORDER BY number LIMIT %(limit)s;

-- name: languages
SELECT language, count(*) FROM dive_page WHERE dive = %s AND state = 'done' AND language <> '' GROUP BY 1 ORDER BY 2 DESC;

-- name: forget_messages
DELETE FROM dive_message WHERE dive = %s;
