"""Interpret a set of URLs: merge sources, name clusters, rank pages, decide languages."""

from headwater.classify.clusters import Cluster, Clustering, Facts
from headwater.classify.language import Languages, Spoken, is_other_language
from headwater.classify.link_graph import LinkGraph, Node, Way
from headwater.classify.merge import best_title, mask_of, names_of
from headwater.classify.ranking import MAX_CLUSTERS, SHOWN_CLUSTERS, ranked
from headwater.classify.score import Signals, priority
from headwater.classify.segments import segments
from headwater.model import SOURCES

__all__ = [
    "MAX_CLUSTERS",
    "SHOWN_CLUSTERS",
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
    "ranked",
    "segments",
]
