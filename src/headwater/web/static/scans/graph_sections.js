// The sections of a link graph: a tree of folders over its pages, and the nodes and links to show of it.
const MAX_OPENED = 40, MAX_BESIDE = 15, SMALL_SITE = 25;

const makeFolder = (folder, above) => ({ folder, above, folders: new Map(), members: [] });

export function buildSections(pages) {
  const top = makeFolder("", null);
  pages.forEach((page, order) => {
    // Not parsed by URL, which rejects some addresses that sites link to.
    const [, origin, folders] = page.url.match(/^([^/?#]*\/\/[^/?#]*|)([^?#]*)/);
    let at = top;
    for (const name of [origin, ...folders.split("/").slice(1, -1)]) {
      if (!at.folders.has(name)) at.folders.set(name, makeFolder(`${at.folder}${name}/`, at));
      at = at.folders.get(name);
    }
    at.members.push({ page, address: page.url, order, size: 1, above: at });
  });
  return simplify(top);
}
// Replaces folders of one page by the page, and folders that hold only a folder by that one.
function simplify(node) {
  node.members.push(...Array.from(node.folders.values(), simplify).map(one => one.members.length === 1 ? one.members[0] : one));
  for (const one of node.members) one.above = node;
  node.size = node.members.reduce((sum, one) => sum + one.size, 0);
  node.order = Math.min(...node.members.map(one => one.order));
  node.members.sort((a, b) => b.size - a.size || a.order - b.order);
  return node;
}

export function nameOf(one) {
  if (one.hidden) return `${one.hidden} more`;
  const address = one.folder ?? one.address;
  return address.slice(one.above?.folder.length ?? 0) || address.match(/[^/]\/([^/]+\/)$/)?.[1] || "/";
}

// The folders from the outermost that has a choice to the one that is opened.
export function findOpened(top, folder) {
  const start = top.members.length === 1 && top.members[0].members ? top.members[0] : top;
  const chain = [start];
  for (let next = start; next; ) {
    next = next.members.find(one => one.members && folder.startsWith(one.folder));
    if (next) chain.push(next);
  }
  return chain;
}

export function listNodes(chain) {
  const isSmall = chain[0].size <= SMALL_SITE, opened = new Set(chain);
  const list = node => {
    const limit = node === chain.at(-1) ? MAX_OPENED : MAX_BESIDE, fits = node.members.length <= limit;
    const shown = node.members.filter((one, place) => fits || place < limit - 1 || opened.has(one));
    const hidden = fits ? [] : node.members.filter(one => !shown.includes(one));
    const rest = hidden.length ? [{ folder: node.folder, above: node, hidden: hidden.length, members: hidden, size: hidden.reduce((sum, one) => sum + one.size, 0) }] : [];
    return [...shown.flatMap(one => one.members && (isSmall || opened.has(one)) ? list(one) : one), ...rest];
  };
  return list(chain[0]).map(one => ({ one, near: new Map() }));
}

function* pagesOf(one) {
  if (one.page) yield one.page.number;
  else for (const inner of one.members) yield* pagesOf(inner);
}

// Adds up the links between pages to links between the shown nodes, the strongest first.
export function joinLinks(nodes, pages, links) {
  const nodeOf = new Map(nodes.flatMap(node => Array.from(pagesOf(node.one), page => [page, node])));
  for (const [source, target] of [...links, ...pages.map(page => [page.parent, page.number])]) {
    const [from, to] = [nodeOf.get(source), nodeOf.get(target)];
    if (!from || !to || from === to) continue;
    from.near.set(to, (from.near.get(to) ?? 0) + 1);
    to.near.set(from, from.near.get(to));
  }
  const rank = new Map(nodes.map((node, place) => [node, place]));
  const joined = nodes.flatMap(from => Array.from(from.near, ([to, weight]) => ({ from, to, weight })).filter(({ to }) => rank.get(from) < rank.get(to)));
  return joined.sort((a, b) => b.weight - a.weight);
}
