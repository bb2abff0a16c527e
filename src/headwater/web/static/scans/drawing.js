// Drawing shared by the maps: SVG elements, labels that fit, the line about the box under the pointer, breadcrumbs.
import { make, number } from "../page.js";

const SVG = "http://www.w3.org/2000/svg";
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

export function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const count = (amount, noun) => `${number(amount)} ${noun}${amount === 1 ? "" : "s"}`;
export const path = url => url.replace(/^https?:\/\/[^/]+/, "") || "/";

// Measures without the DOM, so that thousands of labels cause no layout.
export function measure(text, size) {
  const key = `${size} ${text}`;
  if (!widths.has(key)) {
    pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

// The text, shortened to a width; empty if fewer than four characters of it fit.
export function shorten(text, width, size) {
  if (measure(text, size) <= width) return text;
  const letters = Array.from(text.slice(0, 200));
  let [fits, ends] = [0, letters.length];
  while (fits < ends) {
    const middle = Math.ceil((fits + ends) / 2);
    if (measure(`${letters.slice(0, middle).join("")}…`, size) <= width) fits = middle;
    else ends = middle - 1;
  }
  return fits < 4 ? "" : `${letters.slice(0, fits).join("")}…`;
}

const hovered = document.getElementById("hovered");
export const showHovered = text => { hovered.textContent = text || "\u00a0"; };

// The address holds the folder that a map shows, so that the Back button leads out of it.
export const toHash = folder => `#${encodeURIComponent(folder)}`;
export function readHash() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; }
}

export function showCrumbs(crumbs) {
  const items = crumbs.map(({ name, folder }, place) => {
    const link = make("a", { href: toHash(folder), title: folder }, name);
    if (place === crumbs.length - 1) link.setAttribute("aria-current", "page");
    return make("li", {}, link);
  });
  document.getElementById("crumbs").replaceChildren(...items);
}

export function showTable(heads, rows) {
  const cell = (tag, content, place) => make(tag, { className: place ? "n" : tag === "td" ? "url" : "" }, content);
  const head = make("tr", {}, ...heads.map((name, place) => Object.assign(cell("th", name, place), { scope: "col" })));
  const body = rows.map(row => make("tr", {}, ...row.map((content, place) => cell("td", content, place))));
  document.getElementById("sections").replaceChildren(make("div", { className: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...body))));
}

// Draws now, and again whenever the folder in the address or the width changes.
export function keepDrawn(svg, show) {
  let width = 0;
  addEventListener("hashchange", show);
  new ResizeObserver(() => {
    const now = svg.getBoundingClientRect().width;
    if (now && now !== width) { width = now; show(); }
  }).observe(svg);
}
