-- name: add_dive_pages
INSERT INTO dive_page (dive, identity, url, fetch_url, state, title, language)
VALUES (:dive, :identity, :url, :fetch_url, 'waiting', :title, :language)
ON CONFLICT (dive, identity) DO NOTHING;

-- name: unindex_other_chunks
INSERT INTO chunk_words (chunk_words, rowid, heading, text)
SELECT 'delete', chunk.number, chunk.heading, chunk.text FROM chunk JOIN dive_page ON dive_page.number = chunk.page
WHERE dive_page.dive = :dive AND NOT dive_page.identity $IN(identities);

-- name: unindex_chunks
INSERT INTO chunk_words (chunk_words, rowid, heading, text)
SELECT 'delete', number, heading, text FROM chunk WHERE page = :page;

-- name: add_chunk
INSERT INTO chunk (dive, page, place, heading, anchor, text, tokens, hash)
VALUES (:dive, :page, :place, :heading, :anchor, :text, :tokens, :hash);

-- name: index_chunks
INSERT INTO chunk_words (rowid, heading, text) SELECT number, heading, text FROM chunk WHERE page = :page;

-- name: unembedded_texts
SELECT hash, heading, text, min(number) FROM chunk
WHERE dive = :dive
  AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = :embedder AND vector.hash = chunk.hash)
GROUP BY hash ORDER BY tokens LIMIT :limit;

-- name: add_vectors
INSERT OR REPLACE INTO vector (embedder, hash, content) VALUES (:embedder, :hash, :content);

-- Searches all dives in a third of the time, because only the index is read.
-- name: match_all_dives
SELECT rowid FROM chunk_words WHERE chunk_words MATCH :expression
ORDER BY bm25(chunk_words, :heading_weight, 1.0) LIMIT :limit;

-- name: match_words
SELECT chunk_words.rowid FROM chunk_words CROSS JOIN chunk ON chunk.number = chunk_words.rowid
WHERE chunk_words MATCH :expression AND chunk.dive = :dive
ORDER BY bm25(chunk_words, :heading_weight, 1.0) LIMIT :limit;

-- name: count_word
SELECT count(*) FROM chunk_words WHERE chunk_words MATCH :word;

-- name: all_dives
SELECT number FROM dive LIMIT 2;

-- name: dive_of_chunk
SELECT dive FROM chunk WHERE number = :chunk;

-- name: add_message
INSERT INTO dive_message (dive, role, text, citations, at) VALUES (:dive, :role, :text, :citations, :now);
