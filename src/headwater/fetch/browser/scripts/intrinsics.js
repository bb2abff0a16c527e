// Built-in functions, saved before the page can redefine them, and the state of the script.

const NAME = "{{name}}", REPORT = "{{report}}", HARMFUL = {{harmful}}, LANDMARKS = {{landmarks}}, POINTER_ONLY = {{pointer_only}}, MAX_ITEMS = 2000;
// Characters of one URL, of all reported URLs, and of a document with its frames.
const MAX_URL = 65536, MAX_URL_CHARS = 4000000, MAX_HTML = 20000000;
if (Object.getOwnPropertyDescriptor(window, NAME)) return;
// Sends a message immediately, because the page may be gone a moment later.
const report = typeof window[REPORT] === "function" ? window[REPORT] : () => {};
delete window[REPORT];

const { apply } = Reflect, { stringify } = JSON, { now } = Date, { max, min, round } = Math;
const { isArray } = Array, { keys, setPrototypeOf } = Object;
const later = window.setTimeout, frame = window.requestAnimationFrame, Wait = Promise;
const { pushState, replaceState } = History.prototype, goTo = History.prototype.go;
const style = window.getComputedStyle, Watcher = MutationObserver, Address = URL, Counts = WeakMap;
const lower = String.prototype.toLowerCase, slice = String.prototype.slice, split = String.prototype.split;
const replace = String.prototype.replace;
const all = [Document, Element, ShadowRoot, DocumentFragment].reduce((kinds, kind) => {
  kinds.push([kind, kind.prototype.querySelectorAll]);
  return kinds;
}, []);
const attribute = Element.prototype.getAttribute;
const closest = Element.prototype.closest, matches = Element.prototype.matches, rects = Element.prototype.getClientRects;
const press = HTMLElement.prototype.click, dispatch = EventTarget.prototype.dispatchEvent, focus = HTMLElement.prototype.focus;
const listen = EventTarget.prototype.addEventListener, html = Element.prototype.getHTML;
const getter = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name).get;
const shadowOf = getter(Element, "shadowRoot"), textOf = getter(Node, "textContent");
// A form or image named `title` hides `document.title`, but not its getter.
const rootOf = getter(Document, "documentElement"), bodyOf = getter(Document, "body");
const titleOf = getter(Document, "title"), baseOf = getter(Node, "baseURI");
const attach = Element.prototype.attachShadow;

const routes = Object.create(null), listenersOf = new WeakMap(), roots = [];
const state = { isClicking: false, listensFor: Object.create(null), changed: 0, pending: 0, hasHiddenRoots: false, count: 0, reportedChars: 0 };

const sleep = time => new Wait(done => apply(later, window, [done, time]));
// Waits for two animation frames, after which intersection observers have run, or 500 ms if the page is not drawn.
const waitForFrames = () => new Wait(done => {
  apply(frame, window, [() => apply(frame, window, [done])]);
  apply(later, window, [done, 500]);
});
const string = value => { try { return `${value}`; } catch { return ""; } };
const cut = (value, length) => typeof value === "string" ? apply(slice, value, [0, length]) : value;
// Converts copies without prototypes to JSON, because some pages define `toJSON` for all arrays.
const bare = value => {
  if (typeof value !== "object" || value === null) return value;
  const copy = setPrototypeOf(isArray(value) ? [] : {}, null), names = keys(value);
  for (let at = 0; at < names.length; at++) copy[names[at]] = bare(value[names[at]]);
  return copy;
};
const write = value => stringify(bare(value));
const query = (root, selector) => {
  for (let at = 0; at < all.length; at++) if (root instanceof all[at][0]) return apply(all[at][1], root, [selector]);
  return [];
};
const get = (element, name) => apply(attribute, element, [name]);
