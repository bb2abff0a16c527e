// Read the document, and collect links that are visible only for a moment.

function allRoots() {
  const found = [document];
  for (let at = 0; at < found.length && found.length < MAX_ITEMS; at++) {
    const elements = query(found[at], "*");
    for (let index = 0; index < elements.length; index++) {
      const root = apply(shadowOf, elements[index], []);
      if (root) found[found.length] = root;
    }
  }
  for (let at = 0; at < roots.length; at++) {
    let isKnown = false;
    for (let index = 0; index < found.length; index++) isKnown ||= found[index] === roots[at];
    if (!isKnown && roots[at].host.isConnected) found[found.length] = roots[at];
  }
  return found;
}

// Reports of frames of the same origin while there is room; each counts for FRAME characters besides its HTML.
const FRAME = 10000;
function frames(room) {
  const found = [], elements = query(document, "iframe,frame,object,embed");
  for (let at = 0; at < elements.length && at < 50 && room > FRAME; at++) {
    try {
      const inner = elements[at].contentWindow[NAME];
      if (inner) {
        found[found.length] = inner.page(room - FRAME);
        room -= sizeOf(found[found.length - 1]);
      }
    } catch { /* of another origin */ }
  }
  return found;
}
function sizeOf(report) {
  let size = FRAME + report.html.length;
  for (let at = 0; at < report.frames.length; at++) size += sizeOf(report.frames[at]);
  return size;
}

function fragments() {
  const found = [], seen = Object.create(null), links = query(document, "a[href*='#'],area[href*='#']");
  const here = document.location.href.split("#", 1)[0];
  for (let at = 0; at < links.length && found.length < 1000; at++) {
    const [page, fragment] = [links[at].href.split("#", 1)[0], links[at].hash];
    if (page !== here || fragment.length < 2 || fragment.length > 1000 || fragment in seen) continue;
    seen[fragment] = true;
    let name = fragment.slice(1);
    try { name = decodeURIComponent(name); } catch { /* not encoded */ }
    found[found.length] = [fragment, !!document.getElementById(name) || document.getElementsByName(name).length > 0, links[at].textContent.trim().slice(0, 100), regionOf(links[at])];
  }
  return found;
}

// Report the current document with its shadow roots, the routes so far, and the events that the page listens for.
function page(room = MAX_HTML) {
  const shadows = allRoots().slice(1), list = [], forms = query(document, "form");
  for (let at = 0; at < forms.length && at < 50; at++) recordForm(forms[at]);
  for (const key in routes) list[list.length] = routes[key];
  const root = apply(rootOf, document, []), body = apply(bodyOf, document, []);
  let text = "";
  try { text = apply(html, root, [{ shadowRoots: shadows }]); } catch { text = root ? root.innerHTML : ""; }
  text = cut(text, room);
  return {
    url: document.location.href, base: apply(baseOf, document, []), title: cut(apply(titleOf, document, []), 1000),
    language: root ? cut(root.lang, 100) : "",
    html: text, routes: list, frames: frames(room - text.length), fragments: fragments(), tables: tables(),
    listens_for_hash: !!state.listensFor.hashchange || !!window.onhashchange, has_hidden_roots: state.hasHiddenRoots,
    text: body ? body.innerText.slice(0, 20000) : "", reacts_to_scrolling: reactsToScrolling(),
  };
}

// Links in all roots, resolved by the browser and kept even if they disappear.
const LINKS = "a[href],area[href],[data-href],[data-url],[data-link],[data-navigate],[role=link][href]";
function regionOf(element) {
  for (let node = element; node; node = node.getRootNode().host) {
    const landmark = apply(closest, node, [LANDMARKS.selector]);
    if (landmark) return LANDMARKS.regions[landmark.localName] ?? LANDMARKS.regions[get(landmark, "role")] ?? "content";
  }
  return "content";
}
function collect(how) {
  const before = state.count, places = allRoots();
  for (let at = 0; at < places.length; at++) {
    const links = query(places[at], LINKS);
    for (let index = 0; index < links.length; index++) {
      const link = links[index];
      const url = typeof link.href === "string" && link.href ? link.href
        : get(link, "data-href") || get(link, "data-url") || get(link, "data-link") || get(link, "data-navigate");
      if (url && !known[url]) { known[url] = true; record(url, `${how} in ${regionOf(link)}`); }
    }
  }
  return state.count - before;
}
const known = Object.create(null);
function rememberLinks() {
  const places = allRoots();
  for (let at = 0; at < places.length; at++) {
    const links = query(places[at], LINKS);
    for (let index = 0; index < links.length; index++) if (links[index].href) known[links[index].href] = true;
  }
}
