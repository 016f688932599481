import { svg } from './dom.js';
import { layOut } from './wait-layout.js';
import { count, duration, wanted } from './words.js';

/** Draws the wait-for graph: an arrow from each that waits to each in its way. Cycles stand out. */
export function drawGraph(parent, graph, most) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.edge : null;
  const { spots, edges, size, width, height } = layOut(graph, most, document.documentElement.clientWidth < 700);
  if (spots.size === 0) return parent.replaceChildren();
  const cycles = edgesOfCycles(graph.cycles);
  const inCycle = new Set(graph.cycles.flat());
  const drawing = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, arrowHead('head', null), arrowHead('bad-head', 'bad'),
    ...edges.map((edge) => edgeOf(edge, spots, size, cycles.has(`${edge.from} ${edge.to}`))),
    ...[...spots.values()].map((spot) => nodeOf(spot, size, inCycle.has(spot.node.leaseName))));
  parent.replaceChildren(drawing);
  if (focused) [...drawing.querySelectorAll('[data-edge]')].find((each) => each.dataset.edge === focused)?.focus();
}

function edgesOfCycles(cycles) {
  const edges = cycles.flatMap((cycle) => cycle.map((from, at) => `${from} ${cycle[(at + 1) % cycle.length]}`));
  return new Set(edges);
}

function arrowHead(id, look) {
  return svg('defs', null, svg('marker', { id, class: look, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
    markerUnits: 'userSpaceOnUse', orient: 'auto' }, svg('path', { d: 'M0 0 8 4 0 8z' })));
}

function nodeOf({ node, x, y }, size, cycle) {
  const what = node.waitsFor === null ? `holds ${count(node.holds.length, 'key')}` : `waits ${duration(node.waitsMs ?? 0)}`;
  const look = ['node', node.waitsFor === null ? '' : 'waits', cycle ? 'cycle' : ''].join(' ').trim();
  return svg('g', { class: look, transform: `translate(${x} ${y})`, 'data-lease': node.leaseName },
    svg('title', null, `${node.owner}: ${node.holds.join(', ') || 'holds nothing'}`),
    svg('rect', { width: size.width, height: size.height, rx: 6 }),
    svg('text', { class: 'who', x: 12, y: 19 }, shortened(node.owner, Math.floor((size.width - 24) / 8))),
    svg('text', { class: 'what', x: 12, y: 36 }, what));
}

function edgeOf(edge, spots, size, cycle) {
  const from = spots.get(edge.from);
  const to = spots.get(edge.to);
  const { d, middle } = from.x < to.x ? forward(from, to, size) : backward(from, to, size);
  const words = `${from.node.owner} waits for ${to.node.owner} at ${edge.key}, ${wanted(edge.mode)}`;
  const look = ['edge', edge.waiting ? 'queued' : '', cycle ? 'cycle' : ''].join(' ').trim();
  return svg('g', { class: look, tabindex: 0, role: 'img', 'aria-label': words, 'data-edge': `${edge.from} ${edge.to} ${edge.key}` },
    svg('path', { class: 'hit', d }),
    svg('path', { class: 'line-path', d, 'marker-end': `url(#${cycle ? 'bad-head' : 'head'})` }),
    svg('text', { x: middle.x, y: middle.y - 7 }, shortened(edge.key, 40)));
}

function forward(from, to, size) {
  const a = { x: from.x + size.width, y: from.y + size.height / 2 };
  const b = { x: to.x - 2, y: to.y + size.height / 2 };
  const bend = (b.x - a.x) / 2;
  return { d: `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`, middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
}

/** Back below the boxes. */
function backward(from, to, size) {
  const a = { x: from.x + size.width / 2, y: from.y + size.height };
  const b = { x: to.x + size.width / 2, y: to.y + size.height + 2 };
  const low = Math.max(a.y, b.y) + 22;
  return { d: `M${a.x} ${a.y}C${a.x} ${low} ${b.x} ${low} ${b.x} ${b.y}`, middle: { x: (a.x + b.x) / 2, y: low + 5 } };
}

const shortened = (text, most) => (text.length <= most ? text : `${text.slice(0, Math.floor(most / 2))}…${text.slice(1 - Math.ceil(most / 2))}`);
