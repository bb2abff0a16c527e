// Maps of the site: a folder tree, a treemap of its sections, and the links between the pages with the highest priority.
import { make, notify, number, request } from "../page.js";

const map = document.getElementById("map");
const api = `/api/v1/scans/${map.dataset.scan}`;
const SVG = "http://www.w3.org/2000/svg";
const COLORS = ["#1c5c9e", "#2a6f6b", "#7a4e8f", "#94553a", "#4f6a2c", "#8a3b5c", "#3f5fa8", "#6b5b2a", "#31708a", "#6a4a4a"];
const hovered = document.getElementById("hovered");

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
const showHovered = text => { hovered.textContent = text || "\u00a0"; };
const path = url => url.replace(/^https?:\/\/[^/]+/, "") || "/";

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

// The treemap
async function drawTreemap(svg) {
  const found = await request(`${api}/sections?limit=2000`);
  const started = performance.now();
  const known = new Set(found.sections.map(one => one.number));
  const rows = found.sections.map(one => ({ ...one, parent: known.has(one.parent) ? one.parent : 0, size: one.own }));
  const top = { number: 0, name: "", path: "", pages: 0, size: 0, parent: null };
  const byNumber = new Map(rows.map(one => [one.number, one]));
  for (const one of rows) if (byNumber.has(one.parent)) byNumber.get(one.parent).inner = (byNumber.get(one.parent).inner ?? 0) + one.pages;
  for (const one of rows) one.size = one.inner ? 0 : one.pages;
  const ownPages = rows.filter(one => one.inner && one.pages > one.inner).map(one => ({ ...one, number: `${one.number}own`, parent: one.number, name: "pages here", pages: one.pages - one.inner, size: one.pages - one.inner }));
  const root = d3.stratify().id(one => one.number).parentId(one => one.parent)([top, ...rows, ...ownPages]).sum(one => one.size).sort((a, b) => b.value - a.value);
  const { width, height } = svg.getBoundingClientRect();
  d3.treemap().size([width, height]).paddingOuter(node => node.depth === 0 ? 0 : 2).paddingTop(node => node.depth && node.children && node.y1 - node.y0 > 40 ? 17 : 2).paddingInner(1).round(true)(root);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const boxes = root.descendants().filter(node => node.depth && node.x1 - node.x0 > 1 && node.y1 - node.y0 > 1);
  const branches = new Map();
  const color = node => {
    const branch = node.ancestors().at(-3) ?? node;
    if (!branches.has(branch.id)) branches.set(branch.id, COLORS[branches.size % COLORS.length]);
    return branches.get(branch.id);
  };
  const parts = [];
  for (const node of boxes) {
    const [w, h] = [node.x1 - node.x0, node.y1 - node.y0];
    parts.push(draw("rect", { class: "box", x: node.x0, y: node.y0, width: w, height: h, rx: 2, fill: color(node), "fill-opacity": node.children ? 0.55 : 1, "data-path": node.data.path, "data-label": `${node.data.path}  ${number(node.data.pages)} pages` }));
    if (w > 44 && h > 17) parts.push(draw("text", { x: node.x0 + 5, y: node.y0 + 13 }, `${node.data.name || "/"} ${number(node.data.pages)}`.slice(0, Math.floor(w / 7))));
  }
  svg.replaceChildren(...parts);
  svg.dataset.milliseconds = (performance.now() - started).toFixed(1);
  svg.dataset.boxes = boxes.length;
  if (found.is_capped) document.getElementById("legend").textContent += ` Only the ${number(found.sections.length)} largest folders are shown.`;
  svg.addEventListener("pointermove", event => showHovered(event.target.dataset.label));
  svg.addEventListener("click", event => { if (event.target.dataset.path) location.assign(`/scans/${map.dataset.scan}/urls?under=${encodeURIComponent(event.target.dataset.path)}`); });
  listSections(found.sections);
}
// The largest sections as a table, for screen readers.
function listSections(sections) {
  const rows = sections.slice(0, 20).map(one => make("tr", {}, make("td", { className: "url" }, make("a", { href: `/scans/${map.dataset.scan}/urls?under=${encodeURIComponent(one.path)}` }, one.path)), make("td", { className: "n" }, number(one.pages))));
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "The largest sections"), make("th", { scope: "col", className: "n" }, "Pages")));
  document.getElementById("sections").replaceChildren(make("div", { className: "scroll" }, make("table", {}, head, make("tbody", {}, ...rows))));
}

// The links
async function drawGraph(svg) {
  const found = await request(`${api}/graph`);
  const known = new Map(found.pages.map(one => [one.number, one]));
  const rows = found.pages.map(one => ({ ...one, parent: known.has(one.parent) && one.parent !== one.number ? one.parent : 0 }));
  for (const one of rows) if (one.parent && isInCycle(one, rows)) one.parent = 0;
  const root = d3.stratify().id(one => one.number).parentId(one => one.parent)([{ number: 0, parent: null }, ...rows]);
  const box = svg.getBoundingClientRect(), stretch = Math.max(1, Math.min(1.8, box.width / box.height));
  d3.tree().size([2 * Math.PI, 340]).separation((a, b) => (a.parent === b.parent ? 1 : 2) / a.depth)(root);
  const at = node => [stretch * node.y * Math.cos(node.x - Math.PI / 2), node.y * Math.sin(node.x - Math.PI / 2)];
  const [xs, ys] = [0, 1].map(axis => root.descendants().filter(node => node.depth).map(node => at(node)[axis]));
  const [left, right, top, bottom] = [Math.min(...xs) - 150, Math.max(...xs) + 150, Math.min(...ys) - 25, Math.max(...ys) + 25];
  svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
  const places = new Map(root.descendants().map(node => [node.data.number, at(node)]));
  const line = (from, to, name) => draw("path", { class: name, d: `M${from}Q${(from[0] + to[0]) / 4},${(from[1] + to[1]) / 4} ${to}` });
  const nodes = root.descendants().filter(node => node.data.number);
  const crossing = found.links.filter(([from, to]) => places.has(from) && places.has(to)).map(([from, to]) => line(places.get(from), places.get(to), "cross"));
  const tree = nodes.filter(node => node.parent.data.number).map(node => line(at(node.parent), at(node), "edge"));
  const dots = nodes.map(node => {
    const [x, y] = at(node);
    return draw("circle", { class: "dot", cx: x, cy: y, r: node.children ? 6 : 4, "data-number": node.data.number, "data-label": `${path(node.data.url)}  ${node.data.title ?? ""}` });
  });
  const labels = nodes.filter((node, place) => nodes.length < 60 || node.children || place < 20).map(node => {
    const [x, y] = at(node), isLeft = x < 0;
    return draw("text", { class: "label", x: x + (isLeft ? -8 : 8), y: y + 4, "text-anchor": isLeft ? "end" : "start" }, path(node.data.url).slice(0, 28));
  });
  svg.replaceChildren(...crossing, ...tree, ...dots, ...labels);
  const legend = document.getElementById("legend");
  if (found.is_capped) legend.textContent += ` Only the ${number(found.pages.length)} pages with the highest priority of ${number(found.total)} are shown.`;
  if (found.links_kept !== "all") legend.textContent += " Only the first link to each page was kept. Scan with links = all to see every link.";
  svg.addEventListener("pointermove", event => showHovered(event.target.dataset.label));
  svg.addEventListener("click", event => { if (event.target.dataset.number) location.assign(`/scans/${map.dataset.scan}/pages/${event.target.dataset.number}`); });
}
function isInCycle(one, rows) {
  const byNumber = new Map(rows.map(row => [row.number, row]));
  const seen = new Set([one.number]);
  for (let next = byNumber.get(one.parent); next; next = byNumber.get(next.parent)) {
    if (seen.has(next.number)) return true;
    seen.add(next.number);
  }
  return false;
}

for (const details of map.querySelectorAll("details[data-path]")) {
  loadWhenOpened(details);
  if (details.dataset.open) details.open = true;
}
for (const [id, show] of [["treemap", drawTreemap], ["graph", drawGraph]]) {
  const svg = document.getElementById(id);
  if (svg) show(svg).catch(error => notify(error.message));
}
