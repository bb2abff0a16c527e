"""Values that users extract from every page, by expressions that they write."""

from headwater.pages.extraction.expressions import Extractor, compile_extractors, list_extracted_names
from headwater.pages.extraction.page_values import extract_values

__all__ = ["Extractor", "compile_extractors", "extract_values", "list_extracted_names"]
