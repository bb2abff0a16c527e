"""Find pages that are only views of other pages, such as sort orders and print versions, and near duplicates."""

from headwater.classify.views.additions import Addition, CommonAdditions
from headwater.classify.views.judgement import PAGE_VIEW, ViewPage, ViewVerdict, find_views
from headwater.classify.views.periods import PeriodPages
from headwater.classify.views.sketches import adds_nothing, decode_sketch, encode_sketch, merge_sketches

__all__ = [
    "PAGE_VIEW",
    "Addition",
    "CommonAdditions",
    "PeriodPages",
    "ViewPage",
    "ViewVerdict",
    "adds_nothing",
    "decode_sketch",
    "encode_sketch",
    "find_views",
    "merge_sketches",
]
