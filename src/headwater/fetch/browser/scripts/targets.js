// Find clickable elements, and recognise harmful ones by their words.

// Split a text or a name into words: `btn-deleteItem` has three.
function words(text) {
  const spaced = apply(replace, text, [/([a-z])([A-Z])/g, "$1 $2"]);
  return apply(split, apply(lower, spaced, []), [/[^\p{L}]+/u]);
}
function isHarmful(text) {
  const parts = words(apply(slice, string(text), [0, 300]));
  for (let at = 0; at < parts.length; at++) if (HARMFUL.words[parts[at]] === 1) return true;
  const joined = apply(lower, parts.join(" "), []), flat = apply(lower, string(text), []);
  for (let at = 0; at < HARMFUL.phrases.length; at++) {
    if (` ${joined} `.includes(` ${HARMFUL.phrases[at]} `) || (HARMFUL.phrases[at].length < 5 && /[^\u0000-\u024f]/.test(HARMFUL.phrases[at]) && flat.includes(HARMFUL.phrases[at]))) return true;
  }
  return false;
}
function looksHarmful(element) {
  const texts = [element.innerText ?? element.textContent, get(element, "aria-label"), get(element, "title"), element.id, get(element, "class"),
    get(element, "name"), get(element, "value"), get(element, "data-action"), get(element, "data-testid"), get(element, "onclick"), get(element, "href")];
  const inner = element.querySelector("[aria-label],[title],img[alt],svg[class],i[class]");
  if (inner) texts.push(get(inner, "aria-label"), get(inner, "title"), get(inner, "alt"), get(inner, "class"));
  for (let at = 0; at < texts.length; at++) if (texts[at] && isHarmful(texts[at])) return true;
  return false;
}

// Links that lead nowhere and are operated by scripts.
const SCRIPT_LINK = "[href^='javascript:' i],[href='#'],[href='#!'],[href='']", PAGE_LINK = `a[href]:not(${SCRIPT_LINK})`;
const NOT_CLICKABLE = PAGE_LINK + ",area,input,select,textarea,option,label,script,style,html,body,iframe,video,audio,form,fieldset,object,embed,[disabled],[aria-disabled=true],[contenteditable=true],[download]";
const PRESSES = ["click", "mousedown", "pointerdown", "mouseup", "dblclick", "contextmenu", "touchstart"];
const PRESS_ATTRIBUTES = "[onclick],[ondblclick],[oncontextmenu],[onmousedown],[onpointerdown],[ontouchstart]";
const ROLES = { button: 1, link: 1, menuitem: 1, tab: 1, treeitem: 1, option: 1, switch: 1, row: 1, listitem: 1 };
function isVisible(element) {
  const boxes = apply(rects, element, []);
  if (!boxes.length || (boxes[0].width < 2 && boxes[0].height < 2)) return false;
  const computed = style(element);
  return computed.visibility !== "hidden" && computed.display !== "none" && computed.pointerEvents !== "none";
}
function isClickable(element) {
  if (apply(matches, element, [NOT_CLICKABLE]) || apply(closest, element, [PAGE_LINK + ",label,[contenteditable=true]"])) return false;
  if (POINTER_ONLY && style(element).cursor !== "pointer") return false;
  const tag = element.localName;
  if (tag === "button" && (element.type === "submit" || element.type === "reset") && element.form) return false;
  const kinds = listenersOf.get(element);
  if (kinds) for (let at = 0; at < PRESSES.length; at++) if (kinds[PRESSES[at]]) return true;
  if (tag === "button" || tag === "summary" || element.onclick || apply(matches, element, [PRESS_ATTRIBUTES])) return true;
  if (tag === "a" && apply(matches, element, [SCRIPT_LINK])) return true;
  if (ROLES[get(element, "role")] === 1 || (get(element, "tabindex") !== null && element.tabIndex >= 0)) return true;
  return style(element).cursor === "pointer" && !(element.parentElement && style(element.parentElement).cursor === "pointer");
}
function pathOf(element) {
  let path = "", node = element;
  for (let depth = 0; node && node.localName && depth < 12; depth++) {
    let place = 1, sibling = node;
    while ((sibling = sibling.previousElementSibling)) if (sibling.localName === node.localName) place++;
    path = `${node.localName}:nth-of-type(${place})${path ? ">" + path : ""}`;
    if (node.localName === "body") break;
    node = node.parentElement ?? node.getRootNode().host;
  }
  return path;
}
function signature(element) {
  return `${pathOf(element)} ${apply(slice, apply(textOf, element, []) || "", [0, 60])}`;
}
function clickable(limit) {
  const found = [], places = allRoots();
  for (let at = 0; at < places.length; at++) {
    const elements = query(places[at], "*");
    for (let index = 0; index < elements.length && index < 20000 && found.length < limit; index++) {
      const element = elements[index];
      if (element instanceof HTMLElement && isClickable(element) && isVisible(element)) found[found.length] = element;
    }
  }
  return found;
}
