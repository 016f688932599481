import { byId, el, oneEach, say, show } from './dom.js';
import { get } from './server.js';
import { drawGraph } from './wait-graph.js';
import { count, duration, number, wanted } from './words.js';

const DRAWN = 40;
const LISTED = 500;

/** Who waits for whom: drawn, and as a list. */
export class WaitingPanel {
  async refresh() {
    const graph = await get('/api/locks/graph');
    const owners = new Map(graph.nodes.map((node) => [node.leaseName, node]));
    const waiting = graph.nodes.filter((node) => node.waitsFor !== null);
    say(byId('graph-found'), found(waiting.length, graph));
    show(byId('graph-empty'), waiting.length === 0);
    show(byId('waits-title'), waiting.length > 0);
    drawGraph(byId('graph'), graph, DRAWN);
    this.#list(graph, owners);
    this.#cycles(graph, owners);
  }

  #list(graph, owners) {
    const edges = graph.edges.map((edge) => ({ ...edge, by: owners.get(edge.from), whom: owners.get(edge.to) }));
    const known = edges.filter((edge) => edge.by && edge.whom).slice(0, LISTED);
    oneEach(byId('waits'), known, (edge) => `${edge.from} ${edge.to} ${edge.key} ${edge.mode} ${edge.waiting}`, waitLine);
  }

  #cycles({ cycles }, owners) {
    const name = (id) => owners.get(id)?.owner ?? id;
    const words = cycles.map((cycle) => [...cycle, cycle[0]].map(name).join(' → '));
    show(byId('cycles'), cycles.length > 0);
    say(byId('cycles'), cycles.length === 0 ? '' : `Deadlock: ${words.join('; ')}. One of them is failed, so that the others continue.`);
  }
}

function found(waiting, { waitersFound, nodes, edges }) {
  if (waiting === 0) return '';
  const oldest = waiting < waitersFound ? ` The oldest ${number(waiting)} are shown.` : '';
  const drawn = nodes.length > DRAWN ? ` The ${DRAWN} most in the way are drawn.` : '';
  const listed = edges.length > LISTED ? ` The first ${LISTED} waits of ${number(edges.length)} are listed.` : '';
  return `${count(waitersFound, 'request waits', 'requests wait')}.${oldest}${drawn}${listed}`;
}

function waitLine(edge) {
  const time = el('span');
  const element = el('li', null, el('strong', null, edge.by.owner), ' waits ', time,
    edge.waiting ? ' behind ' : ' for ', el('strong', null, edge.whom.owner), ' at ', el('span', { class: 'key' }, edge.key), `, ${wanted(edge.mode)}`);
  return { element, update: (item) => say(time, item.by.waitsMs === null ? '' : duration(item.by.waitsMs)) };
}
