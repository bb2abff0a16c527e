-- name: present
SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector'),
       to_regclass(current_schema() || '.embedding_half') IS NOT NULL;

-- A table of its own: a database without the extension has neither.
-- name: make_table
CREATE TABLE IF NOT EXISTS embedding_half (
    embedder TEXT COLLATE "C" NOT NULL,
    hash     BIGINT NOT NULL,
    value    HALFVEC NOT NULL,
    PRIMARY KEY (embedder, hash)
);

-- name: version
SELECT version FROM dive WHERE number = %s;

-- name: missing
SELECT embedding.hash, embedding.content FROM embedding
WHERE embedding.embedder = %s
  AND embedding.hash IN (SELECT hash FROM chunk WHERE dive = %s)
  AND NOT EXISTS (SELECT 1 FROM embedding_half AS half WHERE half.embedder = %s AND half.hash = embedding.hash)
LIMIT %s;

-- name: add
INSERT INTO embedding_half (embedder, hash, value)
SELECT %s, hash, value::halfvec FROM unnest(%s::bigint[], %s::text[]) AS one (hash, value)
ON CONFLICT (embedder, hash) DO UPDATE SET value = excluded.value;

-- name: nearest
SELECT chunk.number, 1 - (half.value <=> %(query)s::halfvec) AS score
FROM chunk JOIN embedding_half AS half ON half.embedder = %(embedder)s AND half.hash = chunk.hash
WHERE chunk.dive = %(dive)s AND vector_dims(half.value) = %(width)s
  AND (%(among)s::bigint[] IS NULL OR chunk.number = ANY (%(among)s::bigint[]))
ORDER BY half.value <=> %(query)s::halfvec, chunk.number LIMIT %(limit)s;
