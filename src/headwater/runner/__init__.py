"""The one way to run a scan: used by the Python API, the commands, web jobs, lists of sites and workers."""
