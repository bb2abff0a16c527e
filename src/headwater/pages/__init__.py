"""What a document says: the text of files that sites publish, read without fetching anything."""

from headwater.pages.files.robots import Robots, parse_robots
from headwater.pages.files.sitemap import Sitemap, parse_sitemap

__all__ = ["Robots", "Sitemap", "parse_robots", "parse_sitemap"]
