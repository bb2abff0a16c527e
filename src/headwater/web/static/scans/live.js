// A running scan: server-sent events update numbers in place, without moving anything.
import { STATE_NAMES, formatSeconds, make, notify, number, post, setText } from "../page.js";

const live = document.getElementById("live");
const numberOf = name => live.querySelector(`[data-number="${name}"]`);
const withoutScheme = url => url.replace(/^https?:\/\//, "");
let previous = null;

function showCount(box, amount) {
  const noun = box.querySelector("[data-part=noun]");
  setText(box.querySelector("[data-part=urls]"), number(amount));
  setText(noun, noun.textContent.replace(/s?$/, amount === 1 ? "" : "s"));
}
const handlers = {
  stage(report) {
    const box = live.querySelector(`[data-stage="${CSS.escape(report.name)}"]`);
    if (!box) return;
    box.className = `stage ${report.state}`;
    showCount(box, report.urls);
    const isOver = ["done", "failed", "timed-out"].includes(report.state);
    box.querySelector("[data-part=status]").textContent = isOver ? formatSeconds(report.seconds) : report.state;
    box.querySelector("[data-part=note]").textContent = report.note + (report.limit ? `; stopped by ${report.limit.replaceAll("_", " ")}` : "");
  },
  progress(now) {
    for (const name of ["visited", "waiting", "failed"]) setText(numberOf(name), number(now[name]));
    setText(numberOf("seconds"), formatSeconds(now.seconds));
    if (previous && now.seconds > previous.seconds) {
      const rate = (now.visited - previous.visited) / (now.seconds - previous.seconds);
      setText(numberOf("rate"), number(Math.max(0, Math.round(rate))));
    }
    previous = now;
    const crawl = live.querySelector(".stage.running[data-stage=crawl]");
    if (crawl) showCount(crawl, now.visited + now.waiting);
    const sitemaps = live.querySelector(".stage.running[data-stage=sitemaps]");
    if (sitemaps) showCount(sitemaps, now.named);
    showErrors(now.errors);
  },
  newest(urls) {
    const list = document.getElementById("newest");
    while (list.children.length < urls.length) list.append(make("li"));
    urls.forEach((url, index) => {
      list.children[index].title = url;
      setText(list.children[index], withoutScheme(url));
    });
  },
  state(now) {
    const badge = document.getElementById("state");
    badge.className = `badge ${now.state}`;
    badge.textContent = STATE_NAMES[now.state] ?? now.state;
  },
  end() {
    source.close();
    location.reload();
  },
  failure(now) { notify(now.message); },
};

function showErrors(errors) {
  const rows = Object.entries(errors).map(([reason, count]) => make("tr", {},
    make("th", { scope: "row" }, make("a", { href: `/scans/${live.dataset.scan}/urls?reason=${encodeURIComponent(reason)}` }, reason)),
    make("td", { className: "n" }, number(count))));
  if (rows.length) document.querySelector("#errors tbody").replaceChildren(...rows);
}

live.addEventListener("click", async event => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  button.disabled = true;
  try {
    const { scan } = await post(button.dataset.post, {});
    if (button.dataset.id === "stop") notify("Stopping. The pages found so far are kept.");
    else location.assign(`/scans/${scan}`);
  } catch (error) {
    notify(error.message);
    button.disabled = false;
  }
});

let source = null;
if (live.dataset.live === "yes") {
  source = new EventSource(`/api/v1/scans/${live.dataset.scan}/events?after=${live.dataset.after}`);
  for (const [name, handle] of Object.entries(handlers)) source.addEventListener(name, event => handle(JSON.parse(event.data)));
}
