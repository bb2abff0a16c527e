// The form that starts a dive, and the screen of a running dive, whose numbers change in place.
import { STATE_NAMES, formatSeconds, make, notify, number, post, setText } from "../page.js";

function showStage(box, stage) {
  box.className = `stage ${stage.state}`;
  const part = name => box.querySelector(`[data-part=${name}]`);
  setText(part("count"), number(stage.name === "reading" && stage.state === "running" ? stage.done : stage.count));
  const isTimed = stage.seconds !== null && ["done", "running", "interrupted"].includes(stage.state);
  setText(part("status"), isTimed ? formatSeconds(stage.seconds) : stage.state);
  setText(part("note"), stage.note);
  part("bar").max = stage.total || 1;
  part("bar").value = ["done", "skipped"].includes(stage.state) ? stage.total || 1 : stage.done;
}

function show(screen, view) {
  const badge = document.getElementById("state");
  badge.className = `badge ${view.state}`;
  badge.textContent = STATE_NAMES[view.state] ?? view.state;
  for (const stage of view.stages) showStage(screen.querySelector(`[data-stage="${stage.name}"]`), stage);
  const part = name => screen.querySelector(`[data-number=${name}]`);
  for (const name of ["pages", "waiting"]) setText(part(name), number(view[name]));
  setText(part("unread"), number(view.pages - view.read - view.waiting));
  setText(part("time"), formatSeconds(view.stages.reduce((sum, stage) => sum + (stage.seconds ?? 0), 0)));
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
  const button = event.target.closest("[data-action]");
  if (!button) return;
  button.disabled = true;
  try {
    await post(button.dataset.action, {});
    if (button.dataset.action.endsWith("/cancel")) notify("Stopping. The pages read so far are kept.");
    else location.reload();
  } catch (error) {
    notify(error.message);
    button.disabled = false;
  }
});

const form = document.getElementById("new-dive");
if (form) form.querySelector("button.main").disabled = false;
form?.addEventListener("submit", async event => {
  event.preventDefault();
  const errorBox = document.getElementById("error");
  const button = form.querySelector("button.main");
  button.disabled = true;
  errorBox.hidden = true;
  const maximum = form.max_pages.value.trim();
  const match = form.match.value.trim();
  try {
    const { dive } = await post("/api/v1/dives", {
      scan: Number(form.dataset.scan),
      clusters: form.cluster.value ? [form.cluster.value] : [],
      match: match ? [match] : form.cluster.value ? [] : ["*"],
      all_languages: form.languages.checked,
      settings: maximum ? { max_dive_pages: Number.isNaN(Number(maximum)) ? maximum : Number(maximum) } : {},
    });
    location.assign(`/dives/${dive}`);
  } catch (error) {
    errorBox.textContent = error.name === "max_dive_pages" ? `Maximum number of pages: ${error.message}` : error.message;
    errorBox.hidden = false;
    button.disabled = false;
    ({ max_dive_pages: form.max_pages, include: form.match, match: form.match }[error.name] ?? form.cluster).focus();
  }
});
