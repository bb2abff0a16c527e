-- name: copy_list_sites
COPY list_site (list, host, seeds) FROM STDIN;

-- name: next_site
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = :list AND state = 'waiting' AND due <= :now AND regexp_replace(host, '^www[.]', '') <> ALL (:busy)
ORDER BY turn, number LIMIT 1;
