// A scan as it happens: server-sent events change numbers in place; nothing moves.
import { make, number, say } from "./page.js";

const live = document.getElementById("live");
const part = name => live.querySelector(`[data-number="${name}"]`);
const STATES = { done: "Done", running: "Running", queued: "Waiting", stalled: "No sign of life", limited: "Stopped by a limit", incomplete: "Incomplete", interrupted: "Stopped", paused: "Paused", cancelled: "Cancelled" };
const without = url => url.replace(/^https?:\/\//, "");
let before = null;

// The text changes, the node stays: nothing has moved, for the browser's books too.
function put(element, text) {
  if (element.firstChild) element.firstChild.data = text;
  else element.append(text);
}

function seconds(value) {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  const minutes = Math.floor(value / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(value % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const hear = {
  stage(report) {
    const box = live.querySelector(`[data-stage="${CSS.escape(report.name)}"]`);
    if (!box) return;
    box.className = `stage ${report.state}`;
    box.querySelector("[data-part=urls]").textContent = number(report.urls);
    const isOver = ["done", "failed", "timed-out"].includes(report.state);
    box.querySelector("[data-part=told]").textContent = isOver ? seconds(report.seconds) : report.state;
    box.querySelector("[data-part=note]").textContent = report.note + (report.limit ? `; stopped by ${report.limit.replaceAll("_", " ")}` : "");
  },
  progress(now) {
    for (const name of ["visited", "waiting", "failed"]) put(part(name), number(now[name]));
    put(part("seconds"), seconds(now.seconds));
    if (before && now.seconds > before.seconds) {
      put(part("rate"), number(Math.max(0, Math.round((now.visited - before.visited) / (now.seconds - before.seconds)))));
    }
    before = now;
    const crawl = live.querySelector(".stage.running[data-stage=crawl] [data-part=urls]");
    if (crawl) put(crawl, number(now.visited + now.waiting));
    const listing = live.querySelector(".stage.running[data-stage=sitemaps] [data-part=urls]");
    if (listing) put(listing, number(now.named));
    showErrors(now.errors);
  },
  newest(urls) {
    const list = document.getElementById("newest");
    while (list.children.length < urls.length) list.append(make("li"));
    urls.forEach((url, place) => {
      list.children[place].title = url;
      put(list.children[place], without(url));
    });
  },
  state(now) {
    const badge = document.getElementById("state");
    badge.className = `badge ${now.state}`;
    badge.textContent = STATES[now.state] ?? now.state;
  },
  end() {
    source.close();
    location.reload();
  },
  failure(now) { say(now.message); },
};

function showErrors(errors) {
  const rows = Object.entries(errors).map(([reason, count]) => make("tr", {},
    Object.assign(make("th", { scope: "row" }, make("a", { href: `/scans/${live.dataset.scan}/urls?reason=${encodeURIComponent(reason)}` }, reason))),
    make("td", { className: "n" }, number(count))));
  if (rows.length) document.querySelector("#errors tbody").replaceChildren(...rows);
}

let source = null;
if (live.dataset.live === "yes") {
  source = new EventSource(`/api/v1/scans/${live.dataset.scan}/events?after=${live.dataset.after}`);
  for (const [name, act] of Object.entries(hear)) source.addEventListener(name, event => act(JSON.parse(event.data)));
}
