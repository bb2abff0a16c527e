// Scrolls, points, unfolds and clicks.

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

// Some applications draw a route only when the hash changes, not when they are opened with it.
async function tellOfHash(quiet) {
  const { href, hash } = document.location;
  apply(dispatch, window, [new HashChangeEvent("hashchange", { oldURL: apply(slice, href, [0, href.length - hash.length]), newURL: href })]);
  await sleep(20);
  return settled(quiet, 1000);
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
function choose(done, isSpent) {
  const options = clickable(500), chosen = { element: null, mark: "", next: "", skipped: 0 };
  for (let at = 0; at < options.length && !chosen.next; at++) {
    const mark = signature(options[at]);
    if (done[mark] || isSpent(options[at])) continue;
    if (chosen.element) { if (!speaksOfHarm(options[at])) chosen.next = mark; continue; }
    done[mark] = true;
    report(write(["tried", mark]));
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
  // An element that shows more with every click is clicked again, and counts once, however its text changes.
  const again = Object.create(null), times = new Counts(), AGAIN = 20;
  const isSpent = element => (times.get(element) ?? 0) >= AGAIN;
  let counted = 0;
  state.isClicking = true;
  while (barren < barrenLimit && now() <= until) {
    const { element, mark, next, skipped: passed } = choose(done, isSpent);
    skipped += passed;
    if (!element) break;
    if (!times.has(element) && !(mark in again)) {
      if (counted >= limit) break;
      counted++;
      report(write(["clicked", mark]));
    }
    times.set(element, (times.get(element) ?? 0) + 1);
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
