// Questions to a dive. Text of pages and models is inserted as text; only verified citations become buttons.
import { make, notify, request } from "../page.js";

const chat = document.getElementById("chat");
const base = `/api/v1/dives/${chat.dataset.dive}`;
const [turns, empty, form, stop, progress, errorBox, clear] = ["turns", "empty", "question", "stop", "progress", "error", "clear"].map(id => document.getElementById(id));
const dialog = document.getElementById("passage");
let running = null;

// A passage opens in a dialog; closing it returns the focus to the button that opened it.
function openPassage(cited) {
  document.getElementById("passage-title").textContent = `[${cited.number}] ${cited.heading || cited.title || cited.url}`;
  document.getElementById("passage-text").textContent = cited.passage;
  const site = document.getElementById("passage-site");
  const isWeb = /^https?:\/\//.test(cited.url);
  site.hidden = !isWeb;
  site.href = isWeb ? cited.url : "#";
  const page = document.getElementById("passage-page");
  page.hidden = !/^https?:\/\//.test(cited.page_url);
  page.href = `/dives/${chat.dataset.dive}/document?url=${encodeURIComponent(cited.page_url)}`;
  dialog.showModal();
}
document.getElementById("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });

function makeCitation(cited, text) {
  const button = make("button", { type: "button", className: "cite", title: cited.heading || cited.url }, text);
  button.setAttribute("aria-label", `Passage ${cited.number}: ${cited.heading || cited.url}`);
  button.addEventListener("click", () => openPassage(cited));
  return button;
}

// Shows the text of an answer with a button for each citation.
function showAnswer(box, text, cited) {
  const known = new Map(cited.map(one => [one.number, one]));
  const parts = text.split(/(\[\d+\])/).map(part => {
    const found = /^\[\d+\]$/.test(part) ? known.get(Number(part.slice(1, -1))) : null;
    return found ? makeCitation(found, part.slice(1, -1)) : part;
  });
  box.replaceChildren(make("div", { className: "passage" }, ...parts));
}

function showSources(box, cited) {
  if (!cited.length) return;
  const list = make("ul", { className: "plain sources" }, ...cited.map(one => make("li", {}, makeCitation(one, one.number), " ", make("span", { className: "soft" }, one.heading || one.url))));
  box.append(list);
}

function addTurn(role, ...children) {
  empty.hidden = true;
  const box = make("div", { className: "said" }, ...children);
  turns.append(make("article", { className: `turn ${role}` }, make("h2", { className: "hide" }, role === "user" ? "Question" : "Answer"), box));
  return box;
}

function addNote(box, text, className = "soft small") {
  if (text) box.append(make("p", { className }, text));
}

async function* readLines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

async function sendQuestion(question, signal) {
  const response = await fetch(`${base}/ask`, {
    method: "POST", signal, headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" }, body: JSON.stringify({ question }),
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Error(body.detail ?? response.statusText);
}

const sentence = text => text && text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

function showFinalAnswer(box, answer, passages) {
  const cited = answer.citations.map(one => passages[one - 1]);
  showAnswer(box, answer.text, cited);
  showSources(box, cited);
  if (!answer.is_answered) box.parentElement.classList.add("unanswered");
  addNote(box, answer.note.startsWith("no model") ? "Quoted from the pages: no model is configured." : sentence(answer.note));
  if (answer.model && answer.is_answered && !cited.length) addNote(box, "This answer cites no passage; verify it.");
  if (answer.dropped) addNote(box, `${answer.dropped} invalid citation${answer.dropped === 1 ? " was" : "s were"} removed.`);
}

// Shows an answer piece by piece; throws an error if the stream ends before the answer does.
async function showStream(response, box) {
  let passages = [];
  let text = "";
  for await (const part of readLines(response)) {
    if (part.kind === "passages") {
      passages = part.passages;
      progress.textContent = "Reading the passages…";
    } else if (part.kind === "piece") {
      text += part.text;
      showAnswer(box, text, passages);
    } else if (part.kind === "answer") {
      showFinalAnswer(box, part, passages);
      return;
    } else throw new Error(part.detail);
  }
  throw new Error("The connection ended before the answer was complete.");
}

function setBusy(isBusy) {
  form.querySelector("button.main").disabled = isBusy;
  stop.hidden = !isBusy;
  progress.textContent = isBusy ? "Searching…" : "";
}

form.addEventListener("submit", async event => {
  event.preventDefault();
  const question = form.text.value.trim();
  if (!question || running) return;
  running = new AbortController();
  errorBox.hidden = true;
  setBusy(true);
  addTurn("user", make("div", { className: "passage" }, question));
  const box = addTurn("assistant");
  box.setAttribute("aria-busy", "true");
  form.text.value = "";
  try {
    await showStream(await sendQuestion(question, running.signal), box);
    clear.hidden = false;
  } catch (error) {
    const isStopped = error.name === "AbortError";
    addNote(box, isStopped ? "Stopped. This question is not kept." : "No answer.");
    form.text.value = question;
    if (!isStopped) { errorBox.textContent = sentence(error.message); errorBox.hidden = false; }
  }
  box.removeAttribute("aria-busy");
  running = null;
  setBusy(false);
  form.text.focus();
  form.scrollIntoView({ block: "nearest" });
});
form.text.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
});
stop.addEventListener("click", () => running?.abort());

clear.addEventListener("click", async () => {
  if (!confirm("Clear this conversation? It cannot be restored.")) return;
  try {
    await request(`${base}/messages`, { method: "DELETE" });
    turns.replaceChildren();
    empty.hidden = false;
    clear.hidden = true;
    form.text.focus();
  } catch (error) { notify(error.message); }
});

const { messages } = await request(`${base}/messages`).catch(error => { notify(error.message); return { messages: [] }; });
for (const turn of messages) {
  const box = addTurn(turn.role);
  if (turn.role === "user") box.append(make("div", { className: "passage" }, turn.text));
  else { showAnswer(box, turn.text, turn.citations); showSources(box, turn.citations); }
}
empty.hidden = messages.length > 0;
clear.hidden = messages.length === 0;
if (messages.length) form.scrollIntoView({ block: "end" });
form.text.focus({ preventScroll: true });

setBusy(false);  // the button is disabled in the HTML: without this script it would do nothing
