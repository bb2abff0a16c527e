"""The web page and its API: watch a discovery, look at a site, ask it things."""
