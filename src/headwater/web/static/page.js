// What every screen shares: times told relatively, forms and buttons that speak to the API.
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export const number = new Intl.NumberFormat("en").format;

// Everything from a site enters the page here, as text.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function ago(moment) {
  const seconds = (new Date(moment) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return Math.abs(seconds) < 10 ? "just now" : relative.format(Math.round(seconds / size), unit);
}

export function tellTimes() {
  for (const time of document.querySelectorAll("time")) {
    time.textContent = ago(time.dateTime);
    time.title = new Date(time.dateTime).toLocaleString();
  }
}

export async function ask(path, options = {}) {
  const response = await fetch(path, { headers: { Accept: "application/json" }, ...options });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(body.detail ?? response.statusText), { name: body.name ?? "" });
  return body;
}

export const post = (path, body) => ask(path, {
  method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body),
});

export function say(text) {
  const word = document.getElementById("word");
  word.textContent = text;
  setTimeout(() => { if (word.textContent === text) word.textContent = ""; }, 5000);
}

const VALUES = {
  flag: text => text === "true",
  choice: text => text,
  text: text => text,
  words: text => text.split(/\s+/).filter(Boolean),
  number: text => Number.isNaN(Number(text)) ? text : Number(text),
};

function wanted(form) {
  const settings = {};
  for (const field of form.querySelectorAll("[data-kind]")) {
    const text = field.value.trim();
    if (text) settings[field.name] = VALUES[field.dataset.kind](text);
  }
  return {
    urls: form.urls.value.split(/\s+/).filter(Boolean),
    preset: new FormData(form).get("preset"),
    settings,
  };
}

function setUpStart(form) {
  const mistake = document.getElementById("mistake");
  form.querySelector("button.main").disabled = false;  // it waits for this script, without which nothing is begun
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const button = form.querySelector("button.main");
    button.disabled = true;
    mistake.hidden = true;
    try {
      const { scan } = await post("/api/v1/scans", wanted(form));
      location.assign(`/scans/${scan}`);
    } catch (error) {
      mistake.textContent = error.name && error.name !== "urls" ? `${error.name.replaceAll("_", " ")}: ${error.message}` : error.message;
      mistake.hidden = false;
      button.disabled = false;
      (document.getElementById(`s-${error.name}`) ?? form.urls).focus();
    }
  });
  form.urls.addEventListener("keydown", event => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); }
  });
}

function setUpExplain(form) {
  const because = document.getElementById("because");
  form.addEventListener("submit", async event => {
    event.preventDefault();
    because.replaceChildren();
    try {
      const told = await ask(`/api/v1/scans/${form.dataset.scan}/explain?url=${encodeURIComponent(form.why.value)}`);
      because.append(make("p", { className: "url" }, told.url));
      if (told.page) {
        because.append(make("p", {}, `It is listed: ${told.page.state}. `, make("a", { href: `/scans/${form.dataset.scan}/pages/${told.page.number}` }, "See where it came from")));
      } else if (told.allowed) {
        because.append(make("p", {}, "No rule refuses it; nothing that was visited or read names it."));
      } else {
        const rule = told.rules.find(step => step.decides);
        because.append(make("p", {}, make("code", {}, told.reason), `: ${told.sentence}. ${rule?.detail ?? ""}`));
      }
    } catch (error) {
      because.append(make("p", { className: "bad" }, error.message));
    }
  });
}

document.addEventListener("click", async event => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  button.disabled = true;
  try {
    const { scan } = await post(button.dataset.post, {});
    if (button.dataset.id === "stop") say("Told to stop; what was found is kept.");
    else location.assign(`/scans/${scan}`);
  } catch (error) {
    say(error.message);
    button.disabled = false;
  }
});

// A menu closes when somebody clicks elsewhere or presses Escape.
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== except) menu.open = false;
}
document.addEventListener("click", event => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", event => { if (event.key === "Escape") closeMenus(); });

function foldFilters() {
  const folding = document.querySelector(".folding");
  if (folding && matchMedia("(max-width: 62rem)").matches && !folding.querySelector(".on")) folding.open = false;
}

document.addEventListener("htmx:afterSettle", tellTimes);
document.addEventListener("htmx:responseError", () => say("That could not be had; try again."));
document.addEventListener("htmx:sendError", () => say("The server does not answer."));
if (document.getElementById("start")) setUpStart(document.getElementById("start"));
if (document.getElementById("explain")) setUpExplain(document.getElementById("explain"));
foldFilters();
tellTimes();
setInterval(tellTimes, 30000);
