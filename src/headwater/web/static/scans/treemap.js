// The treemap: folders as boxes, their size the number of pages. A click on a box shows its folder alone.
import { make, number, request } from "../page.js";
import { count, draw, keepDrawn, readHash, shorten, showCrumbs, showHovered, showTable, toHash } from "./drawing.js";

const COLORS = ["#1c5c9e", "#2a6f6b", "#7a4e8f", "#94553a", "#4f6a2c", "#8a3b5c", "#3f5fa8", "#6b5b2a", "#31708a", "#6a4a4a"];
const LEVELS = 6, MIN_AREA = 5000, HEAD = 17, FONT = 12;

// White text stays readable on the darker shade of a folder around its boxes, in either color scheme.
const darken = color => `#${[1, 3, 5].map(at => Math.round(parseInt(color.slice(at, at + 2), 16) * 0.72).toString(16).padStart(2, "0")).join("")}`;

// The folders as a tree; pages outside the listed folders of a folder get boxes of their own.
function build(sections) {
  const nodes = new Map(sections.map(one => [one.number, { name: one.name, folder: one.path, pages: one.pages, own: one.own, inside: [] }]));
  const top = { name: "All hosts", folder: "", pages: 0, own: 0, inside: [] };
  for (const one of sections) (nodes.get(one.parent) ?? top).inside.push(nodes.get(one.number));
  for (const node of [top, ...nodes.values()]) {
    for (const inner of node.inside) inner.above = node;
    if (node === top) { top.pages = top.inside.reduce((sum, one) => sum + one.pages, 0); continue; }
    const missing = node.pages - node.inside.reduce((sum, one) => sum + one.pages, 0), own = Math.min(node.own, missing);
    if (!node.inside.length) continue;
    for (const [name, pages] of [["pages here", own], ["smaller folders", missing - own]])
      if (pages > 0) node.inside.push({ name, folder: node.folder, pages, inside: [], above: node, isRest: true });
  }
  return top;
}
function* walk(node) {
  yield node;
  for (const inner of node.inside) yield* walk(inner);
}
function find(top, folder) {
  for (const node of walk(top)) if (folder && node.folder === folder && node.inside.length) return node;
  let start = top;
  while (start.inside.length === 1 && start.inside[0].inside.length) start = start.inside[0];
  return start;
}

// Folders inside folders are shown where there is room for their labels.
function layOut(shown, width, height) {
  const area = width * height / (shown.pages || 1), isShown = (node, level) => level < LEVELS && (!level || node.pages * area > MIN_AREA);
  const limit = (node, level) => ({ node, children: isShown(node, level) ? node.inside.map(inner => limit(inner, level + 1)) : [] });
  const root = d3.hierarchy(limit(shown, 0), one => one.children);
  root.sum(one => one.children?.length ? 0 : one.node.pages).sort((a, b) => b.value - a.value);
  const isRoomy = one => one.depth && one.x1 - one.x0 > 24 && one.y1 - one.y0 > 44;
  return d3.treemap().size([width, height]).round(true).paddingTop(one => isRoomy(one) ? HEAD : 0).paddingRight(one => isRoomy(one) ? 2 : 0).paddingBottom(one => isRoomy(one) ? 2 : 0).paddingLeft(one => isRoomy(one) ? 2 : 0)(root);
}

function drawBox(box, color, identifiers) {
  const { name, folder, pages, isRest } = box.data.node, [w, h] = [box.x1 - box.x0, box.y1 - box.y0];
  const label = `${folder}  ${isRest ? `${name}: ` : ""}${count(pages, "page")}`;
  const parts = [draw("rect", {
    class: "cell", x: box.x0, y: box.y0, width: w, height: h, fill: box.children ? darken(color) : color,
    "data-id": identifiers.get(box), "data-above": identifiers.get(box.parent), "data-label": label,
  }, draw("title", {}, label))];
  const full = `${name || "/"} ${number(pages)}`;
  const text = h < HEAD ? "" : shorten(full, w - 9, FONT) === full ? full : shorten(name || "/", w - 9, FONT);
  if (text) parts.push(draw("text", { x: box.x0 + 5, y: box.y0 + 13 }, text));
  return parts;
}

export async function drawTreemap(svg, scan) {
  const listOf = folder => `/scans/${scan}/urls?under=${encodeURIComponent(folder)}`;
  const found = await request(`/api/v1/scans/${scan}/sections?limit=2000`);
  const top = build(found.sections);
  let boxes = [];
  function show() {
    const started = performance.now(), { width, height } = svg.getBoundingClientRect();
    const shown = find(top, readHash()), root = layOut(shown, Math.floor(width), Math.floor(height));
    boxes = root.descendants().filter(box => box.depth && box.x1 > box.x0 && box.y1 > box.y0);
    const identifiers = new Map([root, ...boxes].map((box, place) => [box, place]));
    const colors = new Map(root.children?.map((box, place) => [box, COLORS[place % COLORS.length]]));
    svg.setAttribute("viewBox", `0 0 ${Math.floor(width)} ${Math.floor(height)}`);
    svg.replaceChildren(...boxes.flatMap(box => drawBox(box, colors.get(box.ancestors().at(-2)), identifiers)));
    svg.dataset.milliseconds = (performance.now() - started).toFixed(1);
    svg.dataset.boxes = boxes.length;
    showHovered("");
    const above = [];
    for (let node = shown; node; node = node.above) above.unshift(node);
    showCrumbs(top.inside.length === 1 ? above.slice(1) : above);
    const rows = [...shown.inside].sort((a, b) => b.pages - a.pages).slice(0, 20);
    showTable(["The largest sections", "Pages"], rows.map(one => [
      make("a", { href: one.inside.length ? toHash(one.folder) : listOf(one.folder) }, one.isRest ? `${one.folder} (${one.name})` : one.folder),
      make("a", { href: listOf(one.folder) }, number(one.pages)),
    ]));
  }
  svg.addEventListener("pointermove", event => showHovered(event.target.dataset.label));
  svg.addEventListener("pointerleave", () => showHovered(""));
  svg.addEventListener("click", event => {
    const box = boxes[event.target.dataset.id - 1];
    if (!box) return;
    const { node } = box.data, isOpen = !box.parent.depth;
    if (node.inside.length) location.hash = toHash(node.folder);
    else if (isOpen) location.assign(listOf(node.folder));
    else location.hash = toHash(node.above.folder);
  });
  if (found.is_capped) document.getElementById("legend").textContent += ` Only the ${number(found.sections.length)} largest folders are shown.`;
  keepDrawn(svg, show);
}
