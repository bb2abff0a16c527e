// Record the URLs that the page leads to. Hooks call the original functions, except during our clicks.

function record(url, how) {
  if (url === undefined || url === null || state.count >= MAX_ITEMS) return;
  const text = string(url);
  if (text.length > MAX_URL) return;
  let resolved;
  try { resolved = new Address(text, apply(baseOf, document, [])).href; } catch { return; }
  const key = `${how} ${resolved}`;
  if (resolved.length > MAX_URL || key in routes || (state.reportedChars += resolved.length) > MAX_URL_CHARS) return;
  routes[key] = [resolved, how];
  state.count++;
  report(write([how, resolved]));
}

// Console messages and script errors are not used, but each one would be transferred to us. `createTask` prints nothing
// and returns an object that frameworks need to start.
const preventDefault = Event.prototype.preventDefault;
for (const name in console) {
  if (typeof console[name] === "function" && name !== "createTask") console[name] = () => {};
}
for (const kind of ["error", "unhandledrejection"]) apply(listen, window, [kind, event => apply(preventDefault, event, []), true]);

// Hooks.
History.prototype.pushState = function (data, title, url) { record(url, "pushState"); return apply(pushState, this, arguments); };
History.prototype.replaceState = function (data, title, url) { record(url, "replaceState"); return apply(replaceState, this, arguments); };
const open = window.open;
window.open = function (url, target) {  // new windows are blocked, as browsers block those that no click asks for
  record(url, "window.open");
  const isNew = target === undefined || target === null || string(target) === "" || string(target) === "_blank";
  return isNew || state.isClicking ? null : apply(open, this, arguments);
};
Element.prototype.attachShadow = function (options) {
  const root = apply(attach, this, arguments);
  if (roots.length < MAX_ITEMS) roots[roots.length] = root;
  if (observer) observer.observe(root, WATCHED);
  return root;
};
for (const name of ["setHTMLUnsafe", "setHTML"]) {
  const set = Element.prototype[name];
  if (set) Element.prototype[name] = function () { state.hasHiddenRoots = true; return apply(set, this, arguments); };
}
EventTarget.prototype.addEventListener = function (type, listener) {
  if (listener) {
    state.listensFor[type] = true;
    if (this instanceof Element) {
      let kinds = listenersOf.get(this);
      if (!kinds) listenersOf.set(this, kinds = Object.create(null));
      kinds[type] = true;
    }
  }
  return apply(listen, this, arguments);
};
const OriginalObserver = window.IntersectionObserver;
if (OriginalObserver) window.IntersectionObserver = class IntersectionObserver extends OriginalObserver {
  constructor(...values) { super(...values); state.listensFor.intersection = true; }
};
// Count pending requests until the last byte of the body; the page processes a response shortly afterwards.
const ended = () => { state.pending--; markChange(); };
const originalFetch = window.fetch;
window.fetch = function () {
  state.pending++;
  const response = apply(originalFetch, this, arguments);
  response.then(ended, ended);
  return response;
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
// Messages to servers may change data. Requests with other methods than GET and HEAD are answered in `write_guard.py`;
// those of shared workers, which belong to no page, would not be.
WebSocket.prototype.send = function () {};
delete window.SharedWorker;
const beacon = Navigator.prototype.sendBeacon;
Navigator.prototype.sendBeacon = function (url) {
  record(url, "sendBeacon");
  return state.isClicking || apply(beacon, this, arguments);
};
HTMLElement.prototype.click = function () {
  const isLink = this instanceof HTMLAnchorElement && this.href;
  if (isLink) record(this.href, "link");
  if (!(isLink && state.isClicking)) return apply(press, this, []);
};
// Track timers: a page that waits for a short one has not settled, and longer ones can be run early.
window.setTimeout = function (callback, delay, ...values) {
  if (delay > MAX_DELAY || typeof callback !== "function") return apply(later, this, arguments);
  const isSoon = !(delay > SOON), run = () => {
    if (!timers.delete(handle) && !slowTimers.delete(handle)) return;
    if (isSoon) markChange();
    return apply(callback, window, values);
  };
  const handle = apply(later, window, [run, delay]);
  if (isSoon) timers.add(handle); else if (slowTimers.size < MAX_ITEMS) slowTimers.set(handle, [now() + delay, run]);
  return handle;
};
const cancelTimer = window.clearTimeout, timers = new Set(), slowTimers = new Map(), SOON = 500, MAX_DELAY = 10000;
window.clearTimeout = function (handle) { timers.delete(handle); slowTimers.delete(handle); return apply(cancelTimer, this, arguments); };
// Run timers that are still waiting, the earliest first; timers that they start are not run.
function runTimers() {
  const waiting = [...slowTimers.values()].sort((one, other) => one[0] - other[0]);
  for (let at = 0; at < waiting.length && at < 100; at++) try { waiting[at][1](); } catch { /* an error of the page's own script */ }
  return waiting.length;
}
// A page that opens a stream waits for its first message.
function awaitFirstMessage(stream) {
  let isWaiting = true;
  const done = () => { if (isWaiting) { isWaiting = false; ended(); } };
  state.pending++;
  for (const kind of ["message", "error", "close"]) apply(listen, stream, [kind, done, { once: true }]);
  apply(later, window, [done, 2 * SOON]);
}
for (const name of ["EventSource", "WebSocket"]) {
  const Original = window[name];
  if (Original) window[name] = class extends Original {
    constructor(...values) { super(...values); awaitFirstMessage(this); }
  };
}
const submit = HTMLFormElement.prototype.submit;
HTMLFormElement.prototype.submit = function () { recordForm(this); if (!state.isClicking) return apply(submit, this, []); };

function recordForm(form, submitter) {
  if (apply(lower, form.getAttribute("method") || "get", []) !== "get") return;
  // A search without any words is hardly a page.
  const typed = query(form, "input:not([type]),input[type=text],input[type=search],textarea");
  for (let at = 0; at < typed.length; at++) if (!typed[at].value) return;
  try {
    const target = new Address(form.getAttribute("action") || "", document.baseURI);
    target.search = new URLSearchParams(new FormData(form)).toString();
    record(target.href, "form");
  } catch { /* the action is not a valid URL */ }
}
apply(listen, window, ["submit", event => {
  recordForm(event.target, event.submitter);
  if (state.isClicking) event.preventDefault();
}, true]);
if (window.navigation) apply(listen, window.navigation, ["navigate", event => {
  if (event.destination.url) record(event.destination.url, event.destination.sameDocument ? "navigate" : "location");
  if (state.isClicking && !event.destination.sameDocument && event.cancelable) event.preventDefault();
}]);
