"""Records that pass between a store and its callers; the records of scans can be imported from here."""

from headwater.store.records.scan_records import (
    Classification,
    ClassifierInput,
    ClusterCount,
    Counts,
    Event,
    KnownUrl,
    Scan,
    VisitedUrl,
    VisitResult,
)

__all__ = [
    "Classification",
    "ClassifierInput",
    "ClusterCount",
    "Counts",
    "Event",
    "KnownUrl",
    "Scan",
    "VisitResult",
    "VisitedUrl",
]
