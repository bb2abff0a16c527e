"""Read the pages of a dive: select them, fetch them, convert them to Markdown, split them into passages."""
