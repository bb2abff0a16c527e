"""What a document says: the text of files that sites publish, read without fetching anything."""

from headwater.pages.robots import Robots, parse_robots

__all__ = ["Robots", "parse_robots"]
