// Dives: the form that starts one, and a dive as it happens; numbers change in place.
import { make, number, post, say } from "./page.js";

const STATES = { done: "Done", running: "Running", queued: "Waiting", stalled: "No sign of life", interrupted: "Stopped" };

function seconds(value) {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

// The text changes, the node stays: nothing has moved.
function put(element, text) {
  if (element.firstChild) element.firstChild.data = text;
  else element.append(text);
}

function showStage(box, stage) {
  box.className = `stage ${stage.state}`;
  const part = name => box.querySelector(`[data-part=${name}]`);
  put(part("count"), number(stage.name === "reading" && stage.state === "running" ? stage.done : stage.count));
  const isTimed = stage.seconds !== null && ["done", "running", "interrupted"].includes(stage.state);
  put(part("told"), isTimed ? seconds(stage.seconds) : stage.state);
  put(part("note"), stage.note);
  part("bar").max = stage.total || 1;
  part("bar").value = ["done", "skipped"].includes(stage.state) ? stage.total || 1 : stage.done;
}

function show(screen, view) {
  const badge = document.getElementById("state");
  badge.className = `badge ${view.state}`;
  badge.textContent = STATES[view.state] ?? view.state;
  for (const stage of view.stages) showStage(screen.querySelector(`[data-stage="${stage.name}"]`), stage);
  const part = name => screen.querySelector(`[data-number=${name}]`);
  for (const name of ["pages", "waiting"]) put(part(name), number(view[name]));
  put(part("unread"), number(view.pages - view.read - view.waiting));
  put(part("time"), seconds(view.stages.reduce((sum, stage) => sum + (stage.seconds ?? 0), 0)));
  const rows = view.reasons.map(one => make("tr", {}, make("th", { scope: "row" }, make("span", { title: one.reason }, one.sentence)), make("td", { className: "n" }, number(one.count))));
  if (rows.length) screen.querySelector("#reasons tbody").replaceChildren(...rows);
}

const screen = document.getElementById("dive");
if (screen?.dataset.live === "yes") {
  const source = new EventSource(`/api/v1/dives/${screen.dataset.dive}/events`);
  source.addEventListener("state", event => show(screen, JSON.parse(event.data)));
  source.addEventListener("end", () => { source.close(); location.reload(); });
}

document.addEventListener("click", async event => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  button.disabled = true;
  try {
    await post(button.dataset.act, {});
    if (button.dataset.act.endsWith("/cancel")) say("Told to stop; what was read is kept.");
    else location.reload();
  } catch (error) {
    say(error.message);
    button.disabled = false;
  }
});

const form = document.getElementById("new-dive");
if (form) form.querySelector("button.main").disabled = false;
form?.addEventListener("submit", async event => {
  event.preventDefault();
  const mistake = document.getElementById("mistake");
  const button = form.querySelector("button.main");
  button.disabled = true;
  mistake.hidden = true;
  const most = form.most.value.trim();
  const match = form.match.value.trim();
  try {
    const { dive } = await post("/api/v1/dives", {
      scan: Number(form.dataset.scan),
      clusters: form.cluster.value ? [form.cluster.value] : [],
      match: match ? [match] : form.cluster.value ? [] : ["*"],
      all_languages: form.languages.checked,
      settings: most ? { max_dive_pages: Number.isNaN(Number(most)) ? most : Number(most) } : {},
    });
    location.assign(`/dives/${dive}`);
  } catch (error) {
    mistake.textContent = error.name === "max_dive_pages" ? `Pages at most: ${error.message}` : error.message;
    mistake.hidden = false;
    button.disabled = false;
    ({ max_dive_pages: form.most, include: form.match, match: form.match }[error.name] ?? form.cluster).focus();
  }
});
