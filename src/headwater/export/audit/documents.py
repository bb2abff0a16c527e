"""The report of an audit as a document: Markdown, and an HTML page that needs no network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from headwater.export.audit.text import summarize
from headwater.export.formats import escape_markdown

if TYPE_CHECKING:
    from typing import TextIO

    from headwater.audit import AuditReport, Issue, RuleResult

SHOWN_ISSUES = 1_000
SHOWN_SOURCES = 20
_HEAD = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Audit of {title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1.25rem; }}
body {{ overflow-wrap: anywhere; }}
h1 {{ font-size: 1.4rem; }}
summary {{ cursor: pointer; padding: .35rem 0; font-weight: 600; }}
summary b {{ display: inline-block; min-width: 5rem; }}
.error b {{ color: light-dark(#a5331f, #f09c88); }} .warning b {{ color: light-dark(#8a5a00, #e5b95c); }}
.notice b {{ color: light-dark(#1c5c9e, #8abaf0); }}
details {{ border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); }}
details > * {{ margin-left: 1.1rem; }} summary {{ margin-left: 0; }}
small, li li {{ opacity: .75; }}
</style>
"""


def write_markdown(report: AuditReport, output: TextIO) -> None:
    """Write a heading for each rule, and a list of its URLs."""
    output.write(f"# Audit of {escape_markdown(report.site)}\n\n{escape_markdown(summarize(report))}\n")
    for result in report.results:
        rule = result.rule
        output.write(f"\n## {rule.severity.capitalize()}: {rule.title} ({result.total:,})\n\n")
        output.write(f"{escape_markdown(rule.reason)} {escape_markdown(rule.fix)}\n\n")
        for issue in result.issues[:SHOWN_ISSUES]:
            output.write(_format_markdown_item(issue))
        output.write(_format_rest(result))


def _format_markdown_item(issue: Issue) -> str:
    detail = f": {escape_markdown(issue.detail)}" if issue.detail else ""
    sources = (
        f"  - linked from {escape_markdown(one.url)} {escape_markdown(one.text)}".rstrip() + "\n"
        for one in issue.related[:SHOWN_SOURCES]
    )
    return f"- {escape_markdown(issue.url)}{detail}\n" + "".join(sources)


def write_html(report: AuditReport, output: TextIO) -> None:
    """Write a page with one section for each rule; errors are unfolded."""
    output.write(_HEAD.format(title=escape(report.site)))
    output.write(f"<h1>Audit of {escape(report.site)}</h1>\n<p>{escape(summarize(report))}</p>\n")
    for result in report.results:
        rule = result.rule
        is_open = " open" if rule.severity == "error" else ""
        output.write(
            f'<details class="{rule.severity}"{is_open}><summary><b>{rule.severity}</b> {escape(rule.title)} '
            f"({result.total:,})</summary>\n<p>{escape(rule.reason)} {escape(rule.fix)}</p>\n<ul>\n"
        )
        for issue in result.issues[:SHOWN_ISSUES]:
            output.write(_format_html_item(issue))
        output.write(f"</ul>\n<p>{escape(_format_rest(result).strip())}</p>\n</details>\n")


def _format_html_item(issue: Issue) -> str:
    sources = "".join(
        f"<li>linked from {_format_link(one.url)} {escape(one.text)}</li>" for one in issue.related[:SHOWN_SOURCES]
    )
    nested = f"<ul>{sources}</ul>" if sources else ""
    return f"<li>{_format_link(issue.url)} <small>{escape(issue.detail)}</small>{nested}</li>\n"


def _format_link(url: str) -> str:
    text = escape(url)
    return f'<a href="{text}">{text}</a>' if url.startswith(("http://", "https://")) else text


def _format_rest(result: RuleResult) -> str:
    rest = result.total - min(len(result.issues), SHOWN_ISSUES)
    return f"\n… and {rest:,} more\n" if rest > 0 else ""
