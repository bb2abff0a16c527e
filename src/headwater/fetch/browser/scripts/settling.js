// Observe changes of the page to know when it has settled.

const WATCHED = { childList: true, subtree: true, attributes: true, attributeFilter: ["href", "src", "hidden", "class", "style", "aria-expanded"] };
let lastChange = now(), changeCount = 0;
const markChange = () => { lastChange = now(); changeCount++; };
const observer = new Watcher(() => { markChange(); state.changed++; });
observer.observe(document, WATCHED);

// Waits until the document is parsed, no request is pending and nothing has changed for a while. One turn of the loop
// counts for at most MAX_TURN milliseconds: longer turns are caused by a busy machine, not by the page.
const MAX_TURN = 20;
async function waitUntilSettled(quiet, timeout) {
  const started = now();
  let waited = 0, seen = changeCount, quietTime = min(started - lastChange, quiet);
  while (waited < timeout) {
    const isParsed = document.readyState !== "loading";
    const isBusy = state.pending > 0 || (timers.size > 0 && waited < 2 * SOON);
    if (seen !== changeCount) [seen, quietTime] = [changeCount, 0];
    if (isParsed && !isBusy && quietTime >= quiet && (document.readyState === "complete" || waited >= timeout / 2)) break;
    const turn = now();
    await sleep(10);
    waited += min(now() - turn, MAX_TURN);
    quietTime += min(now() - turn, MAX_TURN);
  }
  return round(now() - started);
}
