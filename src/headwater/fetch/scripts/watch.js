// Runs in every page and frame before its own scripts: notes where the page would lead, and answers our questions.
// Whatever the page redefines later does not matter here: what is needed of the language is taken at the start.
(() => {
  "use strict";
  const NAME = "{{name}}", REPORT = "{{report}}", DANGER = {{danger}}, MOST = 2000;
  if (Object.getOwnPropertyDescriptor(window, NAME)) return;
  // Told at once, for the next moment the page may be gone.
  const report = typeof window[REPORT] === "function" ? window[REPORT] : () => {};
  delete window[REPORT];

  const { apply } = Reflect, { stringify } = JSON, { now } = Date, { min, round } = Math;
  const later = window.setTimeout, frame = window.requestAnimationFrame, Wait = Promise;
  const { pushState, replaceState } = History.prototype, goTo = History.prototype.go;
  const style = window.getComputedStyle, Watcher = MutationObserver, Address = URL;
  const lower = String.prototype.toLowerCase, slice = String.prototype.slice, split = String.prototype.split;
  const replace = String.prototype.replace, starts = String.prototype.startsWith;
  const all = [Document, Element, ShadowRoot, DocumentFragment].reduce((kinds, kind) => {
    kinds.push([kind, kind.prototype.querySelectorAll]);
    return kinds;
  }, []);
  const one = Document.prototype.querySelector, attribute = Element.prototype.getAttribute;
  const closest = Element.prototype.closest, matches = Element.prototype.matches, rects = Element.prototype.getClientRects;
  const press = HTMLElement.prototype.click, dispatch = EventTarget.prototype.dispatchEvent, focus = HTMLElement.prototype.focus;
  const listen = EventTarget.prototype.addEventListener, html = Element.prototype.getHTML;
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot").get;
  const textOf = Object.getOwnPropertyDescriptor(Node.prototype, "textContent").get;
  const attach = Element.prototype.attachShadow;

  const routes = Object.create(null), heard = new WeakMap(), roots = [];
  const state = { isClicking: false, hears: Object.create(null), changed: 0, pending: 0, has_unseen_roots: false, count: 0 };

  const sleep = time => new Wait(done => apply(later, window, [done, time]));
  // Two frames drawn: what waits to be seen has been told by then. A page that is not drawn is not waited for.
  const drawn = () => new Wait(done => {
    apply(frame, window, [() => apply(frame, window, [done])]);
    apply(later, window, [done, 500]);
  });
  const string = value => { try { return `${value}`; } catch { return ""; } };
  const query = (root, selector) => {
    for (let at = 0; at < all.length; at++) if (root instanceof all[at][0]) return apply(all[at][1], root, [selector]);
    return [];
  };
  const get = (element, name) => apply(attribute, element, [name]);

  function note(url, how) {
    if (url === undefined || url === null || state.count >= MOST) return;
    let resolved;
    try { resolved = new Address(string(url), document.baseURI).href; } catch { return; }
    const key = `${how} ${resolved}`;
    if (key in routes) return;
    routes[key] = [resolved, how];
    state.count++;
    report(stringify([how, resolved]));
  }

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
    return apply(send, this, arguments);
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

  // What changes on the page, so that we know when it rests.
  const WATCHED = { childList: true, subtree: true, attributes: true, attributeFilter: ["href", "src", "hidden", "class", "style", "aria-expanded"] };
  let lastChange = now(), stirs = 0;
  const stir = () => { lastChange = now(); stirs++; };
  const observer = new Watcher(() => { stir(); state.changed++; });
  observer.observe(document, WATCHED);

  // Quiet: the document is read, nothing is under way, and nothing has changed for a while. A turn counts for TURN
  // milliseconds at most: time in which the machine was busy elsewhere is neither rest nor the page's delay.
  const TURN = 20;
  async function settled(quiet, longest) {
    const begun = now();
    let spent = 0, seen = stirs, rested = min(begun - lastChange, quiet);
    while (spent < longest) {
      const isRead = document.readyState !== "loading";
      const waits = state.pending > 0 || (timers.size > 0 && spent < 2 * SOON);
      if (seen !== stirs) [seen, rested] = [stirs, 0];
      if (isRead && !waits && rested >= quiet && (document.readyState === "complete" || spent >= longest / 2)) break;
      const turn = now();
      await sleep(10);
      spent += min(now() - turn, TURN);
      rested += min(now() - turn, TURN);
    }
    return round(now() - begun);
  }

  function everyRoot() {
    const found = [document];
    for (let at = 0; at < found.length && found.length < MOST; at++) {
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

  function frames() {
    const found = [], elements = query(document, "iframe,frame");
    for (let at = 0; at < elements.length && at < 50; at++) {
      try {
        const inner = elements[at].contentWindow[NAME];
        if (inner) found[found.length] = inner.page();
      } catch { /* another site's */ }
    }
    return found;
  }

  function fragments() {
    const found = [], seen = Object.create(null), links = query(document, "a[href*='#'],area[href*='#']");
    const here = document.location.href.split("#", 1)[0];
    for (let at = 0; at < links.length && found.length < 1000; at++) {
      const [page, fragment] = [links[at].href.split("#", 1)[0], links[at].hash];
      if (page !== here || fragment.length < 2 || fragment in seen) continue;
      seen[fragment] = true;
      let name = fragment.slice(1);
      try { name = decodeURIComponent(name); } catch { /* as it is */ }
      found[found.length] = [fragment, !!document.getElementById(name) || document.getElementsByName(name).length > 0, links[at].textContent.trim().slice(0, 100)];
    }
    return found;
  }

  // The page as it is now: the document with its shadow roots, what it led to so far, and what it listens for.
  function page() {
    const shadows = everyRoot().slice(1), list = [], forms = query(document, "form");
    for (let at = 0; at < forms.length && at < 50; at++) noteForm(forms[at]);
    for (const key in routes) list[list.length] = routes[key];
    const root = document.documentElement;
    let text = "";
    try { text = apply(html, root, [{ shadowRoots: shadows }]); } catch { text = root ? root.innerHTML : ""; }
    return {
      url: document.location.href, base: document.baseURI, title: document.title, language: root ? root.lang : "",
      html: text, routes: list, frames: frames(), fragments: fragments(), tables: tables(),
      hears_hash: !!state.hears.hashchange || !!window.onhashchange, has_unseen_roots: state.has_unseen_roots,
      text: document.body ? document.body.innerText.slice(0, 20000) : "", wants_scroll: wantsScroll(),
    };
  }

  // Links as the browser resolves them, wherever they stand, kept beyond the moment in which they are visible.
  const LINKS = "a[href],area[href],[data-href],[data-url],[data-link],[data-navigate],[role=link][href]";
  function collect(how) {
    const before = state.count, places = everyRoot();
    for (let at = 0; at < places.length; at++) {
      const links = query(places[at], LINKS);
      for (let index = 0; index < links.length; index++) {
        const link = links[index];
        const url = typeof link.href === "string" && link.href ? link.href
          : get(link, "data-href") || get(link, "data-url") || get(link, "data-link") || get(link, "data-navigate");
        if (url && !known[url]) { known[url] = true; note(url, how); }
      }
    }
    return state.count - before;
  }
  const known = Object.create(null);
  function remember() {
    const places = everyRoot();
    for (let at = 0; at < places.length; at++) {
      const links = query(places[at], LINKS);
      for (let index = 0; index < links.length; index++) if (links[index].href) known[links[index].href] = true;
    }
  }

  function wantsScroll() {
    const { hears } = state;
    return !!(hears.intersection || hears.scroll || window.onscroll || document.onscroll || hears.wheel)
      || !!document.querySelector("[loading=lazy],[data-lazy],[x-intersect]");
  }

  // Parts of the page that scroll by themselves.
  function boxes() {
    const found = [], elements = query(document, "body *");
    for (let at = 0; at < elements.length && at < 20000 && found.length < 20; at++) {
      const element = elements[at];
      if (element.scrollHeight > element.clientHeight + 10 && element.clientHeight > 50 && /auto|scroll/.test(style(element).overflowY)) found[found.length] = element;
    }
    return found;
  }

  async function scroll(steps, quiet) {
    remember();
    const inner = boxes();
    let barren = 0, done = 0;
    for (; done < steps && barren < 3; done++) {
      const before = state.count, height = document.documentElement.scrollHeight;
      window.scrollTo(0, document.documentElement.scrollHeight);
      for (let at = 0; at < inner.length; at++) inner[at].scrollTop = inner[at].scrollHeight;
      apply(dispatch, window, [new Event("scroll")]);
      apply(dispatch, document, [new Event("scroll", { bubbles: true })]);
      await drawn();
      await settled(quiet, 1500);
      collect("scroll");
      barren = state.count > before || document.documentElement.scrollHeight > height ? 0 : barren + 1;
    }
    window.scrollTo(0, 0);
    return done;
  }

  // Words of a text or a name: `btn-deleteItem` has three.
  function words(text) {
    const spaced = apply(replace, text, [/([a-z])([A-Z])/g, "$1 $2"]);
    return apply(split, apply(lower, spaced, []), [/[^\p{L}]+/u]);
  }
  function isDangerous(text) {
    const parts = words(apply(slice, string(text), [0, 300]));
    for (let at = 0; at < parts.length; at++) if (DANGER.words[parts[at]] === 1) return true;
    const joined = apply(lower, parts.join(" "), []), flat = apply(lower, string(text), []);
    for (let at = 0; at < DANGER.phrases.length; at++) {
      if (` ${joined} `.includes(` ${DANGER.phrases[at]} `) || (DANGER.phrases[at].length < 5 && /[^\u0000-\u024f]/.test(DANGER.phrases[at]) && flat.includes(DANGER.phrases[at]))) return true;
    }
    return false;
  }
  function speaksOfHarm(element) {
    const said = [element.innerText ?? element.textContent, get(element, "aria-label"), get(element, "title"), element.id, get(element, "class"),
      get(element, "name"), get(element, "value"), get(element, "data-action"), get(element, "data-testid"), get(element, "onclick")];
    const inner = element.querySelector("[aria-label],[title],img[alt],svg[class],i[class]");
    if (inner) said.push(get(inner, "aria-label"), get(inner, "title"), get(inner, "alt"), get(inner, "class"));
    for (let at = 0; at < said.length; at++) if (said[at] && isDangerous(said[at])) return true;
    return false;
  }

  const NEVER = "a[href],area,input,select,textarea,option,label,script,style,html,body,iframe,video,audio,form,fieldset,object,embed,[disabled],[aria-disabled=true],[contenteditable=true],[download]";
  const ROLES = { button: 1, link: 1, menuitem: 1, tab: 1, treeitem: 1, option: 1, switch: 1, row: 1, listitem: 1 };
  function isVisible(element) {
    const boxes = apply(rects, element, []);
    if (!boxes.length || (boxes[0].width < 2 && boxes[0].height < 2)) return false;
    const look = style(element);
    return look.visibility !== "hidden" && look.display !== "none" && look.pointerEvents !== "none";
  }
  function isClickable(element) {
    if (apply(matches, element, [NEVER]) || apply(closest, element, ["a[href],label,[contenteditable=true]"])) return false;
    const tag = element.localName;
    if (tag === "button" && (element.type === "submit" || element.type === "reset") && element.form) return false;
    const kinds = heard.get(element);
    if (kinds && (kinds.click || kinds.mousedown || kinds.pointerdown || kinds.mouseup)) return true;
    if (tag === "button" || tag === "summary" || element.onclick || get(element, "onclick")) return true;
    if (ROLES[get(element, "role")] === 1 || (get(element, "tabindex") !== null && element.tabIndex >= 0)) return true;
    return style(element).cursor === "pointer" && !(element.parentElement && style(element.parentElement).cursor === "pointer");
  }
  function pathOf(element) {
    let path = "", node = element;
    for (let depth = 0; node && node.localName && depth < 12; depth++) {
      let place = 1, sibling = node;
      while ((sibling = sibling.previousElementSibling)) if (sibling.localName === node.localName) place++;
      path = `${node.localName}:nth-of-type(${place})${path ? ">" + path : ""}`;
      if (node.localName === "body") break;
      node = node.parentElement ?? node.getRootNode().host;
    }
    return path;
  }
  function signature(element) {
    return `${pathOf(element)} ${apply(slice, apply(textOf, element, []) || "", [0, 60])}`;
  }
  function clickable(limit) {
    const found = [], places = everyRoot();
    for (let at = 0; at < places.length; at++) {
      const elements = query(places[at], "*");
      for (let index = 0; index < elements.length && index < 20000 && found.length < limit; index++) {
        const element = elements[index];
        if (element instanceof HTMLElement && isClickable(element) && isVisible(element)) found[found.length] = element;
      }
    }
    return found;
  }

  const fire = (element, Kind, type, bubbles = true, more = {}) =>
    apply(dispatch, element, [new Kind(type, { bubbles, cancelable: true, composed: true, view: window, ...more })]);
  function hover(element) {
    fire(element, PointerEvent, "pointerover"); fire(element, PointerEvent, "pointerenter", false);
    fire(element, MouseEvent, "mouseover"); fire(element, MouseEvent, "mouseenter", false); fire(element, MouseEvent, "mousemove");
  }
  function click(element) {
    hover(element);
    fire(element, PointerEvent, "pointerdown"); fire(element, MouseEvent, "mousedown");
    try { apply(focus, element, [{ preventScroll: true }]); } catch { /* not everything takes it */ }
    fire(element, PointerEvent, "pointerup"); fire(element, MouseEvent, "mouseup");
    apply(press, element, []);
  }

  // Menus that open when pointed at, focused or reached by keyboard.
  function menus() {
    const chosen = [], places = everyRoot();
    for (let at = 0; at < places.length; at++) {
      const elements = query(places[at], "*");
      for (let index = 0; index < elements.length && index < 20000 && chosen.length < 200; index++) {
        const element = elements[index], kinds = heard.get(element);
        const listens = kinds && (kinds.mouseenter || kinds.mouseover || kinds.pointerenter || kinds.pointerover || kinds.focusin || kinds.focus || kinds.keydown || kinds.mousemove);
        if ((listens || apply(matches, element, ["[aria-haspopup],[aria-expanded=false],[onmouseenter],[onmouseover],[onfocus]"])) && element !== document.body && !speaksOfHarm(element)) chosen[chosen.length] = element;
      }
    }
    return chosen;
  }
  const FOLDED = "details:not([open])";
  async function unfold(quiet) {
    remember();
    const folded = query(document, FOLDED), chosen = menus();
    state.isClicking = true;
    for (let at = 0; at < folded.length && at < 500; at++) folded[at].open = true;
    for (let at = 0; at < chosen.length; at++) {
      const element = chosen[at];
      try {
        hover(element);
        apply(focus, element, [{ preventScroll: true }]);
        fire(element, FocusEvent, "focusin");
        if ((heard.get(element) || {}).keydown) for (const key of ["Enter", " ", "ArrowDown"]) fire(element, KeyboardEvent, "keydown", true, { key, code: key });
      } catch { /* the page's own mistake */ }
    }
    if (folded.length || chosen.length) { await sleep(20); await settled(quiet, 1000); collect("hover"); }
    state.isClicking = false;
    return folded.length + chosen.length;
  }

  // Back where the clicking began, as an application does it: the address first, what it shows a little later.
  async function comeBack(home, place, quiet) {
    note(document.location.href, "click");
    const steps = (window.navigation?.currentEntry?.index ?? place + 1) - place;
    if (steps > 0) apply(goTo, window.history, [-steps]);
    for (let wait = 0; steps > 0 && wait < 40 && document.location.href !== home; wait++) await sleep(10);
    stir();
    await settled(quiet, 800);
    return document.location.href === home;
  }
  // What is next to be clicked, and the mark of what comes after it.
  function choose(done) {
    const options = clickable(500), chosen = { element: null, mark: "", next: "", skipped: 0 };
    for (let at = 0; at < options.length && !chosen.next; at++) {
      const mark = signature(options[at]);
      if (done[mark]) continue;
      if (chosen.element) { if (!speaksOfHarm(options[at])) chosen.next = mark; continue; }
      done[mark] = true;
      report(stringify(["tried", mark]));
      if (speaksOfHarm(options[at])) chosen.skipped++; else [chosen.element, chosen.mark] = [options[at], mark];
    }
    return chosen;
  }
  // Whether what was left to click is there again; an application that is slow to show it is given time.
  async function showsAgain(mark, done) {
    for (let wait = 0; wait < 40; wait++) {
      const options = clickable(500);
      for (let at = 0; at < options.length; at++) if (signature(options[at]) === mark) return true;
      await sleep(10);
    }
    const options = clickable(500);
    for (let at = 0; at < options.length; at++) if (!done[signature(options[at])]) return true;
    return false;
  }

  // One element after another, until nothing more comes of it; `lost` when the page is no longer what it was.
  async function clicks(limit, barrenLimit, quiet, until, tried) {
    const done = Object.create(null), home = document.location.href, place = window.navigation?.currentEntry?.index ?? 0;
    for (let at = 0; at < tried.length; at++) done[tried[at]] = true;
    remember();
    let barren = 0, skipped = 0, isLost = false, made = 0;
    const again = Object.create(null), AGAIN = 20;
    state.isClicking = true;
    while (made < limit && barren < barrenLimit && now() <= until) {
      const { element, mark, next, skipped: passed } = choose(done);
      skipped += passed;
      if (!element) break;
      const before = state.count, changes = state.changed;
      made++;
      try { click(element); } catch { /* the page's own mistake */ }
      await sleep(15);
      await settled(quiet, 800);
      if (collect("click") + state.count > before && element.isConnected && (again[mark] = (again[mark] ?? 0) + 1) < AGAIN) delete done[mark];
      barren = state.count > before || state.changed > changes ? 0 : barren + 1;
      if (document.location.href === home) continue;
      isLost = !(await comeBack(home, place, quiet)) || (next !== "" && !(await showsAgain(next, done)));
      if (isLost) break;
    }
    state.isClicking = false;
    return { lost: isLost || document.location.href !== home, made, skipped };
  }

  // Route tables that the common routers expose; patterns with parameters are nothing one could visit.
  function tables() {
    const found = [], add = (path, router) => {
      if (typeof path === "string" && path && found.length < 1000 && !/[:*\[\](){}]/.test(path)) found[found.length] = [path, router];
    };
    const walk = (list, above, router, depth = 0) => {
      for (const route of Array.isArray(list) ? list : []) {
        const path = typeof route?.path === "string" ? route.path : "";
        const whole = path.startsWith("/") ? path : `${above.replace(/\/$/, "")}/${path}`;
        if (path) add(whole, router);
        if (depth < 8) walk(route?.children, path ? whole : above, router, depth + 1);
      }
    };
    try {
      const elements = query(document, "*");
      for (let at = 0; at < elements.length && at < 3000; at++) {
        const element = elements[at];
        const vue = element.__vue_app__?.config?.globalProperties?.$router ?? element.__vue__?.$router;
        if (vue) {
          const base = vue.options?.history?.base ?? vue.options?.base ?? "";
          const list = vue.getRoutes ? vue.getRoutes() : [];
          for (const route of list) add(vue.resolve ? vue.resolve(route.path).href : base + route.path, "vue-router");
          break;
        }
      }
    } catch { /* not exposed */ }
    try {
      for (const path of window.__BUILD_MANIFEST?.sortedPages ?? []) if (!path.startsWith("/_")) add(path, "next");
      if (window.next?.router?.components) for (const path in window.next.router.components) if (!path.startsWith("/_")) add(path, "next");
      walk(Object.values(window.__remixManifest?.routes ?? window.__reactRouterManifest?.routes ?? {}), "", "react-router");
    } catch { /* not exposed */ }
    try { react(walk, add); } catch { /* not exposed */ }
    try {
      const router = window.$nuxt?.$router;
      if (router?.options?.routes) walk(router.options.routes, "", "nuxt");
    } catch { /* not exposed */ }
    return found;
  }
  // React keeps its tree behind the container; a router's routes are among the properties of its components.
  function react(walk, add) {
    const elements = query(document, "body, body > *, body > * > *");
    for (let at = 0; at < elements.length && at < 200; at++) {
      const key = Object.keys(elements[at]).find(name => name.startsWith("__reactContainer$"));
      if (!key) continue;
      const stack = [[elements[at][key].stateNode?.current ?? elements[at][key], ""]];
      for (let steps = 0; stack.length && steps < 5000; steps++) {
        const [fiber, base] = stack.pop(), given = fiber.memoizedProps ?? {};
        const below = typeof given.basename === "string" && given.basename !== "/" ? given.basename : base;
        if (given.router?.routes) walk(given.router.routes, given.router.basename ?? below, "react-router");
        declared(given.children, below, add, 0);
        if (fiber.sibling) stack.push([fiber.sibling, base]);
        if (fiber.child) stack.push([fiber.child, below]);
      }
    }
  }
  function declared(children, above, add, depth) {
    for (const child of [children].flat(3)) {
      const given = child?.props;
      if (!given || depth > 8) continue;
      if (typeof given.path === "string" && ("element" in given || "component" in given || "Component" in given || "lazy" in given || "children" in given)) {
        const whole = given.path.startsWith("/") ? above + given.path : `${above.replace(/\/$/, "")}/${given.path}`;
        add(whole, "react-router");
        declared(given.children, whole, add, depth + 1);
      } else if ("element" in given || "index" in given) declared(given.children, above, add, depth + 1);
    }
  }

  const answer = { page, settled, scroll, unfold, clicks, foldable: () => query(document, FOLDED).length + menus().length, clickable: () => clickable(500).length };
  const told = Object.create(null);
  for (const name in answer) told[name] = answer[name];
  told.tell = async (name, ...given) => stringify(await answer[name](...given));
  Object.defineProperty(window, NAME, { value: Object.freeze(told), enumerable: false });
})();
