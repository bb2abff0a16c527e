"""The stages that find the pages of a site, and the crawl loop."""
