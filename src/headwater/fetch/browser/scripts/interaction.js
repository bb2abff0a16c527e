// Scroll, hover, unfold and click.

function reactsToScrolling() {
  const { listensFor } = state;
  return !!(listensFor.intersection || listensFor.scroll || window.onscroll || document.onscroll || listensFor.wheel)
    || !!document.querySelector("[loading=lazy],[data-lazy],[x-intersect]");
}

// Elements with their own scroll bar.
function scrollContainers() {
  const found = [], elements = query(document, "body *");
  for (let at = 0; at < elements.length && at < 20000 && found.length < 20; at++) {
    const element = elements[at];
    if (element.scrollHeight > element.clientHeight + 10 && element.clientHeight > 50 && /auto|scroll/.test(style(element).overflowY)) found[found.length] = element;
  }
  return found;
}

async function scroll(steps, quiet, until) {
  rememberLinks();
  const inner = scrollContainers(), shown = query(document, LINKS), last = shown[shown.length - 1];
  let unproductive = 0, done = 0;
  for (; done < steps && unproductive < 3 && now() <= until; done++) {
    const before = state.count, height = document.documentElement.scrollHeight;
    for (let at = 0; at < inner.length; at++) inner[at].scrollTop = inner[at].scrollHeight;
    await scrollTo(document.documentElement.scrollHeight, quiet);
    unproductive = state.count > before || document.documentElement.scrollHeight > height ? 0 : unproductive + 1;
  }
  if (last && !last.isConnected) done += await scrollThrough(inner, steps, quiet, until);
  window.scrollTo(0, 0);
  return done;
}
async function scrollTo(place, quiet) {
  window.scrollTo(0, place);
  apply(dispatch, window, [new Event("scroll")]);
  apply(dispatch, document, [new Event("scroll", { bubbles: true })]);
  await waitForFrames();
  await waitUntilSettled(quiet, 1500);
  return collect("scroll");
}
// A virtual list removes what is out of sight, so every part of it has to be shown.
async function scrollThrough(inner, steps, quiet, until) {
  let done = 0, isMoving = true;
  for (; done < steps && isMoving && now() <= until; done++) {
    const place = done * window.innerHeight * 0.8;
    isMoving = place < document.documentElement.scrollHeight - window.innerHeight;
    for (let at = 0; at < inner.length; at++) {
      const offset = done * inner[at].clientHeight * 0.8;
      isMoving ||= offset < inner[at].scrollHeight - inner[at].clientHeight;
      inner[at].scrollTop = offset;
    }
    await scrollTo(place, quiet);
  }
  return done;
}

const fire = (element, Kind, type, bubbles = true, more = {}) =>
  apply(dispatch, element, [new Kind(type, { bubbles, cancelable: true, composed: true, view: window, ...more })]);
function hover(element) {
  fire(element, PointerEvent, "pointerover"); fire(element, PointerEvent, "pointerenter", false);
  fire(element, MouseEvent, "mouseover"); fire(element, MouseEvent, "mouseenter", false); fire(element, MouseEvent, "mousemove");
}
function click(element) {
  const kinds = listenersOf.get(element) || {}, isHeld = kinds.pointerdown || kinds.mousedown || kinds.touchstart;
  hover(element);
  fire(element, PointerEvent, "pointerdown"); fire(element, MouseEvent, "mousedown");
  if (isHeld || apply(matches, element, [PRESS_ATTRIBUTES])) hold(element);
  try { apply(focus, element, [{ preventScroll: true }]); } catch { /* not every element can be focused */ }
  fire(element, PointerEvent, "pointerup"); fire(element, MouseEvent, "mouseup");
  apply(press, element, []);
  if (listens(element, "dblclick")) fire(element, MouseEvent, "dblclick", true, { detail: 2 });
  if (listens(element, "contextmenu")) fire(element, MouseEvent, "contextmenu", true, { button: 2 });
}
const listens = (element, kind) => !!state.listensFor[kind] || !!element[`on${kind}`];
// Press for so long that the timers which the press has started run.
function hold(element) {
  const touch = new Event("touchstart", { bubbles: true, cancelable: true });
  touch.touches = touch.targetTouches = touch.changedTouches = [{ identifier: 1, target: element, clientX: 1, clientY: 1, pageX: 1, pageY: 1 }];
  if (listens(element, "touchstart")) apply(dispatch, element, [touch]);
  runTimers();
  if (listens(element, "touchend")) apply(dispatch, element, [new Event("touchend", { bubbles: true, cancelable: true })]);
}

// Menus that open on hover, focus or key press.
function menus() {
  const chosen = [], places = allRoots();
  for (let at = 0; at < places.length; at++) {
    const elements = query(places[at], "*");
    for (let index = 0; index < elements.length && index < 20000 && chosen.length < 200; index++) {
      const element = elements[index], kinds = listenersOf.get(element);
      const listens = kinds && (kinds.mouseenter || kinds.mouseover || kinds.pointerenter || kinds.pointerover || kinds.focusin || kinds.focus || kinds.keydown || kinds.mousemove);
      if ((listens || apply(matches, element, ["[aria-haspopup],[aria-expanded=false],[onmouseenter],[onmouseover],[onfocus]"])) && element !== document.body && !looksHarmful(element)) chosen[chosen.length] = element;
    }
  }
  return chosen;
}
const FOLDED = "details:not([open])";
// Select elements whose choice a script reacts to.
function selects() {
  const chosen = [], found = query(document, "select");
  for (let at = 0; at < found.length && chosen.length < 20; at++) {
    const isWatched = state.listensFor.change || state.listensFor.input || found[at].onchange || found[at].oninput;
    if (isWatched && !found[at].disabled && isVisible(found[at]) && !looksHarmful(found[at])) chosen[chosen.length] = found[at];
  }
  return chosen;
}
// Choose every option once; return true if the page was left for good.
async function chooseOptions(quiet, until) {
  const home = document.location.href, place = window.navigation?.currentEntry?.index ?? 0, found = selects();
  let left = 200;
  state.isClicking = true;
  for (let at = 0; at < found.length && document.location.href === home; at++) {
    const element = found[at], first = element.selectedIndex;
    for (let index = 0; index < element.options.length && index < 50 && left-- > 0 && now() <= until; index++) {
      if (isHarmful(element.options[index].text)) continue;
      const changes = state.changed, count = state.count;
      element.selectedIndex = index;
      try { fire(element, Event, "input"); fire(element, Event, "change"); } catch { /* an error of the page's own script */ }
      await sleep(5);
      if (state.changed > changes || state.count > count || state.pending > 0) await waitUntilSettled(quiet, 800);
      collect("change");
      if (document.location.href !== home && !(await goBack(home, place, quiet))) break;
    }
    element.selectedIndex = first;
  }
  state.isClicking = false;
  return document.location.href !== home;
}
// Run timers that would run later, while the page cannot be left.
async function runLateTimers(quiet) {
  state.isClicking = true;
  const home = document.location.href, place = window.navigation?.currentEntry?.index ?? 0;
  if (runTimers()) { await sleep(15); await waitUntilSettled(quiet, 800); collect("timer"); }
  if (document.location.href !== home) await goBack(home, place, quiet);
  state.isClicking = false;
  return document.location.href !== home;
}
async function unfold(quiet) {
  rememberLinks();
  const folded = query(document, FOLDED), chosen = menus();
  state.isClicking = true;
  for (let at = 0; at < folded.length && at < 500; at++) folded[at].open = true;
  for (let at = 0; at < chosen.length; at++) {
    const element = chosen[at];
    try {
      hover(element);
      apply(focus, element, [{ preventScroll: true }]);
      fire(element, FocusEvent, "focusin");
      if ((listenersOf.get(element) || {}).keydown) for (const key of ["Enter", " ", "ArrowDown"]) fire(element, KeyboardEvent, "keydown", true, { key, code: key });
    } catch { /* an error of the page's own script */ }
  }
  if (folded.length || chosen.length) { await sleep(20); await waitUntilSettled(quiet, 1000); collect("hover"); }
  state.isClicking = false;
  return folded.length + chosen.length;
}

// Some applications show a hash route only after a hashchange event, not when they are loaded with it.
async function fireHashChange(quiet) {
  const { href, hash } = document.location;
  apply(dispatch, window, [new HashChangeEvent("hashchange", { oldURL: apply(slice, href, [0, href.length - hash.length]), newURL: href })]);
  await sleep(20);
  return waitUntilSettled(quiet, 1000);
}

// Go back to the page where clicking started; applications change the URL first and the view a little later.
async function goBack(home, place, quiet) {
  record(document.location.href, "click");
  const steps = (window.navigation?.currentEntry?.index ?? place + 1) - place;
  if (steps > 0) apply(goTo, window.history, [-steps]);
  for (let wait = 0; steps > 0 && wait < 40 && document.location.href !== home; wait++) await sleep(10);
  markChange();
  await waitUntilSettled(quiet, 800);
  return document.location.href === home;
}
// Choose the next element to click, and the signature of the one after it.
function choose(done, isSpent) {
  const options = clickable(500), chosen = { element: null, mark: "", next: "", skipped: 0 };
  for (let at = 0; at < options.length && !chosen.next; at++) {
    const mark = signature(options[at]);
    if (done[mark] || isSpent(options[at])) continue;
    if (chosen.element) { if (!looksHarmful(options[at])) chosen.next = mark; continue; }
    done[mark] = true;
    report(write(["tried", mark]));
    if (looksHarmful(options[at])) chosen.skipped++; else [chosen.element, chosen.mark] = [options[at], mark];
  }
  return chosen;
}
// Return true once the next element to click, or another new one, is shown; slow applications get some time.
async function isShownAgain(mark, done) {
  for (let wait = 0; wait < 40; wait++) {
    const options = clickable(500);
    for (let at = 0; at < options.length; at++) if (signature(options[at]) === mark) return true;
    await sleep(10);
  }
  const options = clickable(500);
  for (let at = 0; at < options.length; at++) if (!done[signature(options[at])]) return true;
  return false;
}

// Click one element after another until clicks change nothing more; `lost` is true if the page was left.
async function clicks(limit, maxUnproductive, quiet, until, tried) {
  const done = Object.create(null), home = document.location.href, place = window.navigation?.currentEntry?.index ?? 0;
  for (let at = 0; at < tried.length; at++) done[tried[at]] = true;
  rememberLinks();
  let unproductive = 0, skipped = 0, isLost = false, clicked = 0;
  // An element that shows more with every click is clicked repeatedly, and counts once, even if its text changes.
  const again = Object.create(null), times = new Counts(), AGAIN = max(20, 2 * limit);
  const isSpent = element => (times.get(element) ?? 0) >= AGAIN;
  let counted = 0;
  state.isClicking = true;
  while (unproductive < maxUnproductive && now() <= until) {
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
    clicked++;
    try { click(element); } catch { /* an error of the page's own script */ }
    await sleep(15);
    await waitUntilSettled(quiet, 800);
    if (collect("click") + state.count > before && element.isConnected && (again[mark] = (again[mark] ?? 0) + 1) < AGAIN) delete done[mark];
    unproductive = state.count > before || state.changed > changes ? 0 : unproductive + 1;
    if (document.location.href === home) continue;
    isLost = !(await goBack(home, place, quiet)) || (next !== "" && !(await isShownAgain(next, done)));
    if (isLost) break;
  }
  state.isClicking = false;
  return { lost: isLost || document.location.href !== home, clicked, skipped };
}
