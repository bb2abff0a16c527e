"""Fetch over the network: fetchers with one method, each wrapping the next; `egress` blocks private addresses."""

from headwater.fetch.fake_fetcher import FakeFetcher
from headwater.fetch.fetcher import Fetcher
from headwater.fetch.http.client import HttpFetcher
from headwater.fetch.stack import FetchStack

__all__ = ["FakeFetcher", "FetchStack", "Fetcher", "HttpFetcher"]
