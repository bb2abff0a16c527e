"""Detect crawler traps, and decide which of the pages that a trap could have generated are visited."""

from headwater.frontier.traps.trap_detector import (
    FILE_TEMPLATE,
    PageTemplate,
    SampleResult,
    TrapDetector,
    get_page_template,
    get_view_template,
    has_repeating_path,
    is_suspect,
    may_be_view,
)

__all__ = [
    "FILE_TEMPLATE",
    "PageTemplate",
    "SampleResult",
    "TrapDetector",
    "get_page_template",
    "get_view_template",
    "has_repeating_path",
    "is_suspect",
    "may_be_view",
]
