// The fleet screen: refreshed in place every two seconds; rows are added only where nothing below them moves.
import { make, notify, number, post, request, send, setText, updateTimes } from "../page.js";

const INTERVAL = 2000;
const LATE_AFTER_SECONDS = 15;
const part = (row, name) => row.querySelector(`[data-part="${name}"]`);
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

function workerRow(one) {
  const working = (one.working.slice(0, 3).map(short).join(", ") || "idle") + (one.sites > 3 ? ` and ${one.sites - 3} more` : "");
  return make("tr", { className: one.silent > LATE_AFTER_SECONDS ? "late" : "" }, makeHeader(one.name, working),
    make("td", { className: "n" }, number(one.sites)), make("td", { className: "n" }, one.rate.toFixed(1)),
    make("td", { className: "n" }, `${Math.round(one.silent)} s ago`));
}

function troubleRow(one) {
  return make("tr", {}, makeHeader(short(one.seed), one.error || `no results for ${Math.round(one.idle)} s`),
    make("td", {}, make("span", { className: `badge ${one.state}` }, one.state)),
    make("td", { className: "n" }, `${number(one.failures)} failure${one.failures === 1 ? "" : "s"}`));
}

// These tables have a fixed height, so nothing below them moves.
function showRows(id, rows) {
  if (rows.length) document.getElementById(id).replaceChildren(...rows);
}

function showSite(row, site) {
  const badge = part(row, "state");
  badge.className = `badge ${site.state}`;
  setText(badge, site.state);
  setText(part(row, "priority"), `${site.priority}`);
  setText(part(row, "pages"), number(site.pages));
  const schedule = part(row, "schedule");
  setText(schedule, schedule.textContent.trim().split(", on ")[0] + (site.worker ? `, on ${site.worker}` : ""));
  const error = part(row, "error");
  setText(error, site.error);
  error.hidden = !site.error;
  const due = part(row, "due"), time = due.querySelector("time");
  if (site.state !== "waiting" || !site.due) setText(due, "–");
  else if (!time) due.replaceChildren(make("time", { dateTime: site.due }, "soon"));
  else time.dateTime = site.due;
  const allowed = {
    pause: ["waiting", "queued", "working"], resume: ["paused"], cancel: ["waiting", "queued", "working", "paused"],
  };
  for (const button of row.querySelectorAll("[data-action]")) button.disabled = !allowed[button.dataset.action].includes(site.state);
}

const rowOf = site => document.querySelector(`tr[data-site="${site.number}"]`);

async function refresh() {
  const rows = [...document.querySelectorAll("tr[data-site]")];
  const summary = await request("/api/v1/fleet");
  showRows("workers", summary.workers.map(workerRow));
  showRows("trouble", summary.trouble.map(troubleRow));
  showNumbers(summary);
  if (!rows.length) return;
  const { sites } = await request(`/api/v1/fleet/sites?numbers=${rows.map(row => row.dataset.site).join(",")}`);
  for (const site of sites) showSite(rowOf(site), site);
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
    const schedule = part(field.closest("tr"), "schedule");
    setText(schedule, field.selectedOptions[0].textContent + (site.worker ? `, on ${site.worker}` : ""));
  }
});

document.querySelector("#submit button.main").disabled = false;
document.getElementById("submit").addEventListener("submit", async event => {
  event.preventDefault();
  const form = event.target, shown = document.getElementById("error");
  shown.hidden = true;
  try {
    await post("/api/v1/fleet/sites", {
      urls: form.sites.value.split(/\s+/).filter(Boolean), priority: Number(form.priority.value || 0),
      ...(form.every.value ? { every: Number(form.every.value) } : {}),
    });
    location.assign("/fleet");
  } catch (error) {
    shown.textContent = error.message;
    shown.hidden = false;
    form.sites.focus();
  }
});

async function keepRefreshing() {
  try { await refresh(); } catch { notify("The server is not responding."); }
  setTimeout(keepRefreshing, document.hidden ? 5 * INTERVAL : INTERVAL);
}
setTimeout(keepRefreshing, INTERVAL);
