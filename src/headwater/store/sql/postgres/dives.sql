-- name: add_dive_pages
INSERT INTO dive_page (dive, identity, url, fetch_url, state, title, language)
SELECT dive, identity, url, fetch_url, 'waiting', title, language
FROM unnest(:dive::bigint[], :identity::bigint[], :url::text[], :fetch_url::text[], :title::text[], :language::text[]) WITH ORDINALITY
    AS one (dive, identity, url, fetch_url, title, language, place)
ORDER BY place
ON CONFLICT (dive, identity) DO NOTHING;

-- name: language_of_page
SELECT language FROM dive_page WHERE number = :page;

-- Headings have the weight A, the text D. The words arrive split, so that no dot or slash joins them.
-- name: add_chunks
INSERT INTO chunk (dive, page, place, heading, anchor, text, tokens, hash, words)
SELECT :dive, :page, place - 1, heading, anchor, text, tokens, hash,
       setweight(to_tsvector(config, heading_words), 'A') || setweight(to_tsvector(config, text_words), 'D')
FROM (SELECT :config::regconfig AS config) AS chosen,
     unnest(:heading::text[], :anchor::text[], :text::text[], :tokens::integer[], :hash::bigint[], :heading_words::text[],
            :text_words::text[]) WITH ORDINALITY
         AS one (heading, anchor, text, tokens, hash, heading_words, text_words, place)
ORDER BY place;

-- name: add_text_search_config
UPDATE dive SET configs = configs || :config::text WHERE number = :dive AND NOT :config = ANY (configs);

-- name: unembedded_texts
SELECT hash, heading, text FROM (
    SELECT DISTINCT ON (hash) hash, heading, text, tokens FROM chunk
    WHERE dive = :dive
      AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.embedder = :embedder AND embedding.hash = chunk.hash)
    ORDER BY hash, number
) AS waiting ORDER BY tokens, hash LIMIT :limit;

-- name: add_vectors
INSERT INTO embedding (embedder, hash, content)
SELECT * FROM unnest(:embedder::text[], :hash::bigint[], :content::bytea[])
ON CONFLICT (embedder, hash) DO UPDATE SET content = excluded.content;

-- Finds passages with any of the words, stemmed for each language of the dive.
-- name: match_words
WITH query AS (
    SELECT string_agg(DISTINCT '(' || part::text || ')', ' | ')::tsquery AS whole
    FROM dive, unnest(dive.configs) AS config, unnest(:words::text[]) AS word,
         plainto_tsquery(config::regconfig, word) AS part
    WHERE dive.number = :dive AND numnode(part) > 0
)
SELECT chunk.number FROM chunk, query WHERE chunk.dive = :dive AND chunk.words @@ query.whole
ORDER BY ts_rank(:weights::real[], chunk.words, query.whole, 1) DESC, chunk.number LIMIT :limit;

-- A message that was stored before the connection was lost is not stored again.
-- name: add_message
INSERT INTO dive_message (dive, role, text, citations, at)
SELECT :dive, :role, :text, :citations, :now
WHERE NOT (:is_retry AND EXISTS (
    SELECT 1 FROM (SELECT * FROM dive_message WHERE dive = :dive ORDER BY number DESC LIMIT 1) AS last
    WHERE last.role = :role AND last.text = :text AND last.at = :now
));
