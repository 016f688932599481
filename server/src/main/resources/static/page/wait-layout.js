const SIZES = {
  wide: { width: 176, height: 46, across: 120, between: 28 },
  narrow: { width: 132, height: 46, across: 64, between: 28 },
};

/**
 * Where to draw the leases of a wait-for graph: in columns from left to right, a waiter left of what it waits for. In a cycle
 * one arrow has to point back.
 */
export function layOut(graph, most, narrow) {
  const size = narrow ? SIZES.narrow : SIZES.wide;
  const drawn = mostImportant(graph, most);
  const names = new Set(drawn.map((node) => node.leaseName));
  const edges = graph.edges.filter((edge) => names.has(edge.from) && names.has(edge.to));
  const columns = inColumns(drawn, columnOf(drawn, edges));
  settle(columns, edges);
  return { ...place(columns, size), edges, size };
}

/** Those in others' way first: the others can be left to the list. */
function mostImportant(graph, most) {
  const inTheWay = new Map();
  for (const edge of graph.edges) inTheWay.set(edge.to, (inTheWay.get(edge.to) ?? 0) + 1);
  const involved = graph.nodes.filter((node) => node.waitsFor !== null || inTheWay.has(node.leaseName));
  const weight = (node) => inTheWay.get(node.leaseName) ?? 0;
  return involved.sort((a, b) => weight(b) - weight(a) || (b.waitsMs ?? 0) - (a.waitsMs ?? 0)).slice(0, most);
}

/** The longest path to a holder that doesn't wait, without the arrows that close a cycle. */
function columnOf(nodes, edges) {
  const next = new Map(nodes.map((node) => [node.leaseName, []]));
  for (const edge of edges) next.get(edge.from).push(edge.to);
  const column = new Map();
  const path = new Set();
  const visit = (id) => {
    if (column.has(id)) return column.get(id);
    path.add(id);
    const ahead = next.get(id).filter((to) => !path.has(to));
    column.set(id, ahead.reduce((far, to) => Math.max(far, visit(to) + 1), 0));
    path.delete(id);
    return column.get(id);
  };
  nodes.map((node) => node.leaseName).sort().forEach(visit);
  return column;
}

function inColumns(nodes, column) {
  const last = Math.max(0, ...column.values());
  const columns = Array.from({ length: last + 1 }, () => []);
  for (const node of nodes) columns[last - column.get(node.leaseName)].push(node);
  for (const each of columns) each.sort((a, b) => (b.waitsMs ?? 0) - (a.waitsMs ?? 0) || (a.leaseName < b.leaseName ? -1 : 1));
  return columns;
}

/** Has each column follow the order of the one to its right, so that few arrows cross. */
function settle(columns, edges) {
  for (let at = columns.length - 2; at >= 0; at--) {
    const rank = new Map(columns[at + 1].map((node, i) => [node.leaseName, i]));
    const middle = (node) => {
      const ranks = edges.filter((edge) => edge.from === node.leaseName && rank.has(edge.to)).map((edge) => rank.get(edge.to));
      return ranks.length ? ranks.reduce((a, b) => a + b) / ranks.length : Infinity;
    };
    const middles = new Map(columns[at].map((node) => [node, middle(node)]));
    columns[at].sort((a, b) => middles.get(a) - middles.get(b) || 0);
  }
}

function place(columns, { width, height: box, across, between }) {
  const tallest = Math.max(0, ...columns.map((column) => column.length));
  const height = tallest * (box + between) + between;
  const spots = new Map();
  columns.forEach((column, at) => {
    const step = height / (column.length || 1);
    column.forEach((node, i) => {
      spots.set(node.leaseName, { node, x: 2 + at * (width + across), y: step * (i + 0.5) - box / 2 });
    });
  });
  return { spots, width: columns.length * (width + across) - across + 4, height };
}
