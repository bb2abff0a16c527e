"""Log in to a site with a browser, as a recipe says, and keep the session for scans."""
