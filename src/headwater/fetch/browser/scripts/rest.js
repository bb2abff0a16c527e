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
