// A fleet as it works: numbers and words change in place every two seconds; rows come and go only where nothing is below them.
import { ask, make, number, post, say, tellTimes } from "./page.js";

const PAUSE = 2000;
const SILENT = 15;
const part = (row, name) => row.querySelector(`[data-part="${name}"]`);
const short = url => url.replace(/^https?:\/\//, "");

function put(element, text) {
  if (element.textContent === text) return;
  if (element.childNodes.length === 1 && element.firstChild.nodeType === Node.TEXT_NODE) element.firstChild.data = text;
  else element.textContent = text;
}

function showNumbers(told) {
  const numbers = {
    rate: told.pages_per_second >= 10 ? number(Math.round(told.pages_per_second)) : `${told.pages_per_second}`,
    due: number(told.due), workers: number(told.workers.length), "queue-waiting": number(told.queue.waiting),
    "queue-doing": number(told.queue.doing), "queue-failed": number(told.queue.failed),
  };
  for (const [name, text] of Object.entries(numbers)) put(document.querySelector(`[data-fleet="${name}"]`), text);
  let all = 0;
  for (const place of document.querySelectorAll("[data-state]:not([data-state=''])")) {
    all += told.sites[place.dataset.state] ?? 0;
    put(place, number(told.sites[place.dataset.state] ?? 0));
  }
  put(document.querySelector("[data-state='']"), number(all));
}

function named(title, under) {
  return make("th", { scope: "row" }, make("span", { className: "url" }, title), make("span", { className: "soft under" }, under));
}

function workerRow(one) {
  const working = (one.working.slice(0, 3).map(short).join(", ") || "idle") + (one.sites > 3 ? ` and ${one.sites - 3} more` : "");
  return make("tr", { className: one.silent > SILENT ? "late" : "" }, named(one.name, working),
    make("td", { className: "n" }, number(one.sites)), make("td", { className: "n" }, one.rate.toFixed(1)),
    make("td", { className: "n" }, `${Math.round(one.silent)} s ago`));
}

function troubleRow(one) {
  return make("tr", {}, named(short(one.seed), one.error || `nothing kept for ${Math.round(one.idle)} s`),
    make("td", {}, make("span", { className: `badge ${one.state}` }, one.state)),
    make("td", { className: "n" }, `${number(one.failures)} failure${one.failures === 1 ? "" : "s"}`));
}

// These stand in boxes of a fixed height, so nothing below them moves.
function showRows(id, rows) {
  if (rows.length) document.getElementById(id).replaceChildren(...rows);
}

function showSite(row, site) {
  const badge = part(row, "state");
  badge.className = `badge ${site.state}`;
  put(badge, site.state);
  put(part(row, "priority"), `${site.priority}`);
  put(part(row, "pages"), number(site.pages));
  const told = part(row, "told");
  put(told, told.textContent.trim().split(", on ")[0] + (site.worker ? `, on ${site.worker}` : ""));
  const error = part(row, "error");
  put(error, site.error);
  error.hidden = !site.error;
  const due = part(row, "due"), time = due.querySelector("time");
  if (site.state !== "waiting" || !site.due) put(due, "–");
  else if (!time) due.replaceChildren(make("time", { dateTime: site.due }, "soon"));
  else time.dateTime = site.due;
  const may = {
    pause: ["waiting", "queued", "working"], resume: ["paused"], cancel: ["waiting", "queued", "working", "paused"],
  };
  for (const button of row.querySelectorAll("[data-act]")) button.disabled = !may[button.dataset.act].includes(site.state);
}

const rowOf = site => document.querySelector(`tr[data-site="${site.number}"]`);

async function look() {
  const rows = [...document.querySelectorAll("tr[data-site]")];
  showNumbers(await ask("/api/v1/fleet").then(told => {
    showRows("workers", told.workers.map(workerRow));
    showRows("trouble", told.trouble.map(troubleRow));
    return told;
  }));
  if (!rows.length) return;
  const { sites } = await ask(`/api/v1/fleet/sites?numbers=${rows.map(row => row.dataset.site).join(",")}`);
  for (const site of sites) showSite(rowOf(site), site);
  tellTimes();
}

async function change(row, send) {
  try {
    const site = await send(`/api/v1/fleet/sites/${row.dataset.site}`);
    showSite(row, site);
    say(`${short(site.seeds[0])}: ${site.state}, priority ${site.priority}`);
    return site;
  } catch (error) {
    say(error.message);
    return null;
  }
}

document.addEventListener("click", async event => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  const row = button.closest("tr");
  await change(row, path => post(`${path}/${button.dataset.act}`, {}));
  row.querySelector("details.menu").open = false;
});

document.addEventListener("change", async event => {
  const field = event.target.closest("[data-set]");
  if (!field) return;
  const value = field.value === "" ? null : Number(field.value);
  const site = await change(field.closest("tr"), path => ask(path, {
    method: "PATCH", headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ [field.dataset.set]: field.dataset.set === "priority" ? value ?? 0 : value }),
  }));
  if (site && field.dataset.set === "every") {
    const told = part(field.closest("tr"), "told");
    put(told, field.selectedOptions[0].textContent + (site.worker ? `, on ${site.worker}` : ""));
  }
});

document.querySelector("#submit button.main").disabled = false;
document.getElementById("submit").addEventListener("submit", async event => {
  event.preventDefault();
  const form = event.target, refused = document.getElementById("refused");
  refused.hidden = true;
  try {
    await post("/api/v1/fleet/sites", {
      urls: form.sites.value.split(/\s+/).filter(Boolean), priority: Number(form.priority.value || 0),
      ...(form.every.value ? { every: Number(form.every.value) } : {}),
    });
    location.assign("/fleet");
  } catch (error) {
    refused.textContent = error.message;
    refused.hidden = false;
    form.sites.focus();
  }
});

async function watch() {
  try { await look(); } catch { say("The server does not answer."); }
  setTimeout(watch, document.hidden ? 5 * PAUSE : PAUSE);
}
setTimeout(watch, PAUSE);
