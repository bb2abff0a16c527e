"""The way to the network: one-method fetchers, wrapped in politeness and guarded by `egress`."""

from headwater.fetch.fake_fetcher import FakeFetcher
from headwater.fetch.fetcher import Fetcher
from headwater.fetch.http.client import HttpFetcher
from headwater.fetch.stack import FetchStack

__all__ = ["FakeFetcher", "FetchStack", "Fetcher", "HttpFetcher"]
