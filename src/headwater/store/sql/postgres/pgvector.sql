-- name: has_extension
SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector'),
       to_regclass(current_schema() || '.embedding_half') IS NOT NULL;

-- This table is not part of the migrations, because a database without the extension cannot have it.
-- name: create_table
CREATE TABLE IF NOT EXISTS embedding_half (
    embedder TEXT COLLATE "C" NOT NULL,
    hash     BIGINT NOT NULL,
    value    HALFVEC NOT NULL,
    PRIMARY KEY (embedder, hash)
);

-- name: version
SELECT version FROM dive WHERE number = :dive;

-- name: missing_vectors
SELECT embedding.hash, embedding.content FROM embedding
WHERE embedding.embedder = :embedder
  AND embedding.hash IN (SELECT hash FROM chunk WHERE dive = :dive)
  AND NOT EXISTS (SELECT 1 FROM embedding_half AS half WHERE half.embedder = :embedder AND half.hash = embedding.hash)
LIMIT :limit;

-- name: add_vectors
INSERT INTO embedding_half (embedder, hash, value)
SELECT embedder, hash, value::halfvec
FROM unnest(:embedder::text[], :hash::bigint[], :value::text[]) AS new (embedder, hash, value)
ON CONFLICT (embedder, hash) DO UPDATE SET value = excluded.value;

-- name: nearest
SELECT chunk.number, 1 - (half.value <=> :query::halfvec) AS score
FROM chunk JOIN embedding_half AS half ON half.embedder = :embedder AND half.hash = chunk.hash
WHERE chunk.dive = :dive AND vector_dims(half.value) = :width
  AND (:among::bigint[] IS NULL OR chunk.number = ANY (:among::bigint[]))
ORDER BY half.value <=> :query::halfvec, chunk.number LIMIT :limit;
