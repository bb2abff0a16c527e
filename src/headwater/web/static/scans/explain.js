// The form that explains why a URL is missing.
import { make, request } from "../page.js";

const form = document.getElementById("explain");
const output = document.getElementById("explanation");

function explain(found) {
  if (found.page) {
    const link = make("a", { href: `/scans/${form.dataset.scan}/pages/${found.page.number}` }, "See how it was found");
    return make("p", {}, `It was found: ${found.page.state}. `, link);
  }
  if (found.allowed) return make("p", {}, "No rule skips it, but no visited page links to it and no sitemap lists it.");
  const rule = found.rules.find(step => step.decides);
  return make("p", {}, make("code", {}, found.reason), `: ${found.sentence}. ${rule?.detail ?? ""}`);
}

form.addEventListener("submit", async event => {
  event.preventDefault();
  output.replaceChildren();
  try {
    const found = await request(`/api/v1/scans/${form.dataset.scan}/explain?url=${encodeURIComponent(form.explained.value)}`);
    output.append(make("p", { className: "url" }, found.url), explain(found));
  } catch (error) {
    output.append(make("p", { className: "bad" }, error.message));
  }
});
