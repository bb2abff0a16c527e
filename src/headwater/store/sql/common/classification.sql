-- name: classifier_input_columns
identity, key AS url, coalesce(nullif(title, ''), text) AS title, coalesce(stated_language, '') AS language,
coalesce(hreflang, '') AS hreflang, sources, importance, CASE WHEN depth < $NO_DEPTH THEN depth END AS depth, inlinks,
sitemap_priority, lastmod, content_inlinks

-- name: clear_clusters
DELETE FROM page_cluster WHERE cluster IN (SELECT number FROM cluster WHERE scan = :scan);

-- name: clusters
SELECT cluster.name, cluster.kind, cluster.title, count(page_cluster.page) AS pages
FROM cluster JOIN page_cluster ON page_cluster.cluster = cluster.number
WHERE cluster.scan = :scan GROUP BY cluster.number ORDER BY pages DESC, cluster.name;
