"""Answer questions from the passages of a dive, with citations."""
