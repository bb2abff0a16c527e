"""What `make run` does: the main job on a given URL, or on the sample site if there is none."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

from sample.serve import SITE, sample_site

HEADWATER = str(Path(sys.executable).parent / "headwater")


class _Links(HTMLParser):
    """The links of one file, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if tag == "a" and name == "href" and value]


def links_of_the_site(origin: str) -> list[str]:
    """Every link that stands in a file of the sample site, once, as a browser would resolve it."""
    links: dict[str, None] = {}
    for file in sorted(SITE.rglob("*.html")):
        parser = _Links()
        parser.feed(file.read_text())
        page = f"{origin}/{file.relative_to(SITE)}"
        links.update((link if link.startswith("#") else urljoin(page, link), None) for link in parser.found)
    return list(links)


def main() -> int:
    """Run Headwater as a user would; its exit code is ours."""
    if len(sys.argv) > 1:
        return subprocess.call([HEADWATER, "explain", *sys.argv[1:], "--base", sys.argv[1]])
    with sample_site() as origin:
        sys.stderr.write(f"The sample site is served at {origin}; this is what the rules make of its links:\n\n")
        command = [HEADWATER, "explain", "--base", origin, "--format", "line"]
        return subprocess.run(command, input="\n".join(links_of_the_site(origin)), text=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
