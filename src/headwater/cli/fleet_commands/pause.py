"""`headwater pause`: pause sites of a fleet."""

from __future__ import annotations

from headwater.cli.fleet_commands.sites import make_command

HELP = """Pause the sites with these seeds or hosts until `headwater resume SITE`.

Running requests are finished and their results kept.
"""

command = make_command("pause", lambda fleet, sites: fleet.pause(sites), "paused", HELP)
