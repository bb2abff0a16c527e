"""HTTP requests over libcurl."""
