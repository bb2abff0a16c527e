"""API routes that start, stop, resume and repeat scans."""

from collections.abc import Mapping, Sequence

from starlette.requests import Request

from headwater.errors import HeadwaterError, SettingError, UrlError
from headwater.settings import Settings
from headwater.store.browse_store import BrowseStore
from headwater.store.records import Scan
from headwater.web.jobs.allowed_settings import ALLOWED_SETTINGS, check_seeds, merge_settings
from headwater.web.scans import views
from headwater.web.scans.inputs import ResumeScan, StartScan
from headwater.web.scans.records import ScanReference
from headwater.web.serving.app_state import get_app_state
from headwater.web.serving.parameters import ScanPath
from headwater.web.serving.problems import Problem

RESUMABLE_STATES = frozenset({"interrupted", "limited", "incomplete", "stalled", "paused"})


async def start_scan(request: Request, given: StartScan) -> ScanReference:
    """Start a scan."""
    chosen = resolve_settings(request, given.body.settings, given.body.preset)
    return await _enqueue_scan(request, given.body.urls, chosen)


async def cancel_scan(request: Request, given: ScanPath) -> ScanReference:
    """Stop a scan, whichever process runs it."""
    app = get_app_state(request)
    await app.readers.scan(given.scan)
    if app.jobs.has_scan(given.scan):
        await app.jobs.stop_job(("scan", given.scan))
    else:
        await app.readers.read(_request_stop, given.scan)
    return ScanReference(scan=given.scan)


async def resume_scan(request: Request, given: ResumeScan) -> ScanReference:
    """Resume a scan that ended early, with its own settings except for what the request and the server set."""
    app = get_app_state(request)
    found = await app.readers.scan(given.scan)
    status = await app.readers.read(views.get_scan_status, found.number)
    if status.state not in RESUMABLE_STATES:
        raise Problem(409, f"Scan {found.number} is {status.state}")
    if not await app.readers.read(_resume_in_fleet, found.number):
        chosen = resolve_settings(request, {**get_own_settings(found), **given.body.settings}, None)
        validate_seeds(found.seeds, chosen)
        await app.jobs.resume_scan(found.number, found.seeds, chosen)
    return ScanReference(scan=found.number)


async def rescan(request: Request, given: ScanPath) -> ScanReference:
    """Scan the same site again."""
    found = await get_app_state(request).readers.scan(given.scan)
    return await _enqueue_scan(request, found.seeds, resolve_settings(request, get_own_settings(found), None))


def get_own_settings(scan: Scan) -> dict[str, object]:
    """Return the settings of a scan that a request may choose."""
    return {name: value for name, value in scan.settings.items() if name in ALLOWED_SETTINGS}


def validate_seeds(seeds: Sequence[str], chosen: Settings) -> None:
    """Raise Problem unless every seed may be requested."""
    if not all(seed.isprintable() for seed in seeds):
        raise Problem(422, "expected URLs without control characters", "urls")
    try:
        check_seeds(seeds, chosen)
    except UrlError as error:
        raise Problem(422, str(error), "urls") from None
    except SettingError as error:
        raise Problem(422, error.problem, error.name) from None


def resolve_settings(request: Request, given: Mapping[str, object], preset: str | None) -> Settings:
    """Return the settings of a scan: the request overrides the server; raise Problem if a value is not allowed."""
    app = get_app_state(request)
    try:
        return merge_settings(given, preset, app.layers, app.fixed_settings)
    except SettingError as error:
        raise Problem(422, error.problem, error.name) from None
    except HeadwaterError as error:
        raise Problem(422, str(error)) from None


async def _enqueue_scan(request: Request, seeds: Sequence[str], chosen: Settings) -> ScanReference:
    validate_seeds(seeds, chosen)
    return ScanReference(scan=await get_app_state(request).jobs.enqueue_scan(seeds, chosen))


def _request_stop(store: BrowseStore, scan: int) -> None:
    """Pause the site if a fleet works on the scan; otherwise leave a stop request that its process polls for."""
    status = views.get_scan_status(store, scan)
    if not status.is_live:
        raise Problem(409, f"Scan {scan} is {status.state}")
    site = store.fleet_site(scan)
    if site is None or store.fleet is None:
        store.request_stop(scan)
    else:
        store.fleet.pause([site.number])


def _resume_in_fleet(store: BrowseStore, scan: int) -> bool:
    """Return True if a fleet works on the scan, which must then not run here as well; resume its site if paused."""
    site = store.fleet_site(scan)
    if site is None or store.fleet is None:
        return False
    if site.state == "paused":
        store.fleet.resume([site.number])
    return True
