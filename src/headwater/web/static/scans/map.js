// Maps of the site: a folder tree, and the scripts of the treemap and of the link graph.
import { make, notify, number, request } from "../page.js";
import { path } from "./drawing.js";
import { drawGraph } from "./graph.js";
import { drawTreemap } from "./treemap.js";

const map = document.getElementById("map");
const api = `/api/v1/scans/${map.dataset.scan}`;

// The tree
function makeFolder(folder) {
  const details = make("details", {}, make("summary", {}, make("span", { className: "name" }, `${folder.name}/`), " ", make("span", { className: "soft n" }, number(folder.pages))));
  details.dataset.path = folder.path;
  return make("li", {}, loadWhenOpened(details));
}
function makeLeaf(page) {
  return make("li", { className: "leaf" }, make("a", { href: `/scans/${map.dataset.scan}/pages/${page.number}`, title: page.url }, path(page.url)), make("span", { className: "soft" }, page.title ?? ""));
}
async function unfold(details, list, after = {}) {
  const query = new URLSearchParams({ path: details.dataset.path, ...after });
  const found = await request(`${api}/tree?${query}`);
  const rows = [...(after.after_page ? [] : found.folders.map(makeFolder)), ...(after.after_folder ? [] : found.pages.map(makeLeaf))];
  list.append(...rows);
  for (const [key, position] of [["after_folder", found.more_folders], ["after_page", found.more_pages]]) {
    if (position === null || (after.after_page && key === "after_folder") || (after.after_folder && key === "after_page")) continue;
    const more = make("button", { type: "button" }, key === "after_folder" ? "More folders" : "More pages");
    const item = make("li", {}, more);
    more.onclick = () => { item.remove(); unfold(details, list, { [key]: position }).catch(error => notify(error.message)); };
    list.append(item);
  }
}
function loadWhenOpened(details) {
  details.addEventListener("toggle", () => {
    if (!details.open || details.querySelector("ul")) return;
    const list = make("ul", { className: "plain" });
    details.append(list);
    unfold(details, list).catch(error => notify(error.message));
  });
  return details;
}

for (const details of map.querySelectorAll("details[data-path]")) {
  loadWhenOpened(details);
  if (details.dataset.open) details.open = true;
}
for (const [id, show] of [["treemap", drawTreemap], ["graph", drawGraph]]) {
  const svg = document.getElementById(id);
  if (svg) show(svg, map.dataset.scan).catch(error => notify(error.message));
}
