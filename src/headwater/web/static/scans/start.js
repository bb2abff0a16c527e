// The form that starts a scan.
import { describeError, post } from "../page.js";

const PARSERS = {
  flag: text => text === "true",
  choice: text => text,
  text: text => text,
  list: text => text.split(/\s+/).filter(Boolean),
  lines: text => text.split("\n").map(line => line.trim()).filter(Boolean),
  number: text => Number.isNaN(Number(text)) ? text : Number(text),
};

function readForm(form) {
  const settings = {};
  for (const field of form.querySelectorAll("[data-kind]")) {
    const text = field.value.trim();
    if (text) settings[field.name] = PARSERS[field.dataset.kind](text);
  }
  return {
    urls: form.urls.value.split(/\s+/).filter(Boolean),
    preset: new FormData(form).get("preset"),
    settings,
  };
}

const form = document.getElementById("start");
const button = form.querySelector("button.main");
const errorBox = document.getElementById("error");
button.disabled = false;  // disabled in the HTML: without this script it would do nothing
form.addEventListener("submit", async event => {
  event.preventDefault();
  button.disabled = true;
  errorBox.hidden = true;
  try {
    const { scan } = await post("/api/v1/scans", readForm(form));
    location.assign(`/scans/${scan}`);
  } catch (error) {
    errorBox.textContent = describeError(error, ["urls"]);
    errorBox.hidden = false;
    button.disabled = false;
    (document.getElementById(`s-${error.name}`) ?? form.urls).focus();
  }
});
form.urls.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); form.requestSubmit(); }
});
