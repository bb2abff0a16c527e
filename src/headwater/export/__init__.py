"""Exporters: `EXPORTERS` maps a format to the function that writes pages to a stream."""

from headwater.export.formats import EXPORTERS
from headwater.export.output import Output

__all__ = ["EXPORTERS", "Output"]
