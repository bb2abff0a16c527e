"""Visit pages: take a candidate, fetch it, examine the response, and store what it revealed."""
