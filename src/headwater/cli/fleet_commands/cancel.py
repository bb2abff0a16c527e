"""`headwater cancel`: cancel sites of a fleet."""

from __future__ import annotations

from headwater.cli.fleet_commands.sites import make_command

HELP = """Cancel the sites with these seeds or hosts: nothing more is requested from them.

Pages found so far are kept. `headwater submit` starts a cancelled site again.
"""

command = make_command("cancel", lambda fleet, sites: fleet.cancel(sites), "cancelled", HELP)
