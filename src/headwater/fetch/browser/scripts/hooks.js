// Notes where the page would lead. Hooks call through, except while we click.

function note(url, how) {
  if (url === undefined || url === null || state.count >= MOST) return;
  const written = string(url);
  if (written.length > LONGEST) return;
  let resolved;
  try { resolved = new Address(written, apply(baseOf, document, [])).href; } catch { return; }
  const key = `${how} ${resolved}`;
  if (resolved.length > LONGEST || key in routes || (state.told += resolved.length) > ADDRESSES) return;
  routes[key] = [resolved, how];
  state.count++;
  report(write([how, resolved]));
}

// Nobody reads what a page writes to the console or fails with, but each message would be sent to us.
const calm = Event.prototype.preventDefault;
for (const name in console) if (typeof console[name] === "function") console[name] = () => {};
for (const kind of ["error", "unhandledrejection"]) apply(listen, window, [kind, event => apply(calm, event, []), true]);

// Hooks that call through.
History.prototype.pushState = function (data, title, url) { note(url, "pushState"); return apply(pushState, this, arguments); };
History.prototype.replaceState = function (data, title, url) { note(url, "replaceState"); return apply(replaceState, this, arguments); };
const open = window.open;
window.open = function (url) {
  note(url, "window.open");
  return state.isClicking ? null : apply(open, this, arguments);
};
Element.prototype.attachShadow = function (options) {
  const root = apply(attach, this, arguments);
  if (roots.length < MOST) roots[roots.length] = root;
  if (observer) observer.observe(root, WATCHED);
  return root;
};
for (const name of ["setHTMLUnsafe", "setHTML"]) {
  const set = Element.prototype[name];
  if (set) Element.prototype[name] = function () { state.has_unseen_roots = true; return apply(set, this, arguments); };
}
EventTarget.prototype.addEventListener = function (type, listener) {
  if (listener) {
    state.hears[type] = true;
    if (this instanceof Element) {
      let kinds = heard.get(this);
      if (!kinds) heard.set(this, kinds = Object.create(null));
      kinds[type] = true;
    }
  }
  return apply(listen, this, arguments);
};
const Seer = window.IntersectionObserver;
if (Seer) window.IntersectionObserver = class IntersectionObserver extends Seer {
  constructor(...given) { super(...given); state.hears.intersection = true; }
};
// Requests under way, to the last byte of an answer that is read; what the page makes of it comes a little later.
const ended = () => { state.pending--; stir(); };
const begin = window.fetch;
window.fetch = function () {
  state.pending++;
  const answer = apply(begin, this, arguments);
  answer.then(ended, ended);
  return answer;
};
for (const name of ["json", "text", "blob", "arrayBuffer", "formData", "bytes"]) {
  const read = Response.prototype[name];
  if (read) Response.prototype[name] = function () {
    state.pending++;
    const content = apply(read, this, arguments);
    content.then(ended, ended);
    return content;
  };
}
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function () {
  state.pending++;
  apply(listen, this, ["loadend", ended, { once: true }]);
  try { return apply(send, this, arguments); } catch (error) { ended(); throw error; }
};
const say = WebSocket.prototype.send;
WebSocket.prototype.send = function () { if (!state.isClicking) return apply(say, this, arguments); };
const beacon = Navigator.prototype.sendBeacon;
Navigator.prototype.sendBeacon = function (url) {
  note(url, "sendBeacon");
  return state.isClicking || apply(beacon, this, arguments);
};
HTMLElement.prototype.click = function () {
  const isLink = this instanceof HTMLAnchorElement && this.href;
  if (isLink) note(this.href, "link");
  if (!(isLink && state.isClicking)) return apply(press, this, []);
};
// Timers that will soon go off: a page that waits for one is not done.
window.setTimeout = function (what, delay, ...given) {
  if (delay > SOON || typeof what !== "function") return apply(later, this, arguments);
  const done = () => { if (timers.delete(handle)) stir(); };
  const handle = apply(later, window, [function () { done(); return apply(what, this, given); }, delay]);
  timers.add(handle);
  return handle;
};
const forgo = window.clearTimeout, timers = new Set(), SOON = 500;
window.clearTimeout = function (handle) { timers.delete(handle); return apply(forgo, this, arguments); };
const submit = HTMLFormElement.prototype.submit;
HTMLFormElement.prototype.submit = function () { noteForm(this); if (!state.isClicking) return apply(submit, this, []); };

function noteForm(form, submitter) {
  if (apply(lower, form.getAttribute("method") || "get", []) !== "get") return;
  try {
    const target = new Address(form.getAttribute("action") || "", document.baseURI);
    target.search = new URLSearchParams(new FormData(form)).toString();
    note(target.href, "form");
  } catch { /* a form without an address */ }
}
apply(listen, window, ["submit", event => {
  noteForm(event.target, event.submitter);
  if (state.isClicking) event.preventDefault();
}, true]);
if (window.navigation) apply(listen, window.navigation, ["navigate", event => {
  if (event.destination.url) note(event.destination.url, event.destination.sameDocument ? "navigate" : "location");
  if (state.isClicking && !event.destination.sameDocument && event.cancelable) event.preventDefault();
}]);
