"""Deep dives: the pages of a cluster read, searched by meaning, and asked questions.

`begin` and `run` carry a dive out, `dives` of a store list them.
"""

from headwater.dive.dive import Progress, begin, documents, run
from headwater.dive.dive import found as find_dive
from headwater.dive.selection import Selection

__all__ = ["Progress", "Selection", "begin", "documents", "find_dive", "run"]
