"""Progress, summaries and results, as the commands print them."""
