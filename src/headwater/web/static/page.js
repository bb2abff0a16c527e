// Code that every screen shares: relative times, requests to the API, notices, menus.
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export const number = new Intl.NumberFormat("en").format;
export const STATE_NAMES = { done: "Done", running: "Running", queued: "Queued", stalled: "Not responding", limited: "Stopped by a limit", incomplete: "Incomplete", interrupted: "Stopped", paused: "Paused", cancelled: "Cancelled" };

// Everything from a site enters the page here, as text.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// Changes the text but keeps the node, so that the browser counts no layout shift.
export function setText(element, text) {
  if (element.textContent === text) return;
  if (element.childNodes.length === 1 && element.firstChild.nodeType === Node.TEXT_NODE) element.firstChild.data = text;
  else element.textContent = text;
}

export function formatSeconds(value) {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  const minutes = Math.floor(value / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(value % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function formatAge(moment) {
  const seconds = (new Date(moment) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return Math.abs(seconds) < 10 ? "just now" : relative.format(Math.round(seconds / size), unit);
}

export function updateTimes() {
  for (const time of document.querySelectorAll("time")) {
    time.textContent = formatAge(time.dateTime);
    time.title = new Date(time.dateTime).toLocaleString();
  }
}

export async function request(path, options = {}) {
  const response = await fetch(path, { headers: { Accept: "application/json" }, ...options });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(body.detail ?? response.statusText), { name: body.name ?? "" });
  return body;
}

export const send = (method, path, body) => request(path, {
  method, headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body),
});

export const post = (path, body) => send("POST", path, body);

// The message of an error, with the name of the setting at fault.
export const describeError = (error, hidden = []) =>
  error.name && !hidden.includes(error.name) ? `${error.name.replaceAll("_", " ")}: ${error.message}` : error.message;

export function notify(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  setTimeout(() => { if (notice.textContent === text) notice.textContent = ""; }, 5000);
}

// A menu closes on a click elsewhere and on Escape.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}
document.addEventListener("click", event => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", event => { if (event.key === "Escape") closeMenus(); });

function foldFilters() {
  const folding = document.querySelector(".folding");
  if (folding && matchMedia("(max-width: 62rem)").matches && !folding.querySelector(".on")) folding.open = false;
}

document.addEventListener("htmx:afterSettle", updateTimes);
document.addEventListener("htmx:responseError", () => notify("The list could not be loaded. Try again."));
document.addEventListener("htmx:sendError", () => notify("The server is not responding."));
foldFilters();
updateTimes();
setInterval(updateTimes, 30000);
