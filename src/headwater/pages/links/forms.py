"""Enumerate the URLs that forms lead to: GET forms whose fields are all choices, such as a menu of sections.

Nothing is typed into text fields, and forms that look harmful are left out. Fields that only change the view of a list,
such as its order, keep their first value.
"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from headwater.pages.links.harmful_actions import HARMFUL_PHRASES, build_harmful_word_table
from headwater.urls.recognition.harmful_urls import is_harmful_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

MAX_FORMS = 20
MAX_FIELDS = 20
MAX_CHOICES = 200
MAX_URLS_PER_FORM = 50
"""Limits for one page; of a form with more combinations, each field is varied while the others keep their default."""

_CHOICE_TYPES = frozenset({"radio", "checkbox"})
_SILENT_TYPES = frozenset({"submit", "button", "reset", "image", "hidden"})
_VIEW_FIELD = re.compile(
    r"(?:sort|order|dir|view|layout|display|mode|per_?page|page_?size|limit|count|currency|theme|lang|locale)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_SUBMIT_WORDS = frozenset(
    "submit apply send update absenden senden envoyer valider enviar invia inviare verzenden skicka".split()
)
_HARMFUL_WORDS = frozenset(build_harmful_word_table()) - _SUBMIT_WORDS


class Field(NamedTuple):
    """A field of a form and the values that it may send; None stands for sending nothing. The first is the default."""

    name: str
    values: tuple[str | None, ...]


def find_form_targets(document: Document) -> list[str]:
    """Return the URLs that the forms of a page lead to, as written.

    A form with a field to type into has one, its action; other forms have one for each choice.
    """
    targets: dict[str, None] = {}
    for form in document.select("form")[:MAX_FORMS]:
        if is_get_form(form) and not _is_harmful(form):
            targets.update(dict.fromkeys(_list_targets(form)))
    return [target for target in targets if not is_harmful_url(f"https://host/{target.lstrip('/')}")]


def is_get_form(form: Element) -> bool:
    """Return True if a form is sent by GET."""
    return (form.attr("method") or "get").strip().lower() == "get"


def is_search_form(form: Element) -> bool:
    """Return True if a form has a field to type into, so that its URL alone is hardly a page."""
    return any(_is_text_field(control) for control in form.select("input, textarea")[:MAX_FIELDS])


def _list_targets(form: Element) -> Iterator[str]:
    action = (form.attr("action") or "").strip().partition("#")[0]
    if is_search_form(form):
        if action:
            yield action
        return
    path = action.partition("?")[0]
    yield from (f"{path}?{urlencode(choice)}" for choice in _list_choices(_read_fields(form)) if choice)


def _list_choices(fields: list[Field]) -> Iterator[list[tuple[str, str]]]:
    """Yield the names and values of all fields for each combination, if there is anything to choose."""
    combinations = 1
    for field in fields:
        combinations *= len(field.values)
    if combinations <= 1:
        return
    choices = product(*(field.values for field in fields)) if combinations <= MAX_URLS_PER_FORM else _vary_each(fields)
    for values, _ in zip(choices, range(MAX_URLS_PER_FORM), strict=False):
        yield [(field.name, value) for field, value in zip(fields, values, strict=True) if value is not None]


def _vary_each(fields: list[Field]) -> Iterator[tuple[str | None, ...]]:
    defaults = tuple(field.values[0] for field in fields)
    for place, field in enumerate(fields):
        for value in field.values[1:] if place else field.values:
            yield (*defaults[:place], value, *defaults[place + 1 :])


def _read_fields(form: Element) -> list[Field]:
    values: dict[str, list[str | None]] = {}
    for control in form.select("select, input")[:MAX_CHOICES]:
        name = control.attr("name") or ""
        if not name or control.attr("disabled") is not None:
            continue
        known = values.setdefault(name, [])
        known += [value for value in _read_values(control) if value not in known]
    fields = (Field(name, tuple(found)) for name, found in values.items() if found)
    return [field._replace(values=field.values[:1]) if _VIEW_FIELD.match(field.name) else field for field in fields][
        :MAX_FIELDS
    ]


def _read_values(control: Element) -> list[str | None]:
    """Return what a field may send; an empty choice stands for all, which the URL without the field is."""
    if control.tag == "select":
        options = control.select("option")[:MAX_CHOICES]
        return [value for option in options if (value := _get_option_value(option))]
    kind = (control.attr("type") or "text").strip().lower()
    if kind == "checkbox":
        return [None, control.attr("value") or "on"]
    if kind in {"radio", "hidden"}:
        only = control.attr("value")
        return [only] if only else []
    return []


def _get_option_value(option: Element) -> str:
    value = option.attr("value")
    return "" if option.attr("disabled") is not None else option.text.strip() if value is None else value


def _is_text_field(control: Element) -> bool:
    kind = (control.attr("type") or "text").strip().lower()
    return control.tag == "textarea" or kind not in _CHOICE_TYPES | _SILENT_TYPES


def _is_harmful(form: Element) -> bool:
    """Return True if the words of a form or of its buttons suggest that it changes something."""
    buttons = form.select("button, input[type=submit], input[type=image]")[:MAX_FIELDS]
    texts = [form.attr(name) or "" for name in ("id", "name", "class", "action")]
    texts += [
        text for button in buttons for text in (button.text, button.attr("value") or "", button.attr("name") or "")
    ]
    words = " ".join(texts)[:10_000].lower()
    return any(word in _HARMFUL_WORDS for word in _WORD.findall(words)) or any(one in words for one in HARMFUL_PHRASES)
