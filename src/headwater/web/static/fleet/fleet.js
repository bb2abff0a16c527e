// The fleet screen: refreshed in place every two seconds; only tables of fixed height get new rows, so nothing moves.
import { make, notify, number, post, request, send, setText, updateTimes } from "../page.js";

const INTERVAL = 2000;
const LATE_AFTER_SECONDS = 15;
const findPart = (row, name) => row.querySelector(`[data-part="${name}"]`);
const short = url => url.replace(/^https?:\/\//, "");

function showNumbers(summary) {
  const numbers = {
    rate: summary.pages_per_second >= 10 ? number(Math.round(summary.pages_per_second)) : `${summary.pages_per_second}`,
    due: number(summary.due), workers: number(summary.workers.length), "queue-waiting": number(summary.queue.waiting),
    "queue-doing": number(summary.queue.doing), "queue-failed": number(summary.queue.failed),
  };
  for (const [name, text] of Object.entries(numbers)) setText(document.querySelector(`[data-fleet="${name}"]`), text);
  let all = 0;
  for (const counter of document.querySelectorAll("[data-state]:not([data-state=''])")) {
    all += summary.sites[counter.dataset.state] ?? 0;
    setText(counter, number(summary.sites[counter.dataset.state] ?? 0));
  }
  setText(document.querySelector("[data-state='']"), number(all));
}

function makeHeader(title, under) {
  return make("th", { scope: "row" }, make("span", { className: "url" }, title), make("span", { className: "soft under" }, under));
}

function makeWorkerRow(worker) {
  const working = (worker.working.slice(0, 3).map(short).join(", ") || "idle") + (worker.sites > 3 ? ` and ${worker.sites - 3} more` : "");
  return make("tr", { className: worker.silent > LATE_AFTER_SECONDS ? "late" : "" }, makeHeader(worker.name, working),
    make("td", { className: "n" }, number(worker.sites)), make("td", { className: "n" }, worker.rate.toFixed(1)),
    make("td", { className: "n" }, `${Math.round(worker.silent)} s ago`));
}

function makeFailingSiteRow(site) {
  return make("tr", {}, makeHeader(short(site.seed), site.error || `no results for ${Math.round(site.idle)} s`),
    make("td", {}, make("span", { className: `badge ${site.state}` }, site.state)),
    make("td", { className: "n" }, `${number(site.failures)} failure${site.failures === 1 ? "" : "s"}`));
}

// These tables have a fixed height, so nothing below them moves.
function showRows(id, rows) {
  if (rows.length) document.getElementById(id).replaceChildren(...rows);
}

function showSite(row, site) {
  const badge = findPart(row, "state");
  badge.className = `badge ${site.state}`;
  setText(badge, site.state);
  setText(findPart(row, "priority"), `${site.priority}`);
  setText(findPart(row, "pages"), number(site.pages));
  const schedule = findPart(row, "schedule");
  setText(schedule, schedule.textContent.trim().split(", on ")[0] + (site.worker ? `, on ${site.worker}` : ""));
  const error = findPart(row, "error");
  setText(error, site.error);
  error.hidden = !site.error;
  const due = findPart(row, "due"), time = due.querySelector("time");
  if (site.state !== "waiting" || !site.due) setText(due, "–");
  else if (!time) due.replaceChildren(make("time", { dateTime: site.due }, "soon"));
  else time.dateTime = site.due;
  const allowed = {
    pause: ["waiting", "queued", "working"], resume: ["paused"], cancel: ["waiting", "queued", "working", "paused"],
  };
  for (const button of row.querySelectorAll("[data-action]")) button.disabled = !allowed[button.dataset.action].includes(site.state);
}

const findRow = site => document.querySelector(`tr[data-site="${site.number}"]`);

async function refresh() {
  const rows = [...document.querySelectorAll("tr[data-site]")];
  const summary = await request("/api/v1/fleet");
  showRows("workers", summary.workers.map(makeWorkerRow));
  showRows("failing-sites", summary.failing_sites.map(makeFailingSiteRow));
  showNumbers(summary);
  if (!rows.length) return;
  const { sites } = await request(`/api/v1/fleet/sites?numbers=${rows.map(row => row.dataset.site).join(",")}`);
  for (const site of sites) showSite(findRow(site), site);
  updateTimes();
}

async function change(row, act) {
  try {
    const site = await act(`/api/v1/fleet/sites/${row.dataset.site}`);
    showSite(row, site);
    notify(`${short(site.seeds[0])}: ${site.state}, priority ${site.priority}`);
    return site;
  } catch (error) {
    notify(error.message);
    return null;
  }
}

document.addEventListener("click", async event => {
  const button = event.target.closest("[data-action]");
  if (!button) return;
  const row = button.closest("tr");
  await change(row, path => post(`${path}/${button.dataset.action}`, {}));
  row.querySelector("details.menu").open = false;
});

document.addEventListener("change", async event => {
  const field = event.target.closest("[data-set]");
  if (!field) return;
  const value = field.value === "" ? null : Number(field.value);
  const update = { [field.dataset.set]: field.dataset.set === "priority" ? value ?? 0 : value };
  const site = await change(field.closest("tr"), path => send("PATCH", path, update));
  if (site && field.dataset.set === "every") {
    const schedule = findPart(field.closest("tr"), "schedule");
    setText(schedule, field.selectedOptions[0].textContent + (site.worker ? `, on ${site.worker}` : ""));
  }
});

document.querySelector("#submit button.main").disabled = false;
document.getElementById("submit").addEventListener("submit", async event => {
  event.preventDefault();
  const form = event.target, errorBox = document.getElementById("error");
  errorBox.hidden = true;
  try {
    await post("/api/v1/fleet/sites", {
      urls: form.sites.value.split(/\s+/).filter(Boolean), priority: Number(form.priority.value || 0),
      ...(form.every.value ? { every: Number(form.every.value) } : {}),
    });
    location.assign("/fleet");
  } catch (error) {
    errorBox.textContent = error.message;
    errorBox.hidden = false;
    form.sites.focus();
  }
});

async function keepRefreshing() {
  try { await refresh(); } catch { notify("The server is not responding."); }
  setTimeout(keepRefreshing, document.hidden ? 5 * INTERVAL : INTERVAL);
}
setTimeout(keepRefreshing, INTERVAL);
