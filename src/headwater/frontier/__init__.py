"""What to fetch next and when; time and chance are arguments."""
