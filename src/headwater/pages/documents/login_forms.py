"""Recognize a login form by the names of its fields, on whatever page it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from turbohtml import Document, Element

LoginForm = frozenset[str]
"""The names of the fields to type into."""

MAX_FORMS = 50
MAX_FIELDS = 50
_PASSWORD = "input[type=password i]"  # noqa: S105  (a selector)
_OTHER_TYPES = frozenset({"hidden", "submit", "button", "reset", "image", "checkbox", "radio", "file", "search"})


class LoginSigns(NamedTuple):
    """Signs of the login of a site, as a recipe found them: the page it starts at, and the forms it fills in.

    `checked_url` is a page that showed the success of the login.
    """

    start_url: str = ""
    checked_url: str = ""
    forms: frozenset[LoginForm] = frozenset()

    def is_start(self, url: str) -> bool:
        """Return True if a URL is that of the login page, whatever its query."""
        return bool(self.start_url) and _strip_query(url) == _strip_query(self.start_url)

    def is_shown_by(self, document: Document) -> bool:
        """Return True if a page has one of the login forms."""
        return bool(self.forms) and not self.forms.isdisjoint(find_login_forms(document))


NO_SIGNS = LoginSigns()


def find_login_forms(document: Document) -> frozenset[LoginForm]:
    """Return the forms of a page that ask for a password; a field outside of forms belongs to the page as a whole."""
    if document.select_one(_PASSWORD) is None:
        return frozenset()
    forms = [form for form in document.select("form")[:MAX_FORMS] if form.select_one(_PASSWORD) is not None]
    found = frozenset(map(_list_fields, forms)) or frozenset({_list_fields(document)})
    return frozenset(fields for fields in found if fields)


def _list_fields(form: Element | Document) -> LoginForm:
    inputs = form.select("input")[:MAX_FIELDS]
    typed = (one for one in inputs if (one.attr("type") or "text").strip().lower() not in _OTHER_TYPES)
    return frozenset(name[:100] for one in typed if (name := one.attr("name") or one.attr("id") or ""))


def _strip_query(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]
