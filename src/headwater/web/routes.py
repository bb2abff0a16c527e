"""All routes of the API and all screens, by feature; the OpenAPI document follows from the API routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.web.dives.routes import DIVE_ROUTES
from headwater.web.dives.screens import DIVE_SCREENS
from headwater.web.fleet.routes import FLEET_ROUTES
from headwater.web.fleet.screens import FLEET_SCREENS
from headwater.web.scans.routes import SCAN_ROUTES
from headwater.web.scans.screens import SCAN_SCREENS
from headwater.web.serving.status import STATUS_ROUTES

if TYPE_CHECKING:
    from headwater.web.serving.route import Route, Screen

API_ROUTES: tuple[Route, ...] = (*STATUS_ROUTES, *SCAN_ROUTES, *DIVE_ROUTES, *FLEET_ROUTES)
SCREENS: tuple[Screen, ...] = (*SCAN_SCREENS, *DIVE_SCREENS, *FLEET_SCREENS)
