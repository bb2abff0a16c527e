-- name: state_counts
SELECT state, count(*) $FROM_SCAN GROUP BY state;

-- name: skipped_counts
SELECT reason, count FROM skipped WHERE scan = :scan ORDER BY reason;

-- name: source_counts
SELECT sources, count(*) $FROM_SCAN AND kind = 'page' AND state IN $LISTED GROUP BY sources;

-- name: count_listed
SELECT count(*) $FROM_SCAN AND kind = 'page' AND state IN $LISTED;

-- name: count_unvisited_by_shape
SELECT count(*) $FROM_SCAN AND state = 5 AND reason = 'per-shape';

-- name: list_counts
SELECT state, CASE WHEN reason IN ('not-html', 'unvisited-view') THEN reason ELSE '' END AS reason, count(*) AS count
$FROM_SCAN AND kind = 'page' GROUP BY 1, 2;

-- name: duplicate_counts
SELECT reason, count(*) AS pages
$FROM_SCAN AND kind = 'page' AND (state = 7 OR reason = 'unvisited-view') GROUP BY 1 ORDER BY pages DESC, 1;

-- name: status_counts
SELECT coalesce(nullif(reason, ''), CAST(status AS text), 'not visited'), count(*) AS pages
$FROM_SCAN AND kind = 'page' AND state IN $LISTED GROUP BY 1 ORDER BY pages DESC;

-- name: orphans_and_gaps
SELECT count(*) FILTER (WHERE sources & :sitemap > 0 AND sources & :link = 0) AS orphans,
       count(*) FILTER (WHERE sources & :link > 0 AND sources & :sitemap = 0) AS gaps
$FROM_SCAN AND kind = 'page' AND state IN $LISTED;
