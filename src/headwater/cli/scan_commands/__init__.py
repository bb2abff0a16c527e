"""Commands that scan sites and write the results of scans."""
