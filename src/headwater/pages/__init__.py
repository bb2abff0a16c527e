"""Parse the documents that sites publish: HTML pages, robots.txt, sitemaps and feeds. Fetches nothing."""

from headwater.pages.files.robots_txt import Robots, parse_robots
from headwater.pages.files.sitemap_parser import Sitemap, parse_sitemap

__all__ = ["Robots", "Sitemap", "parse_robots", "parse_sitemap"]
