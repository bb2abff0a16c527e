"""Compare URLs of pages, and detect documents that are gone or run no scripts."""

from __future__ import annotations


def forbids_scripts(headers: dict[str, str]) -> bool:
    """Return True if the page's policy forbids scripts, so that timers of our own script do not run either."""
    policies = [
        rule.split() for rule in headers.get("content-security-policy", "").lower().replace(",", ";").split(";")
    ]
    return any(rule[:1] == ["sandbox"] and "allow-scripts" not in rule for rule in policies)


def get_page_url(url: str) -> str:
    """Return a URL without fragment, with the two characters escaped that Chromium escapes and our parser does not."""
    return url.partition("#")[0].replace("|", "%7C").replace("^", "%5E")


def is_document_gone(error: Exception) -> bool:
    """Return True if a driver's error means that the document was replaced or closed."""
    text = str(error)
    return any(
        sign in text for sign in ("context was destroyed", "Cannot find context", "navigated or closed", "collected")
    )
