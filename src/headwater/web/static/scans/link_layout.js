// Positions of a link graph and of its labels: pure functions of sizes, the same for the same input.
const ROUNDS = 160, GOLDEN_ANGLE = 2.399963;

// Pushes every pair of nodes apart and pulls linked ones together, then stretches the result over the whole picture.
export function placeNodes(nodes, links, width, height) {
  nodes.forEach((node, place) => {
    node.x = Math.sqrt(place + 0.5) * Math.cos(place * GOLDEN_ANGLE);
    node.y = Math.sqrt(place + 0.5) * Math.sin(place * GOLDEN_ANGLE);
  });
  const strongest = Math.max(1, ...links.map(link => link.weight));
  for (let round = 0; round < ROUNDS; round++) move(nodes, links, strongest, 1 - round / ROUNDS);
  stretch(nodes, width, height);
  for (let round = 0; round < 40; round++) separate(nodes, width, height);
}

function move(nodes, links, strongest, heat) {
  for (const node of nodes) { node.dx = -node.x * 0.05; node.dy = -node.y * 0.05; }
  for (let a = 0; a < nodes.length; a++)
    for (let b = a + 1; b < nodes.length; b++) {
      const [x, y] = [nodes[a].x - nodes[b].x, nodes[a].y - nodes[b].y], push = 1.6 / (x * x + y * y + 0.01);
      nodes[a].dx += x * push; nodes[a].dy += y * push;
      nodes[b].dx -= x * push; nodes[b].dy -= y * push;
    }
  for (const { from, to, weight } of links) {
    // Divided by the number of links, or a page that all others link to would draw them into one heap.
    const pull = 0.4 * (0.3 + weight / strongest) / Math.sqrt(Math.max(from.near.size, to.near.size));
    const [x, y] = [(to.x - from.x) * pull, (to.y - from.y) * pull];
    from.dx += x; from.dy += y;
    to.dx -= x; to.dy -= y;
  }
  for (const node of nodes) {
    const length = Math.hypot(node.dx, node.dy) || 1, step = Math.min(length, heat) / length;
    node.x += node.dx * step; node.y += node.dy * step;
  }
}

function stretch(nodes, width, height) {
  for (const [axis, size] of [["x", width], ["y", height]]) {
    const order = [...nodes].sort((a, b) => a[axis] - b[axis]);
    const [low, high] = [order[0][axis], order.at(-1)[axis]], edge = Math.min(size / 4, 34);
    order.forEach((node, rank) => {
      // Half the position and half the rank: one far node cannot press all the others together.
      const share = order.length < 2 ? 0.5 : ((node[axis] - low) / (high - low || 1) + rank / (order.length - 1)) / 2;
      node[axis] = edge + share * (size - 2 * edge);
    });
  }
}

function separate(nodes, width, height) {
  for (let a = 0; a < nodes.length; a++)
    for (let b = a + 1; b < nodes.length; b++) {
      const [x, y] = [nodes[a].x - nodes[b].x || 0.1, nodes[a].y - nodes[b].y || 0.1], distance = Math.hypot(x, y);
      const missing = nodes[a].radius + nodes[b].radius + 5 - distance;
      if (missing <= 0) continue;
      nodes[a].x += x / distance * missing / 2; nodes[a].y += y / distance * missing / 2;
      nodes[b].x -= x / distance * missing / 2; nodes[b].y -= y / distance * missing / 2;
    }
  for (const node of nodes) {
    node.x = Math.min(width - node.radius - 2, Math.max(node.radius + 2, node.x));
    node.y = Math.min(height - node.radius - 2, Math.max(node.radius + 2, node.y));
  }
}

const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// Places each label beside its node where it covers no other label and no other node; drops it where it would.
export function placeLabels(wanted, nodes, width, height, size = 13) {
  const circles = nodes.map(node => ({ node, left: node.x - node.radius, right: node.x + node.radius, top: node.y - node.radius, bottom: node.y + node.radius }));
  const taken = [];
  for (const { node, length, text } of wanted) {
    const { x, y, radius } = node, gap = radius + 4;
    const spots = [[x + gap, y - size / 2], [x - gap - length, y - size / 2], [x - length / 2, y + gap - 2], [x - length / 2, y - gap - size + 2]];
    const boxes = spots.map(([left, top]) => ({ node, text, left, top, right: left + length, bottom: top + size }));
    const free = boxes.find(box => box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height
      && !taken.some(other => overlaps(box, other)) && !circles.some(circle => circle.node !== node && overlaps(box, circle)));
    if (free) taken.push(free);
  }
  return taken;
}
