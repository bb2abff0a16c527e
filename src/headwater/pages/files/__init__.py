"""Parse the files that list URLs: sitemaps, feeds, robots.txt."""
