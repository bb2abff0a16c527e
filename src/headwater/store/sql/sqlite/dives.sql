-- name: pages_of_scan
SELECT page.identity, page.url, coalesce(page.fetch_url, page.url), coalesce(nullif(page.title, ''), page.text, ''),
       coalesce(nullif(page.language, ''), page.hreflang, ''), page.skip_scrape, page.noindex,
       (SELECT group_concat(name || char(31) || title, char(30)) FROM page_cluster
        JOIN cluster ON cluster.number = page_cluster.cluster WHERE page_cluster.page = page.id)
FROM page WHERE page.scan = ? AND page.kind = 'page' AND page.state IN (0, 1, 5) ORDER BY page.key;

-- name: add_dive
INSERT INTO dive (scan, seeds, selection, state, started) VALUES (?, ?, ?, 'running', ?)
ON CONFLICT (seeds, selection) DO UPDATE SET scan = excluded.scan, state = 'running', started = excluded.started,
    finished = NULL
RETURNING number;

-- name: find_dive
SELECT number, state FROM dive WHERE seeds = ? AND selection = ?;

-- name: dives
SELECT dive.number, scan, seeds, selection, dive.state, embedder, started, finished,
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number),
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number AND dive_page.state = 'done'),
       (SELECT count(*) FROM dive_page WHERE dive_page.dive = dive.number AND dive_page.state = 'waiting'),
       (SELECT count(*) FROM chunk WHERE chunk.dive = dive.number),
       (SELECT count(*) FROM chunk JOIN vector ON vector.hash = chunk.hash AND vector.embedder = dive.embedder
        WHERE chunk.dive = dive.number)
FROM dive WHERE ?1 = 0 OR number = ?1 ORDER BY number;

-- name: add_page
INSERT INTO dive_page (dive, identity, url, fetch_url, state, title, language) VALUES (?, ?, ?, ?, 'waiting', ?, ?)
ON CONFLICT (dive, identity) DO NOTHING;

-- name: wait_again
UPDATE dive_page SET state = 'waiting' WHERE dive = ?;

-- name: page_identities
SELECT identity, number FROM dive_page WHERE dive = ?;

-- name: drop_page
DELETE FROM dive_page WHERE number = ?;

-- name: waiting
SELECT number, identity, url, fetch_url, etag, last_modified, content_hash FROM dive_page
WHERE dive = ? AND state = 'waiting' AND number > ? ORDER BY number LIMIT ?;

-- name: settle_read
UPDATE dive_page SET state = 'done', reason = ?, title = ?, language = ?, canonical = ?, published = ?, modified = ?, etag = ?,
    last_modified = ?, content_hash = ?, headings = ?, markdown = ?, read_at = ?
WHERE number = ?;

-- name: settle_unchanged
UPDATE dive_page SET state = 'done', reason = ?, etag = coalesce(nullif(?, ''), etag),
    last_modified = coalesce(nullif(?, ''), last_modified), read_at = ?
WHERE number = ?;

-- name: settle_other
UPDATE dive_page SET state = ?, reason = ?, content_hash = NULL, markdown = '', headings = '[]', etag = '', last_modified = ''
WHERE number = ?;

-- name: settle_kept
UPDATE dive_page SET state = 'done', reason = ? WHERE number = ?;

-- name: twin
SELECT url FROM dive_page WHERE dive = ?1 AND content_hash = ?2 AND number <> ?3 AND state = 'done' LIMIT 1;

-- name: reasons
SELECT coalesce(nullif(reason, ''), state), count(*) FROM dive_page WHERE dive = ? GROUP BY 1 ORDER BY 2 DESC;

-- name: page_numbers
SELECT number FROM dive_page WHERE dive = ? AND state = 'done' AND markdown <> '' ORDER BY url;

-- name: page_by_number
SELECT number, url, state, reason, title, language, canonical, published, modified, content_hash, chunked_hash, headings,
       markdown, read_at
FROM dive_page WHERE number = ?;

-- name: page_of_url
SELECT number, url, state, reason, title, language, canonical, published, modified, content_hash, chunked_hash, headings,
       markdown, read_at
FROM dive_page WHERE url = ?2 AND (?1 = 0 OR dive = ?1) AND state = 'done' ORDER BY dive DESC LIMIT 1;

-- name: documents
SELECT number, url, state, reason, title, language, published, modified, read_at FROM dive_page
WHERE dive = ?1 AND number > ?2 AND (?3 = '' OR state = ?3) ORDER BY number LIMIT ?4;

-- name: languages
SELECT language, count(*) FROM dive_page WHERE dive = ? AND state = 'done' AND language <> '' GROUP BY 1 ORDER BY 2 DESC;

-- name: empty_pages
SELECT number FROM dive_page WHERE dive = ? AND chunked_hash IS NOT NULL AND (state IN ('failed', 'skipped') OR markdown = '');

-- name: set_repeated
UPDATE dive SET repeated = ? WHERE number = ?;

-- name: repeated
SELECT repeated FROM dive WHERE number = ?;

-- name: chunks_of_page
SELECT number, heading, text FROM chunk WHERE page = ?;

-- name: unindex
INSERT INTO chunk_words (chunk_words, rowid, heading, text) VALUES ('delete', ?, ?, ?);

-- name: drop_chunks
DELETE FROM chunk WHERE page = ?;

-- name: add_chunk
INSERT INTO chunk (dive, page, place, heading, anchor, text, tokens, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number;

-- name: index_chunk
INSERT INTO chunk_words (rowid, heading, text) VALUES (?, ?, ?);

-- name: mark_chunked
UPDATE dive_page SET chunked_hash = ? WHERE number = ?;

-- name: grow_version
UPDATE dive SET version = version + 1 WHERE number = ?;

-- name: set_embedder
UPDATE dive SET embedder = ? WHERE number = ?;

-- name: unembedded
SELECT hash, min(number), heading, text, tokens FROM chunk
WHERE dive = ?1 AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = ?2 AND vector.hash = chunk.hash)
GROUP BY hash ORDER BY tokens LIMIT ?3;

-- name: count_unembedded
SELECT count(DISTINCT hash) FROM chunk
WHERE dive = ?1 AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = ?2 AND vector.hash = chunk.hash);

-- name: add_vector
INSERT OR REPLACE INTO vector (embedder, hash, content) VALUES (?, ?, ?);

-- name: vectors
SELECT chunk.number, vector.content FROM chunk JOIN vector ON vector.embedder = ?2 AND vector.hash = chunk.hash
WHERE chunk.dive = ?1 ORDER BY chunk.number;

-- name: version
SELECT version, embedder FROM dive WHERE number = ?;

-- name: known_dive
SELECT number, scan, embedder FROM dive WHERE ?1 = 0 OR number = ?1 ORDER BY number DESC LIMIT 1;

-- Among all dives: a third of the time, for nothing but the index is read.
-- name: match_anywhere
SELECT rowid, bm25(chunk_words, ?2, 1.0) AS score FROM chunk_words WHERE chunk_words MATCH ?1 ORDER BY score LIMIT ?3;

-- name: count_word
SELECT count(*) FROM chunk_words WHERE chunk_words MATCH ?;

-- name: all_dives
SELECT number FROM dive LIMIT 2;

-- name: dive_of_chunk
SELECT dive FROM chunk WHERE number = ?;

-- name: match_words
SELECT chunk_words.rowid, bm25(chunk_words, ?3, 1.0) AS score
FROM chunk_words CROSS JOIN chunk ON chunk.number = chunk_words.rowid
WHERE chunk_words MATCH ?1 AND chunk.dive = ?2 ORDER BY score LIMIT ?4;

-- name: passage
SELECT chunk.number, chunk.dive, dive_page.url, dive_page.title, dive_page.language, chunk.heading, chunk.anchor, chunk.text
FROM chunk JOIN dive_page ON dive_page.number = chunk.page WHERE chunk.number = ?;

-- name: filtered
SELECT chunk.number, dive_page.url, dive_page.language FROM chunk JOIN dive_page ON dive_page.number = chunk.page
WHERE chunk.dive = ?;

-- name: add_message
INSERT INTO dive_message (dive, role, text, citations, at) VALUES (?, ?, ?, ?, ?);

-- name: messages
SELECT role, text, citations, at FROM (SELECT * FROM dive_message WHERE dive = ? ORDER BY number DESC LIMIT ?)
ORDER BY number;

-- name: forget_messages
DELETE FROM dive_message WHERE dive = ?;

-- name: end_dive
UPDATE dive SET state = ?, finished = ? WHERE number = ?;
