"""Build a page with buttons that would do harm, in several languages, and harmless buttons that lead to pages."""

from __future__ import annotations

import html
import json
import random
from typing import NamedTuple

from tests.sites.spa.kinds import Origins, Route, SpaSite
from tests.sites.spa.plain import LEAF
from tests.sites.table_site import Answer, ReceivedRequest


class Button(NamedTuple):
    """A label, the place where it is written, and the request that a click sends."""

    label: str
    place: str = "text"
    method: str = "POST"
    path: str = ""
    element: str = "button"


LABELS = (
    "Delete|Remove|Delete account|Buy now|Purchase|Checkout|Proceed to checkout|Pay|Pay now|Order now|Place order|"
    "Log out|Logout|Sign out|Unsubscribe|Send|Send message|Post|Post comment|Confirm|Submit|Cancel subscription|"
    "Clear all|Empty bin|Empty trash|Warenkorb leeren|Vider le panier|Vaciar papelera|Svuota carrello|Очистить|清空|"
    "Abmelden|Ausloggen|Löschen|Entfernen|Kaufen|Jetzt kaufen|Kostenpflichtig bestellen|Bezahlen|Absenden|Bestätigen|"
    "Supprimer|Se déconnecter|Déconnexion|Acheter|Payer|Commander|Se désabonner|Envoyer|Confirmer|"
    "Eliminar|Borrar|Cerrar sesión|Comprar|Pagar|Enviar|Confirmar|Darse de baja|"
    "Elimina|Esci|Acquista|Invia|Conferma|Excluir|Sair|Finalizar compra|"
    "Verwijderen|Uitloggen|Afmelden|Kopen|Bestellen|Verzenden|Usuń|Wyloguj się|Kup teraz|Wyślij|"
    "Удалить|Выйти|Купить|Отправить|削除|ログアウト|購入|送信|删除|退出登录|购买"
).split("|")
HIDDEN_LABELS = (
    Button("Delete this entry", "aria-label"),
    Button("Abmelden", "aria-label", "GET", "/logout?by=label"),
    Button("Supprimer", "aria-label", element="div"),
    Button("btn-delete-17", "id"),
    Button("removeItem", "id", "DELETE", element="div"),
    Button("header_logout", "id", "GET", "/logout?by=id"),
    Button("js-logout", "class", "GET", "/logout?by=class"),
    Button("btn btn-unsubscribe", "class", "PUT", element="span"),
    Button("checkoutButton", "class", element="div"),
    Button("icon-trash delete", "class", "PATCH", element="span"),
)
SIGNING_OUT = {"Log out", "Logout", "Sign out", "Abmelden", "Se déconnecter", "Cerrar sesión", "ログアウト", "退出登录"}
# Nothing in the labels of these buttons says that they change data; only their requests show it.
SILENT = (
    Button("Next tip", path="/api/tips"),
    Button("Rate this page", method="PUT", path="/api/rating"),
    Button("Hide the hint", method="DELETE", path="/api/hint"),
    Button("I saw it", method="BEACON", path="/api/beacon"),
    Button("Choose blue", method="FORM", path="/api/colour"),
)
# Some of these contain a dangerous word as part of another word.
HARMLESS = {
    "Show details": "/details",
    "Opening hours": "/opening-hours",
    "Border styles": "/border-styles",
    "Payload format": "/payload-format",
    "Posture guide": "/posture-guide",
    "Mehr anzeigen": "/mehr",
}
AFTER_POST = Button("Take the quiz", path="/api/quiz")


def numbered(place: int, button: Button) -> Button:
    """Return the button with a path to request, if it has none yet."""
    if button.path:
        return button
    if button.label in SIGNING_OUT:
        return button._replace(method="GET", path=f"/logout?by={place}")
    return button._replace(path=f"/harm/{place}")


DANGEROUS = tuple(numbered(place, one) for place, one in enumerate((*map(Button, LABELS), *HIDDEN_LABELS)))

SCRIPT = """<script>
  const act = {
    GET: (path) => { fetch(path); },
    BEACON: (path) => { navigator.sendBeacon(path, "x=1"); },
    FORM: (path) => {
      const form = Object.assign(document.createElement("form"), { method: "post", action: path });
      document.body.append(form);
      form.submit();
    },
    DELETE: (path) => { const request = new XMLHttpRequest(); request.open("DELETE", path); request.send(); },
  };
  const show = (path) => {
    history.pushState(null, "", path);
    document.querySelector("h1").textContent = path;
  };
  for (const button of document.querySelectorAll("[data-n]")) {
    const [method, path, next] = JSON.parse(document.querySelector("#acts").textContent)[button.dataset.n];
    button.addEventListener("click", () => {
      if (method) (act[method] || ((to) => { fetch(to, { method, body: "x=1" }); }))(path);
      if (next) show(next);
    });
  }
</script>"""


def to_html(place: int, button: Button) -> str:
    """Return the HTML of a button, with its label as text or in an attribute of a button that shows only a dot."""
    label = html.escape(button.label)
    attribute = "" if button.place == "text" else f' {button.place}="{label}"'
    text = label if button.place == "text" else "●"
    kind = ' type="button"' if button.element == "button" else ' style="cursor: pointer"'
    return f'<p><{button.element}{kind} data-n="{place}"{attribute}>{text}</{button.element}></p>'


def page() -> str:
    """Return all buttons in random order, so that stopping after the first few does not avoid the harmful ones."""
    acts = [("", "", path) for path in HARMLESS.values()]
    acts += [(one.method, one.path, "") for one in (*SILENT, *DANGEROUS)]
    acts.append((AFTER_POST.method, AFTER_POST.path, "/quiz"))
    harmless = [Button(text, element="div") for text in HARMLESS]
    parts = [to_html(place, one) for place, one in enumerate((*harmless, *SILENT, *DANGEROUS, AFTER_POST))]
    random.Random(1).shuffle(parts)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Careful</title><h1>Careful</h1>'
        f'{"".join(parts)}<script id="acts" type="application/json">{json.dumps(acts)}</script>{SCRIPT}'
    )


ROUTES = (
    Route("/", "start", "Careful"),
    *(Route(path, "click", path, at=(f'text="{text}"',)) for text, path in HARMLESS.items()),
    Route("/quiz", "click", "/quiz", at=(f'text="{AFTER_POST.label}"',)),
)
SENT_BY_OTHER_MEANS = {"BEACON": "POST", "FORM": "POST"}
ANSWERS = {route.path: Answer(LEAF.format(title=route.title)) for route in ROUTES} | {"/": Answer(page())}


def answer(request: ReceivedRequest, _: Origins) -> Answer | None:
    """Return a page, or the answer to a button's request."""
    is_button = (request.method, request.path) in CAREFUL.forbidden
    return Answer("Done.", type="text/plain") if is_button else ANSWERS.get(request.path)


def request_of(button: Button) -> tuple[str, str]:
    """Return method and path of the request that a click sends."""
    return SENT_BY_OTHER_MEANS.get(button.method, button.method), button.path


CAREFUL = SpaSite(
    "careful",
    answer,
    ROUTES,
    endpoints=frozenset(request_of(one) for one in (*SILENT, AFTER_POST)),
    forbidden=frozenset(request_of(one) for one in (*SILENT, *DANGEROUS, AFTER_POST)),
)
