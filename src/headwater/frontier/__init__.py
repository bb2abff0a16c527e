"""Decide what to fetch next. Pure: time and randomness are arguments."""
