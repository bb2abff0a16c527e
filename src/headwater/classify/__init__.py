"""Classify the pages of a site: sources, clusters, priorities and languages."""

from headwater.classify.clusters import Cluster, Clustering, ClusteringInput
from headwater.classify.languages.language import LanguageClassifier, PageLanguage, is_other_language
from headwater.classify.link_graph import LinkGraph, LinkSummary, Node
from headwater.classify.priority import PrioritySignals, compute_priority
from headwater.classify.ranking import DEFAULT_CLUSTER_LIMIT, MAX_CLUSTERS, rank_clusters
from headwater.classify.source_masks import decode_sources, encode_sources
from headwater.classify.url_segments import split_path
from headwater.model import SOURCES

__all__ = [
    "DEFAULT_CLUSTER_LIMIT",
    "MAX_CLUSTERS",
    "SOURCES",
    "Cluster",
    "Clustering",
    "ClusteringInput",
    "LanguageClassifier",
    "LinkGraph",
    "LinkSummary",
    "Node",
    "PageLanguage",
    "PrioritySignals",
    "compute_priority",
    "decode_sources",
    "encode_sources",
    "is_other_language",
    "rank_clusters",
    "split_path",
]
