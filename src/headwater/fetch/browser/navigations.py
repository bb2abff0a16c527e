"""Where a tab is: the page behind a URL, and signs that a document is gone or runs no script."""

from __future__ import annotations


def forbids_scripts(headers: dict[str, str]) -> bool:
    """Whether the page runs no script, so that no clock ticks in it that ours could wait for."""
    policies = [
        rule.split() for rule in headers.get("content-security-policy", "").lower().replace(",", ";").split(";")
    ]
    return any(rule[:1] == ["sandbox"] and "allow-scripts" not in rule for rule in policies)


def get_page_url(url: str) -> str:
    """Return a URL without its fragment, the same whether Chromium or we wrote it: it escapes two more characters."""
    return url.partition("#")[0].replace("|", "%7C").replace("^", "%5E")


def is_document_gone(error: Exception) -> bool:
    """Whether an error of the driver means that the document that was asked is there no more."""
    text = str(error)
    return any(
        sign in text for sign in ("context was destroyed", "Cannot find context", "navigated or closed", "collected")
    )
