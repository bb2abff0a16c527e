// The link graph: sections first; a click opens a section into its folders and pages, beside the other sections.
import { make, number, request } from "../page.js";
import { count, draw, keepDrawn, measure, path, readHash, shorten, showCrumbs, showHovered, showTable, toHash } from "./drawing.js";
import { buildSections, findOpened, joinLinks, listNodes, nameOf } from "./graph_sections.js";
import { placeLabels, placeNodes } from "./link_layout.js";

const FONT = 11, MAX_LINKS = 800;

function describe({ one, near }) {
  const what = one.page ? `${path(one.page.url)}  ${one.page.title ?? ""}` : `${one.folder}  ${one.hidden ? "others: " : ""}${count(one.size, "page")}`;
  return `${what}  (linked with ${near.size})`;
}
function size(nodes) {
  const largest = Math.max(2, ...nodes.map(node => node.one.size));
  for (const node of nodes) node.radius = node.one.page ? 4 : 6 + 14 * Math.sqrt(node.one.size / largest);
}
function drawNode(node, place) {
  const label = describe(node);
  const circle = draw("circle", { class: node.one.page ? "dot page" : node.one.hidden ? "dot rest" : "dot", cx: node.x, cy: node.y, r: node.radius, "data-place": place, "data-label": label }, draw("title", {}, label));
  node.circle = circle;
  return circle;
}
function drawLink(link) {
  const { from, to, weight } = link;
  link.line = draw("line", { class: "link", x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-width": Math.min(5, 0.6 + Math.log2(weight) / 2) });
  return link.line;
}
function drawLabels(wanted, nodes, width, height) {
  const texts = wanted.map(node => ({ node, text: shorten(nameOf(node.one), Math.min(170, width / 2.5), FONT) })).filter(one => one.text);
  const placed = placeLabels(texts.map(one => ({ ...one, length: measure(one.text, FONT) + 2 })), nodes, width, height);
  return placed.map(({ text, left, top }) => draw("text", { class: "label", x: left + 1, y: top + FONT - 1 }, text));
}

export async function drawGraph(svg, scan) {
  const found = await request(`/api/v1/scans/${scan}/graph?limit=500`);
  const top = buildSections(found.pages), labels = draw("g", {});
  let nodes = [], links = [], width = 0, height = 0;
  const addressOf = one => one.page ? `/scans/${scan}/pages/${one.page.number}` : one.hidden ? `/scans/${scan}/urls?under=${encodeURIComponent(one.folder)}` : toHash(one.folder);
  const byImportance = some => [...some].sort((a, b) => b.one.size - a.one.size || b.near.size - a.near.size);
  function show() {
    const started = performance.now(), chain = findOpened(top, readHash());
    ({ width, height } = svg.getBoundingClientRect());
    nodes = listNodes(chain);
    links = joinLinks(nodes, found.pages, found.links).slice(0, MAX_LINKS);
    size(nodes);
    placeNodes(nodes, links, width, height);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(...links.map(drawLink), ...nodes.map(drawNode), labels);
    focus(null);
    svg.dataset.milliseconds = (performance.now() - started).toFixed(1);
    showCrumbs(chain.map(one => ({ name: one.folder ? nameOf(one) : "All hosts", folder: one.folder })));
    showTable(["Sections and pages", "Pages", "Linked with"], byImportance(nodes).slice(0, 20).map(({ one, near }) => [make("a", { href: addressOf(one) }, nameOf(one)), number(one.size), number(near.size)]));
  }
  // Shows only the links and labels of one node and its neighbors; without a node, all.
  function focus(node) {
    const near = node ? new Set([node, ...node.near.keys()]) : new Set();
    svg.classList.toggle("focused", Boolean(node));
    for (const one of nodes) one.circle.classList.toggle("near", near.has(one));
    for (const { from, to, line } of links) line.classList.toggle("near", from === node || to === node);
    labels.replaceChildren(...drawLabels(node ? [node, ...byImportance(node.near.keys())] : byImportance(nodes), nodes, width, height));
    showHovered(node ? describe(node) : "");
  }
  svg.addEventListener("pointerover", event => { if (event.target.dataset.place) focus(nodes[event.target.dataset.place]); });
  svg.addEventListener("pointerout", event => { if (event.target.dataset.place) focus(null); });
  svg.addEventListener("click", event => {
    const node = nodes[event.target.dataset.place];
    if (node) location.assign(addressOf(node.one));
  });
  const legend = document.getElementById("legend");
  if (found.is_capped) legend.textContent += ` Only the ${number(found.pages.length)} pages with the highest priority of ${number(found.total)} are shown.`;
  if (found.links_kept !== "all") legend.textContent += " Only the first link to each page was kept. Scan with links = all to see every link.";
  keepDrawn(svg, show);
}
