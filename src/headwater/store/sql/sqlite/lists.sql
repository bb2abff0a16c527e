-- name: add_list_site
INSERT INTO list_site (list, host, seeds) VALUES (:list, :host, :seeds);

-- name: next_site
SELECT number, host, seeds, scan, state, turn, pages, reason FROM list_site
WHERE list = :list AND state = 'waiting' AND due <= :now
  AND iif(substr(host, 1, 4) = 'www.', substr(host, 5), host) NOT IN (SELECT value FROM json_each(:busy))
ORDER BY turn, number LIMIT 1;
