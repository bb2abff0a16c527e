// What is needed of the language, taken before the page could redefine it, and what is known so far.

const NAME = "{{name}}", REPORT = "{{report}}", DANGER = {{danger}}, LANDMARKS = {{landmarks}}, POINTER_ONLY = {{pointer_only}}, MOST = 2000;
// Characters of one address, of all addresses that are told, and of a document with its frames.
const LONGEST = 65536, ADDRESSES = 4000000, LARGEST = 20000000;
if (Object.getOwnPropertyDescriptor(window, NAME)) return;
// Told at once, for the next moment the page may be gone.
const report = typeof window[REPORT] === "function" ? window[REPORT] : () => {};
delete window[REPORT];

const { apply } = Reflect, { stringify } = JSON, { now } = Date, { min, round } = Math;
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
// A form or picture named `title` takes the place of `document.title`, though not of what reads it.
const rootOf = getter(Document, "documentElement"), bodyOf = getter(Document, "body");
const titleOf = getter(Document, "title"), baseOf = getter(Node, "baseURI");
const attach = Element.prototype.attachShadow;

const routes = Object.create(null), heard = new WeakMap(), roots = [];
const state = { isClicking: false, hears: Object.create(null), changed: 0, pending: 0, has_unseen_roots: false, count: 0, told: 0 };

const sleep = time => new Wait(done => apply(later, window, [done, time]));
// Two frames drawn: what waits to be seen has been told by then. A page that is not drawn is not waited for.
const drawn = () => new Wait(done => {
  apply(frame, window, [() => apply(frame, window, [done])]);
  apply(later, window, [done, 500]);
});
const string = value => { try { return `${value}`; } catch { return ""; } };
const cut = (value, length) => typeof value === "string" ? apply(slice, value, [0, length]) : value;
// As JSON, of copies that inherit nothing: pages give all lists a `toJSON` of their own.
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
