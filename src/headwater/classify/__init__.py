"""What a set of URLs means: sources merged, clusters named, pages ranked, languages told apart."""

from headwater.classify.clusters import Cluster, Clustering, Facts
from headwater.classify.language import Languages, Spoken, is_other_language
from headwater.classify.link_graph import LinkGraph, Node, Way
from headwater.classify.merge import best_title, mask_of, names_of
from headwater.classify.score import Signals, priority
from headwater.classify.segments import segments
from headwater.model import SOURCES

__all__ = [
    "SOURCES",
    "Cluster",
    "Clustering",
    "Facts",
    "Languages",
    "LinkGraph",
    "Node",
    "Signals",
    "Spoken",
    "Way",
    "best_title",
    "is_other_language",
    "mask_of",
    "names_of",
    "priority",
    "segments",
]
