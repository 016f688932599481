import { byId, el, say, show } from './dom.js';
import { exampleKey } from './commands.js';
import { ask, Refused } from './server.js';
import { MyLeases } from './my-leases.js';
import { FlashSale } from './flash-sale.js';
import { tickUp } from './ticking.js';
import { blockerInWords, duration } from './words.js';

/** Taking a lock by hand, and a flash sale. */
export class TryPanel {
  #mine = new MyLeases();
  #sale = new FlashSale();
  #waiting = null;

  constructor() {
    byId('take').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#take();
    });
    byId('take-stop').addEventListener('click', () => this.#waiting?.abort());
  }

  /** Learns what the server is: whether it has buyers, and which kinds it knows. */
  meet(status) {
    this.#sale.meet(status);
    const kinds = status.kinds.map((kind) => kind.prefix).join(', ');
    const known = status.kindsDeclared && kinds ? ` This server knows the kinds ${kinds}.` : '';
    say(byId('take-hint'), `Several with spaces: all of them or none, in the global order.${known}`);
    const example = exampleKey(status);
    if (byId('take-keys').defaultValue !== example) byId('take-keys').defaultValue = example;
  }

  async refresh() {
    await this.#sale.refresh();
  }

  async #take() {
    this.#waiting = new AbortController();
    this.#busy(true);
    try {
      const body = request();
      const lease = await ask('POST', '/api/locks', { body, signal: this.#waiting.signal });
      this.#mine.add(lease, body.leaseMs);
      say(byId('take-state'), lease.waitedMs < 1 ? 'Granted at once.' : `Granted after ${duration(lease.waitedMs)}.`);
    } catch (failure) {
      this.#refused(failure);
    } finally {
      this.#busy(false);
    }
  }

  #busy(busy) {
    const [before, after] = busy ? [byId('take-go'), byId('take-stop')] : [byId('take-stop'), byId('take-go')];
    const focused = document.activeElement === before;
    byId('take-go').disabled = busy;
    show(byId('take-stop'), busy);
    if (focused) after.focus();
    if (!busy) return;
    show(byId('take-refused'), false);
    const time = el('span', { 'aria-hidden': 'true' });
    byId('take-state').replaceChildren('Waiting ', time);
    tickUp(time, 0);
  }

  #refused(failure) {
    say(byId('take-state'), failure.name === 'AbortError' ? 'Given up; nothing stays in the queue.' : '');
    if (failure.name === 'AbortError') return;
    const blockers = (failure instanceof Refused && failure.problem.blockers) || [];
    byId('take-refused').replaceChildren(el('p', null, failure.message),
      el('ul', null, ...blockers.map((blocker) => el('li', null, `In the way: ${blockerInWords(blocker)}.`))));
    show(byId('take-refused'), true);
  }
}

function request() {
  const milliseconds = (id) => Math.round(Number(byId(id).value) * 1000);
  return {
    keys: byId('take-keys').value.trim().split(/\s+/),
    mode: byId('take-mode').value,
    waitMs: milliseconds('take-wait'),
    leaseMs: milliseconds('take-lease'),
    owner: byId('take-owner').value.trim(),
  };
}
