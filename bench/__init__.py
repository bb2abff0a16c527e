"""Benchmarks: Headwater and its peers on the same machine in the same run; not part of the tests."""
