import { byId, el, oneEach, say, show } from './dom.js';
import { keep, recall } from './kept.js';
import { ask } from './server.js';
import { modeSign } from './lock-row.js';
import { LeaseBar } from './ticking.js';

const KEPT = 'lockstep-leases';

/** The leases that were taken in this tab. They outlive a reload of the page. */
export class MyLeases {
  #leases = JSON.parse(recall(KEPT) ?? '[]').filter((lease) => lease.endsAt > Date.now());

  constructor() {
    this.#draw();
  }

  /** Adds one that was asked for with this term, which a renewal gives it again. */
  add(lease, termMs) {
    this.#put({ leaseId: lease.leaseId, leaseName: lease.leaseName, keys: lease.keys, mode: lease.mode, owner: lease.owner, token: lease.token, termMs,
      endsAt: Date.now() + lease.leaseMs });
  }

  async renew(lease) {
    try {
      const { leaseMs } = await ask('POST', `/api/locks/${encodeURIComponent(lease.leaseId)}/renew`, { body: { extendByMs: lease.termMs } });
      this.#put({ ...lease, endsAt: Date.now() + leaseMs, said: 'Renewed.' });
    } catch (failure) {
      this.#put({ ...lease, said: failure.message });
    }
  }

  async release(lease) {
    try {
      await ask('DELETE', `/api/locks/${encodeURIComponent(lease.leaseId)}`);
      this.#forget(lease);
    } catch (failure) {
      if (failure.status === 410) this.#put({ ...lease, endsAt: 0, said: failure.message });
      else this.#put({ ...lease, said: failure.message });
    }
  }

  #put(lease) {
    const at = this.#leases.findIndex((each) => each.leaseId === lease.leaseId);
    if (at < 0) this.#leases.unshift(lease);
    else this.#leases[at] = lease;
    this.#draw();
  }

  /** Hands the focus of a row that goes to the next one. */
  #forget(lease) {
    const rows = byId('mine').children;
    const at = this.#leases.findIndex((each) => each.leaseId === lease.leaseId);
    const focused = rows[at]?.contains(document.activeElement);
    this.#leases = this.#leases.filter((each) => each.leaseId !== lease.leaseId);
    this.#draw();
    if (focused) (rows[at]?.querySelector('.release') ?? byId('mine-title')).focus();
  }

  #draw() {
    keep(KEPT, JSON.stringify(this.#leases));
    show(byId('mine-empty'), this.#leases.length === 0);
    oneEach(byId('mine'), this.#leases, (lease) => lease.leaseId, (lease) => this.#row(lease));
  }

  #row(lease) {
    let now = lease;
    const bar = new LeaseBar();
    const said = el('p', { class: 'said soft', role: 'status' });
    const name = lease.keys.join(', ');
    const element = el('li', { 'data-lease': lease.leaseName },
      el('span', null, modeSign(lease.mode === 'shared' ? 'S' : 'X'), ' ', el('span', { class: 'key' }, name)),
      bar.element,
      el('span', { class: 'soft' }, `${lease.owner}, fencing token ${lease.token}`),
      el('span', { class: 'acts' },
        el('button', { type: 'button', class: 'renew', 'aria-label': `Renew ${name}`, click: () => this.renew(now) }, 'Renew'),
        el('button', { type: 'button', class: 'release', 'aria-label': `Release ${name}`, click: () => this.#releaseOrForget(now) }, 'Release')),
      said);
    return {
      element,
      update(item) {
        now = item;
        bar.update(Math.max(0, item.endsAt - Date.now()), Math.max(0, item.termMs - (item.endsAt - Date.now())));
        say(said, item.said ?? '');
        show(said, Boolean(item.said));
      },
    };
  }

  /** What has ended is only taken off the list. */
  #releaseOrForget(lease) {
    return lease.endsAt <= Date.now() ? this.#forget(lease) : this.release(lease);
  }
}
