-- name: add_link_block
INSERT INTO link_block (id, targets, places, place_of, texts) VALUES (:id, :targets, :places, :place_of, :texts);

-- name: add_link_list
INSERT INTO link_list (id, links, pages, lengths, numbers) VALUES (:id, :links, :pages, :lengths, :numbers);

-- name: urls
SELECT identity, url FROM page WHERE scan = :scan ORDER BY key;

-- name: kinds
SELECT identity, kind FROM page WHERE scan = :scan AND kind IN ('page', 'external');

-- name: last_link_block
SELECT id, targets FROM link_block WHERE id >= :start AND id < :stop ORDER BY id DESC LIMIT 1;

-- name: last_link_list
SELECT id, pages FROM link_list WHERE id >= :start AND id < :stop ORDER BY id DESC LIMIT 1;

-- name: count_links
SELECT sum(links) FROM link_list WHERE id >= :start AND id < :stop;

-- name: link_blocks
SELECT id, targets, places, place_of, texts FROM link_block WHERE id >= :start AND id < :stop ORDER BY id LIMIT :limit;

-- name: link_block_at
SELECT id, targets, places, place_of, texts FROM link_block WHERE id <= :id AND id > :after ORDER BY id DESC LIMIT 1;

-- name: link_lists
SELECT id, links, pages, lengths, numbers FROM link_list WHERE id >= :start AND id < :stop ORDER BY id LIMIT :limit;

-- name: link_list_at
SELECT id, links, pages, lengths, numbers FROM link_list WHERE id <= :id AND id > :after ORDER BY id DESC LIMIT 1;

-- name: link_list_number
SELECT link_list FROM page WHERE scan = :scan AND identity = :identity;

-- name: inlink_lists
SELECT lists FROM inlink WHERE scan = :scan AND page = :identity;

-- name: nodes
SELECT identity, key, depth, parent = 0 AS is_root, source = 'seed' AS is_seed, sources, importance IS NOT NULL AS is_named,
       more_inlinks AS unstored_inlinks
FROM page WHERE scan = :scan ORDER BY key;

-- name: link_targets
SELECT identity, coalesce(fetch_url, url) AS fetch_url, kind, reason FROM page WHERE scan = :scan AND identity $IN(identities);

-- name: first_found_on
SELECT coalesce(fetch_url, url) AS fetch_url, kind, text, reason, source, region, element, attribute
FROM page WHERE scan = :scan AND parent = :identity;

-- name: linked_pages
SELECT identity, id AS page, url, kind, state, coalesce(nullif(title, ''), text) AS title, '' AS element
FROM page WHERE scan = :scan AND identity $IN(identities);
