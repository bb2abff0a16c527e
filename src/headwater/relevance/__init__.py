"""Compare texts with a question: its significant words, their stems, and the pages that match them best."""
