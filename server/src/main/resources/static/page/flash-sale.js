import { byId, say, show } from './dom.js';
import { ask, get } from './server.js';
import { showFigures } from './figures.js';
import { duration, number } from './words.js';

const WHILE_RUNNING = 300;
const NONE_YET = 10_000;

/** A flash sale on a server with simulated buyers: how it goes, and that nothing is sold twice. */
export class FlashSale {
  #demo = null;
  #running = false;
  #quietUntil = 0;

  constructor() {
    byId('sale').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#start();
    });
  }

  meet({ demo }) {
    this.#demo = demo;
    show(byId('sale'), demo);
    show(byId('sale-off'), !demo);
  }

  async refresh() {
    if (!this.#demo || this.#running || performance.now() < this.#quietUntil) return;
    const sale = await get('/api/demo/flash-sale').catch((failure) => {
      if (failure.status !== 404) throw failure;
      this.#quietUntil = performance.now() + NONE_YET;
      return null;
    });
    if (sale) this.#follow(sale);
  }

  async #start() {
    const figure = (id) => Number(byId(id).value);
    byId('sale-go').disabled = true;
    show(byId('sale-refused'), false);
    try {
      const body = { stock: figure('sale-stock'), buyers: figure('sale-buyers'), orders: figure('sale-orders') };
      this.#follow(await ask('POST', '/api/demo/flash-sale', { body }));
    } catch (failure) {
      byId('sale-go').disabled = false;
      say(byId('sale-refused'), failure.message);
      show(byId('sale-refused'), true);
    }
  }

  async #follow(sale) {
    this.#draw(sale);
    if (!sale.running || this.#running) return;
    this.#running = true;
    try {
      for (let now = sale; now.running; this.#draw(now)) {
        await new Promise((done) => setTimeout(done, WHILE_RUNNING));
        now = await get('/api/demo/flash-sale');
      }
    } catch {
      // The next beat asks again.
    } finally {
      this.#running = false;
    }
  }

  #draw(sale) {
    byId('sale-go').disabled = sale.running;
    show(byId('sale-result'), true);
    const share = Math.min(1, sale.reserved / sale.stock);
    byId('sale-meter').firstElementChild.style.transform = `scaleX(${share})`;
    byId('sale-meter').setAttribute('aria-label', `${number(sale.reserved)} of ${number(sale.stock)} pieces reserved`);
    say(byId('sale-state'), sale.running ? `Selling ${sale.sku}` : `Over after ${duration(sale.tookMs)}.`);
    byId('sale-result').dataset.running = sale.running;
    showFigures(byId('sale-figures'), [
      ['reserved', `${number(sale.reserved)} of ${number(sale.stock)}`],
      ['told "sold out"', number(sale.outOfStock)],
      ['answered', `${number(sale.answered)} of ${number(sale.orders)}`],
      ['orders per second', number(Math.round(sale.perSecond))],
      ...(sale.other > 0 ? [['other answers', number(sale.other)]] : []),
      ['oversold', sale.oversold ? 'yes' : 'never', sale.oversold ? 'bad' : 'good'],
    ]);
  }
}
