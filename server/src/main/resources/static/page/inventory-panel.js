import { byId, el, oneEach, say, show } from './dom.js';
import { get } from './server.js';
import { copying, curl } from './commands.js';
import { showFigures } from './figures.js';
import { count, number, timeOfDay } from './words.js';

/** Stock by SKU and location, how it is sold, and what the shop should know. */
export class InventoryPanel {
  constructor() {
    copying('copy-first-stock', 'first-stock');
  }

  async refresh() {
    const { stock, figures, alerts } = await get('/api/inventory');
    say(byId('stock-found'), stock.length ? `${count(stock.length, 'stock line')}, the last used first` : '');
    say(byId('first-stock'), curl('/api/inventory/sku-1/berlin/receipts', { quantity: 100, requestId: 'receipt-1' }));
    show(byId('stock-empty'), stock.length === 0);
    show(byId('stock'), stock.length > 0);
    showFigures(byId('figures'), stock.length ? figuresOf(figures) : []);
    oneEach(byId('stock-rows'), stock, (each) => `${each.sku} ${each.location}`, stockRow);
    show(byId('alerts-empty'), alerts.length === 0);
    oneEach(byId('alerts'), alerts, (each) => `${each.at} ${each.message}`, alertLine);
  }
}

function figuresOf({ outcomes, attempts, conflicts, transactions, commands, inFlight }) {
  const conflictShare = attempts === 0 ? '0 %' : `${number((100 * conflicts) / attempts)} %`;
  const together = transactions === 0 ? '–' : number(commands / transactions);
  return [
    ...Object.entries(outcomes).map(([name, value]) => [name.replaceAll(/[-_]/g, ' ').toLowerCase(), number(value)]),
    ['in flight', number(inFlight)],
    ['conflicts', conflictShare],
    ['requests per transaction', together],
  ];
}

function stockRow(each) {
  const level = levelOf();
  const perSecond = el('td', { role: 'cell', class: 'number' });
  const conflicts = el('td', { role: 'cell', class: 'number' });
  const strategy = el('span', { class: 'strategy' });
  const why = el('span', { class: 'soft' });
  return {
    element: el('tr', { role: 'row', 'data-sku': each.sku, 'data-location': each.location },
      el('td', { role: 'cell', class: 'key' }, each.sku), el('td', { role: 'cell' }, each.location), el('td', { role: 'cell' }, level.element),
      perSecond, conflicts, el('td', { role: 'cell' }, strategy, why)),
    update(now) {
      level.update(now);
      say(perSecond, number(now.perSecond));
      say(conflicts, `${number(now.conflictRate * 100)} %`);
      say(strategy, now.strategy ?? '–');
      say(why, now.why ? ` · ${now.why}` : '');
    },
  };
}

/** How much of the stock is free, how much is set aside. */
function levelOf() {
  const amount = el('span', { class: 'amount' });
  const aside = el('span', { class: 'set-aside' });
  const free = el('span', { class: 'free' });
  const allocated = el('span', { class: 'allocated' });
  const meter = el('span', { class: 'meter', 'aria-hidden': 'true' }, free, allocated);
  return {
    element: el('div', { class: 'level' }, amount, aside, meter),
    update({ available, allocated: taken, physical }) {
      say(amount, available > 0 ? number(available) : 'sold out');
      amount.classList.toggle('out', available <= 0);
      say(aside, `${number(taken)} set aside of ${number(physical)}`);
      free.style.width = share(available, physical);
      allocated.style.width = share(taken, physical);
    },
  };
}

const share = (part, whole) => (whole <= 0 ? '0%' : `${Math.max(0, Math.min(100, (100 * part) / whole))}%`);

function alertLine(alert) {
  const element = el('li', { 'data-type': alert.type }, el('time', { datetime: alert.at }, timeOfDay(alert.at)), el('span', null, alert.message));
  return { element, update() {} };
}
