"""The interface of a stage, and the report it returns."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple, Protocol

from headwater.errors import HeadwaterError

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext, ScanProgress
    from headwater.settings import Settings

TIME_UP = "the time limit was reached"


class StageReport(NamedTuple):
    """The result of a stage: `state` is running, done, skipped, failed or timed-out.

    `limit` names the setting that ended the stage early. A stage that is not complete runs again when the scan is
    resumed.
    """

    name: str
    state: str
    urls: int = 0
    seconds: float = 0.0
    note: str = ""
    limit: str = ""
    is_complete: bool = True


class Stage(Protocol):
    """A way of finding pages. To add one, write a module in `stages` and list it in `pipeline.STAGES`.

    `ends_at_deadline`: the stage is cancelled at the deadline of the scan; other stages stop on their own.
    `always_runs`: the stage runs again whenever a scan is resumed.
    """

    name: str
    ends_at_deadline: bool = False
    always_runs: bool = False

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Return True if the stage should run, given the results of the stages before it.

        By default, a stage runs if the settings name it.
        """
        return self.name in settings.stages

    async def run(self, context: ScanContext) -> StageReport:
        """Find pages."""

    def explain_skip(self, settings: Settings) -> str:
        """Return the reason why the stage is not needed."""
        return "" if self.name in settings.stages else "not among --stages"

    def restore(self, context: ScanContext) -> None:
        """Load the results that later stages need, when a resumed scan does not run this stage again."""
        return


async def run_isolated(stage: Stage, context: ScanContext) -> StageReport:
    """Run a stage; if it fails, report the failure so that the other stages still run."""
    try:
        return await stage.run(context)
    except TimeoutError:
        return StageReport(stage.name, "timed-out", note=TIME_UP)
    except (HeadwaterError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001  (any failure of one stage must leave the others running)
        note = f"{type(error).__name__}: {error}"[:300]
        return StageReport(stage.name, "failed", note=note, is_complete=False)
