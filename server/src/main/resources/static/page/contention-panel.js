import { byId, el, oneEach, say, show } from './dom.js';
import { get } from './server.js';
import { Chart } from './chart.js';
import { count, duration, fineDuration, number, timeOfDay } from './words.js';

/** How much was taken and waited for over time, and the keys that were waited for most. */
export class ContentionPanel {
  #everyMs = 1000;
  #points = [];
  #charts = [
    new Chart('Acquired per second', (point) => this.#perSecond(point), number),
    new Chart('Waiting', (point) => point.waiting, number),
    new Chart('Longest wait', (point) => point.longestWaitMs, (ms) => (ms === 0 ? '0' : fineDuration(ms))),
  ];

  constructor() {
    byId('charts').append(...this.#charts.map((chart) => chart.element));
    byId('contention-table').addEventListener('toggle', () => this.#table());
  }

  async refresh() {
    const { everyMs, points, hottest } = await get('/api/contention');
    this.#everyMs = everyMs;
    this.#points = points;
    say(byId('contention-span'), spanOf(points.length * everyMs));
    for (const chart of this.#charts) chart.update(points);
    this.#table();
    this.#hottest(hottest);
  }

  #perSecond(point) {
    return (point.acquired * 1000) / this.#everyMs;
  }

  #table() {
    if (!byId('contention-table').open) return;
    oneEach(byId('contention-rows'), this.#points.slice().reverse(), (point) => point.at, (point) => {
      const cells = Array.from({ length: 5 }, () => el('td', { class: 'number' }));
      const update = (now) => [number(this.#perSecond(now)), number(now.waiting), fineDuration(now.longestWaitMs), number(now.timedOut), number(now.held)]
        .forEach((text, at) => say(cells[at], text));
      return { element: el('tr', null, el('th', { scope: 'row' }, timeOfDay(point.at)), ...cells), update };
    });
  }

  #hottest(hottest) {
    const most = Math.max(1, ...hottest.map((each) => each.waitMs));
    show(byId('hottest'), hottest.length > 0);
    show(byId('hottest-empty'), hottest.length === 0);
    oneEach(byId('hottest-rows'), hottest, (each) => each.key, (each) => hotRow(each.key));
    this.#scale(hottest, most);
  }

  #scale(hottest, most) {
    hottest.forEach((each, at) => {
      byId('hottest-rows').children[at].querySelector('.rest').style.transform = `scaleX(${each.waitMs / most})`;
    });
  }
}

const spanOf = (ms) => (ms < 120_000 ? `the last ${duration(ms)}` : `the last ${count(Math.round(ms / 60_000), 'minute')}`);

function hotRow(key) {
  const waited = el('span');
  const cells = Array.from({ length: 4 }, () => el('td', { class: 'number' }));
  const share = el('td', null, el('span', { class: 'share' }, el('span', { class: 'track', 'aria-hidden': 'true' }, el('span', { class: 'rest' })), waited));
  return {
    element: el('tr', { 'data-key': key }, el('td', { class: 'key' }, key), share, ...cells),
    update(now) {
      say(waited, fineDuration(now.waitMs));
      [number(now.waits), fineDuration(now.longestWaitMs), number(now.acquired), number(now.timedOut)].forEach((text, at) => say(cells[at], text));
    },
  };
}
