"""Explain why a scan found few pages: facts of the scan in, sentences out."""

from headwater.diagnosis.facts import FEW_PAGES, ScanFacts
from headwater.diagnosis.rules import Diagnosis, diagnose

__all__ = ["FEW_PAGES", "Diagnosis", "ScanFacts", "diagnose"]
