"""Records that pass between a store and its callers; the records of scans can be imported from here."""

from headwater.store.records.scan_records import (
    Classification,
    ClassifierInput,
    ClusterCount,
    Counts,
    Event,
    ExternalCheck,
    ExternalUrl,
    KnownUrl,
    Scan,
    VisitedUrl,
    VisitResult,
    read_extract_setting,
)

__all__ = [
    "Classification",
    "ClassifierInput",
    "ClusterCount",
    "Counts",
    "Event",
    "ExternalCheck",
    "ExternalUrl",
    "KnownUrl",
    "Scan",
    "VisitResult",
    "VisitedUrl",
    "read_extract_setting",
]
