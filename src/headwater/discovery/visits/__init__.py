"""Visit pages: take a candidate, fetch it, examine the response, and store the findings."""
