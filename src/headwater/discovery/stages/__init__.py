"""The stages of a scan, in the order in which they run, and the parts that only they use."""
