"""Output of the commands: progress, screens, summaries, result files."""
