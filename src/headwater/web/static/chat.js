// Questions to a dive. All text, of pages and of models, enters the page as text; only numbers that were checked become chips.
import { ask, make, say } from "./page.js";

const chat = document.getElementById("chat");
const base = `/api/v1/dives/${chat.dataset.dive}`;
const [turns, nothing, form, stop, doing, mistake, forget] = ["turns", "nothing", "question", "stop", "doing", "mistake", "forget"].map(id => document.getElementById(id));
const dialog = document.getElementById("passage");
let running = null;

// A passage opens beside the conversation; closing it gives the focus back to its chip.
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

function chip(cited, text) {
  const button = make("button", { type: "button", className: "cite", title: cited.heading || cited.url }, text);
  button.setAttribute("aria-label", `Passage ${cited.number}: ${cited.heading || cited.url}`);
  button.addEventListener("click", () => openPassage(cited));
  return button;
}

// An answer: its text with chips where it cites, then what it cites.
function showAnswer(box, text, cited) {
  const known = new Map(cited.map(one => [one.number, one]));
  const parts = text.split(/(\[\d+\])/).map(part => {
    const found = /^\[\d+\]$/.test(part) ? known.get(Number(part.slice(1, -1))) : null;
    return found ? chip(found, part.slice(1, -1)) : part;
  });
  box.replaceChildren(make("div", { className: "passage" }, ...parts));
}

function showSources(box, cited) {
  if (!cited.length) return;
  const list = make("ul", { className: "plain sources" }, ...cited.map(one => make("li", {}, chip(one, one.number), " ", make("span", { className: "soft" }, one.heading || one.url))));
  box.append(list);
}

function addTurn(role, ...children) {
  nothing.hidden = true;
  const box = make("div", { className: "said" }, ...children);
  turns.append(make("article", { className: `turn ${role}` }, make("h2", { className: "hide" }, role === "user" ? "Question" : "Answer"), box));
  return box;
}

function tell(box, text, className = "soft small") {
  if (text) box.append(make("p", { className }, text));
}

async function* linesOf(response) {
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

async function send(question, signal) {
  const response = await fetch(`${base}/ask`, {
    method: "POST", signal, headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" }, body: JSON.stringify({ question }),
  });
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Error(body.detail ?? response.statusText);
}

const sentence = text => text && text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

function finish(box, answer, passages) {
  const cited = answer.citations.map(one => passages[one - 1]);
  showAnswer(box, answer.text, cited);
  showSources(box, cited);
  if (!answer.is_answered) box.parentElement.classList.add("unanswered");
  tell(box, answer.note.startsWith("no model") ? "Extracts: no model is configured." : sentence(answer.note));
  if (answer.model && answer.is_answered && !cited.length) tell(box, "It cites no passage: take it with care.");
  if (answer.dropped) tell(box, `${answer.dropped} citation${answer.dropped === 1 ? "" : "s"} did not hold and were left out.`);
}

// Piece by piece into the box; gives whether it came to an end.
async function follow(response, box) {
  let passages = [];
  let text = "";
  for await (const part of linesOf(response)) {
    if (part.kind === "passages") {
      passages = part.passages;
      doing.textContent = "Reading what was found …";
    } else if (part.kind === "piece") {
      text += part.text;
      showAnswer(box, text, passages);
    } else if (part.kind === "answer") {
      finish(box, part, passages);
      return;
    } else throw new Error(part.detail);
  }
  throw new Error("The answer broke off: the server ended it.");
}

function busy(is) {
  form.querySelector("button.main").disabled = is;
  stop.hidden = !is;
  doing.textContent = is ? "Searching …" : "";
}

form.addEventListener("submit", async event => {
  event.preventDefault();
  const question = form.words.value.trim();
  if (!question || running) return;
  running = new AbortController();
  mistake.hidden = true;
  busy(true);
  addTurn("user", make("div", { className: "passage" }, question));
  const box = addTurn("assistant");
  box.setAttribute("aria-busy", "true");
  form.words.value = "";
  try {
    await follow(await send(question, running.signal), box);
    forget.hidden = false;
  } catch (error) {
    const isStopped = error.name === "AbortError";
    tell(box, isStopped ? "Stopped; this question is not kept." : "No answer.");
    form.words.value = question;
    if (!isStopped) { mistake.textContent = sentence(error.message); mistake.hidden = false; }
  }
  box.removeAttribute("aria-busy");
  running = null;
  busy(false);
  form.words.focus();
  form.scrollIntoView({ block: "nearest" });
});
form.words.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
});
stop.addEventListener("click", () => running?.abort());

forget.addEventListener("click", async () => {
  if (!confirm("Clear this conversation? It cannot be had back.")) return;
  try {
    await ask(`${base}/messages`, { method: "DELETE" });
    turns.replaceChildren();
    nothing.hidden = false;
    forget.hidden = true;
    form.words.focus();
  } catch (error) { say(error.message); }
});

const { messages } = await ask(`${base}/messages`).catch(error => { say(error.message); return { messages: [] }; });
for (const turn of messages) {
  const box = addTurn(turn.role);
  if (turn.role === "user") box.append(make("div", { className: "passage" }, turn.text));
  else { showAnswer(box, turn.text, turn.citations); showSources(box, turn.citations); }
}
nothing.hidden = messages.length > 0;
forget.hidden = messages.length === 0;
if (messages.length) form.scrollIntoView({ block: "end" });
form.words.focus({ preventScroll: true });

busy(false);  // the button waits for this script, without which nothing is answered
