"""Read the pages of a dive: choose them, fetch them, convert them to Markdown, cut them into passages."""
