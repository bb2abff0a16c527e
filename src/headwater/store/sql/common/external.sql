-- name: unchecked_external_urls
SELECT page.identity, coalesce(page.fetch_url, page.url) AS url
FROM page LEFT JOIN external_check ON external_check.identity = page.identity AND external_check.checked >= :since
WHERE page.scan = :scan AND page.kind = 'external' AND page.hops = 0 AND external_check.identity IS NULL
ORDER BY page.key;

-- name: save_external_check
INSERT INTO external_check (identity, checked, status, reason) VALUES (:identity, :checked, :status, :reason)
ON CONFLICT (identity) DO UPDATE
SET checked = excluded.checked, status = excluded.status, reason = excluded.reason;

-- name: copy_external_statuses
UPDATE page SET status = (SELECT status FROM external_check WHERE external_check.identity = page.identity)
WHERE scan = :scan AND kind = 'external' AND hops = 0
  AND identity IN (SELECT identity FROM external_check WHERE status IS NOT NULL);

-- name: external_checks
SELECT external_check.identity, external_check.status, external_check.reason
FROM page JOIN external_check ON external_check.identity = page.identity
WHERE page.scan = :scan AND page.kind = 'external' ORDER BY page.key;
