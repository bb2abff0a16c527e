"""Learn in which sections of a site paths redirect to themselves with a slash: `/docs/intro` to `/docs/intro/`.

Each such redirect is a request that the first pages of a section make predictable. The decision depends only on the
first pages, in the order in which their visits start, and not on the order of responses.
"""

from __future__ import annotations

from headwater.urls.recognition.file_types import get_extension

MAX_SAMPLES = 3
MIN_REDIRECTS = 2
"""Pages of a section that are requested as they are linked, and how many of them must redirect to the slash."""

MAX_SECTIONS = 10_000


class SlashHabit:
    """The evidence of the first pages of one section."""

    def __init__(self) -> None:
        self._started = self._finished = self._redirects = self._answers = 0

    def take_sample(self) -> bool:
        """Return True if the next page is a sample: it is requested as it is linked."""
        self._started += 1
        return self._started <= MAX_SAMPLES

    def add_result(self, *, adds_slash: bool | None) -> None:
        """Add the result of a sample; None if it did not load."""
        self._finished += 1
        self._redirects += adds_slash is True
        self._answers += adds_slash is False

    @property
    def is_decided(self) -> bool:
        """Return True if all samples have a result."""
        return self._finished >= MAX_SAMPLES

    @property
    def adds_slash(self) -> bool:
        """Return True if the pages of the section are at the URL with a slash."""
        return self._redirects >= MIN_REDIRECTS and not self._answers


class SlashHabits:
    """The habits of a site by section, which is the first segment of the path."""

    def __init__(self) -> None:
        self._sections: dict[str, SlashHabit] = {}

    def get_habit(self, url: str) -> SlashHabit | None:
        """Return the habit of a page's section; None if the page has a query, an extension or a slash at its end."""
        section = get_section(url)
        if not section or (section not in self._sections and len(self._sections) >= MAX_SECTIONS):
            return None
        return self._sections.setdefault(section, SlashHabit())


def get_section(url: str) -> str:
    """Return the host and the first directory of a URL; empty if no slash can be added to it."""
    url = url.partition("#")[0].partition("//")[2]
    start = url.find("/")
    if start < 0 or url.endswith("/") or "?" in url or get_extension(url[start:]):
        return ""
    end = url.find("/", start + 1)
    return url[: start + 1 if end < 0 else end]
