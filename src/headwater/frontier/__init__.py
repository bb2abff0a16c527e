"""Decide what to fetch next and when. Pure: time and randomness are arguments."""
